#!/usr/bin/env bash
# Runs a command with every database that the tests know: PostgreSQL 12, 15 and 17, a PgBouncer in front of 15, MariaDB, and
# DuckDB's library.
# usage: scripts/with_databases.sh COMMAND ARG...
# The command finds them by SCHEMAWARD_TEST_PG12, _PG15, _PG17 (URIs of a superuser), SCHEMAWARD_TEST_PGBOUNCER, and their
# certificates by SCHEMAWARD_TEST_PG12_CA and so on; SCHEMAWARD_TEST_MARIADB and its _CA and _SOCKET likewise;
# SCHEMAWARD_DUCKDB. Servers end with the command, however it ends.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || fail "usage: with_databases.sh COMMAND ARG..."

home=$(mktemp -d /tmp/ward-db.XXXXXX)
chmod 755 "$home"
end() {
  "$ROOT/scripts/pgbouncer.sh" stop "$home/bouncer"
  for version in 12 15 17; do "$ROOT/scripts/postgres.sh" stop "$home/pg$version"; done
  "$ROOT/scripts/mariadb.sh" stop "$home/mariadb"
  rm -rf "$home"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

"$ROOT/scripts/mariadb.sh" start "$home/mariadb" >"$home/urimariadb" &
starting_mariadb=$!
declare -A starting
for version in 12 15 17; do
  "$ROOT/scripts/postgres.sh" start $version "$home/pg$version" >"$home/uri$version" &
  starting[$version]=$!
done
for version in 12 15 17; do
  wait "${starting[$version]}" || fail "the tests need PostgreSQL $version, which could not be started"
  export "SCHEMAWARD_TEST_PG$version=$(cat "$home/uri$version")"
  export "SCHEMAWARD_TEST_PG${version}_CA=$home/pg$version/server.crt"
done
port=${SCHEMAWARD_TEST_PG15##*:}
SCHEMAWARD_TEST_PGBOUNCER=$("$ROOT/scripts/pgbouncer.sh" start "${port%%/*}" "$home/bouncer") ||
  fail "the tests need PgBouncer, which could not be started"
export SCHEMAWARD_TEST_PGBOUNCER
wait "$starting_mariadb" || fail "the tests need MariaDB, which could not be started"
SCHEMAWARD_TEST_MARIADB=$(cat "$home/urimariadb")
export SCHEMAWARD_TEST_MARIADB SCHEMAWARD_TEST_MARIADB_CA="$home/mariadb/server.crt" SCHEMAWARD_TEST_MARIADB_SOCKET="$home/mariadb/socket"
SCHEMAWARD_DUCKDB=$("$ROOT/scripts/duckdb.sh") || fail "the tests need DuckDB's library, which could not be installed"
export SCHEMAWARD_DUCKDB
say "PostgreSQL 12, 15, 17, PgBouncer and MariaDB are up"
"$@"
