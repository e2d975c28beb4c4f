#!/usr/bin/env bash
# Installs the Debian 12 packages that Schemaward needs. Safe to repeat; without network and quick when all is there.
# usage: scripts/install_deps.sh [--build | --test | --full]
#   --build  compiler and libraries (what ./quickstart needs)
#   --test   also servers and test libraries (what ./check needs); the default
#   --full   also clang 19: thread-safety analysis, clang-tidy, fuzzers; what makes packages (what ./check --full needs)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="ninja-build cmake g++ ccache mold pkg-config git python3 sqlite3 ca-certificates
  libfmt-dev libspdlog-dev libsqlite3-dev libpq-dev libmariadb-dev libcurl4-openssl-dev libpg-query-dev libprotobuf-c-dev nlohmann-json3-dev libyaml-cpp-dev libcli11-dev
  libboost1.81-dev libssl-dev libsodium-dev libutf8proc-dev libstemmer-dev libexpected-dev libhowardhinnant-date-dev libtomlplusplus-dev tzdata"
test="libvalijson-dev libgtest-dev libgmock-dev libbenchmark-dev postgresql-15 postgresql-client-15 pgbouncer mariadb-server-core mariadb-client-core openssl
  codespell clang-format-14 strace"
full="clang-19 clang-tidy-19 libclang-rt-19-dev dpkg-dev zip unzip man-db"

case "${1:---test}" in
  --build) wanted="$build" ;;
  --test) wanted="$build $test" ;;
  --full) wanted="$build $test $full" ;;
  *) fail "no such option: $1 (one of --build, --test, --full)" ;;
esac
# Node's package manager brings PostgreSQL 12 and 17, DuckDB's library and the protocol clients; any version of it will do.
if [ "${1:---test}" != --build ] && ! command -v npm >/dev/null; then wanted="$wanted nodejs npm"; fi

missing=()
for package in $wanted; do
  dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

say "installing ${#missing[@]} packages: ${missing[*]}"
sudo=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail "needs root or sudo to install: ${missing[*]}"
  sudo=sudo
fi
# The tests start servers of their own; Debian's package must not start one. Said before the package arrives.
if [[ " ${missing[*]} " == *" postgresql-15 "* ]]; then
  $sudo mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' | $sudo tee /etc/postgresql-common/createcluster.d/schemaward.conf >/dev/null
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quiet() { "$@" >>"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; fail "could not: $*"; }; }
quiet $sudo apt-get update
quiet $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
say "packages are installed"
