#!/usr/bin/env bash
# Spreads executions of the oracle over the engines, at low priority, in chunks that are noted when they are done, so that a run that
# was stopped goes on where it was.
# usage: tests/guard/oracle.sh GUARD_ORACLE N SEED [ENGINE...]    ENGINE: sqlite duckdb postgres granted mysql; all by default
# Databases: SCHEMAWARD_TEST_PG15, SCHEMAWARD_TEST_MARIADB (URIs of superusers) and SCHEMAWARD_DUCKDB, as scripts/with_databases.sh sets
# them; an engine without is left out, and where none is left the exit code is 77. WARD_ORACLE_STATE is the folder of what was done; without
# it nothing is kept. Chunks have the seeds SEED, SEED+1, ... and each has tables of another
# shape but every fourth, which has the fixed one.
# A MariaDB that a statement ended is started again, a few times, where with_databases.sh has started it (SCHEMAWARD_TEST_MARIADB_SOCKET is in
# its folder). Exit: 1 where there is a finding, 3 where there is none but an engine died.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
[ $# -ge 3 ] || fail "usage: oracle.sh GUARD_ORACLE N SEED [ENGINE...]"
oracle=$1 total=$2 seed=$3
shift 3
[ $# -gt 0 ] || set -- sqlite duckdb postgres granted mysql
readonly CHUNK_MAX=20000 RESTARTS_MAX=5
# Shares of all executions, in hundredths: what an engine costs differs a hundredfold.
declare -A share=([sqlite]=50 [postgres]=20 [granted]=14 [mysql]=10 [duckdb]=6)

pg=${SCHEMAWARD_TEST_PG15:-} maria=${SCHEMAWARD_TEST_MARIADB:-}
tag=ward_oracle_$$
state=${WARD_ORACLE_STATE:-}
[ -z "$state" ] || mkdir -p "$state"

in_postgres() { psql -X -q -v ON_ERROR_STOP=1 "$pg" -c "$1" >/dev/null; }
in_maria() {
  local rest=${maria#mysql://}
  local user=${rest%%@*} host=${rest#*@}
  host=${host%%/*}
  mariadb --no-defaults --protocol=tcp -h "${host%%:*}" -P "${host##*:}" -u "$user" "$@"
}
# Starts the server again whenever it is gone.
keep_maria() {
  local port=${maria##*:}
  for i in $(seq $RESTARTS_MAX); do
    while in_maria -e 'SELECT 1' >/dev/null 2>&1; do sleep 0.5; done
    "$ROOT/scripts/mariadb.sh" again "${SCHEMAWARD_TEST_MARIADB_SOCKET%/*}" "${port%%/*}" || return 0
    say "MariaDB died and was started again ($i of $RESTARTS_MAX)"
  done
}
keeper=
end() {
  [ -z "$keeper" ] || kill "$keeper" 2>/dev/null || true
  for side in a b; do
    [ -z "$pg" ] || in_postgres "DROP DATABASE IF EXISTS ${tag}_$side WITH (FORCE)" 2>/dev/null || true
    [ -z "$maria" ] || in_maria -e "DROP DATABASE IF EXISTS ${tag}_$side" 2>/dev/null || true
  done
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Begins with an engine; false where it is not there.
prepare() {
  case $1 in
    sqlite) ;;
    duckdb) [ -n "${SCHEMAWARD_DUCKDB:-}" ] ;;
    postgres | granted)
      [ -n "$pg" ] || return 1
      in_postgres "DO \$\$ BEGIN CREATE ROLE ward_oracle_reader; EXCEPTION WHEN duplicate_object THEN NULL; END \$\$" ;;
    mysql)
      [ -n "$maria" ] || return 1
      [ -z "${SCHEMAWARD_TEST_MARIADB_SOCKET:-}" ] || { keep_maria & keeper=$!; } ;;
    *) fail "no such engine: $1" ;;
  esac
}
# copies ENGINE SHAPE: makes the databases of a chunk anew, where the oracle does not by itself, and sets `flags`.
copies() {
  flags=(--shape "$2")
  case $1 in
    postgres | granted)
      for side in a b; do
        in_postgres "DROP DATABASE IF EXISTS ${tag}_$side WITH (FORCE)" 2>/dev/null
        in_postgres "CREATE DATABASE ${tag}_$side"
      done
      flags+=(--a "${pg%/*}/${tag}_a" --b "${pg%/*}/${tag}_b") ;;
    mysql)
      for side in a b; do
        in_maria -e "DROP DATABASE IF EXISTS ${tag}_$side; CREATE DATABASE ${tag}_$side"
        "$oracle" script mysql $side "$2" | in_maria "${tag}_$side"
      done
      flags+=(--a "${maria%/*}/${tag}_a" --b "${maria%/*}/${tag}_b") ;;
  esac
}

shares=0 found=0 died=0 ran=0
for engine in "$@"; do shares=$((shares + ${share[$engine]})); done
for engine in "$@"; do
  left=$((total * ${share[$engine]} / shares)) at=$seed
  prepare "$engine" || { say "$engine is not there"; continue; }
  ran=1
  while [ $left -gt 0 ]; do
    chunk=$((left < CHUNK_MAX ? left : CHUNK_MAX))
    line="$engine $chunk $at"
    if [ -z "$state" ] || ! grep -qxF "$line" "$state/done" 2>/dev/null; then
      copies "$engine" $((at % 4 == 0 ? 0 : at))
      nice -n 19 "$oracle" "$engine" $chunk $at "${flags[@]}" ${WARD_ORACLE_FLAGS:-} >"${TMPDIR:-/tmp}/$tag.out" && code=0 || code=$?
      cat "${TMPDIR:-/tmp}/$tag.out"
      [ -z "$state" ] || cat "${TMPDIR:-/tmp}/$tag.out" >>"$state/log"
      rm -f "${TMPDIR:-/tmp}/$tag.out"
      case $code in
        0) [ -z "$state" ] || echo "$line" >>"$state/done" ;;
        1) found=1 ;;
        3) died=3 ;;
        *) exit 1 ;;
      esac
    fi
    left=$((left - chunk)) at=$((at + 1))
  done
done
[ $ran = 1 ] || exit 77
[ $found = 0 ] || exit 1
exit $died
