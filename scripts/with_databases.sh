#!/usr/bin/env bash
# Runs a command with every database that the tests know: PostgreSQL 12, 15 and 17 and a PgBouncer in front of 15.
# usage: scripts/with_databases.sh COMMAND ARG...
# The command finds them by SCHEMAWARD_TEST_PG12, _PG15, _PG17 (URIs of a superuser), SCHEMAWARD_TEST_PGBOUNCER, and their
# certificates by SCHEMAWARD_TEST_PG12_CA and so on. Servers end with the command, however it ends.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || fail "usage: with_databases.sh COMMAND ARG..."

home=$(mktemp -d /tmp/ward-db.XXXXXX)
chmod 755 "$home"
end() {
  "$ROOT/scripts/pgbouncer.sh" stop "$home/bouncer"
  for version in 12 15 17; do "$ROOT/scripts/postgres.sh" stop "$home/pg$version"; done
  rm -rf "$home"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

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
say "PostgreSQL 12, 15, 17 and PgBouncer are up"
"$@"
