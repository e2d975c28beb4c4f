#!/usr/bin/env bash
# Reads a catalog of N tables with psql and with us, in turn, and prints the least time of each and their ratio.
# usage: bench/postgres_introspect.sh [BUILD_DIR] [N] [TIMES]     default: build/release 2000 5
# Numbers count only from a quiet machine. Starts a PostgreSQL 15 of its own; about 16 columns a table, a comment on each third,
# up to three foreign keys.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
build=${1:-$ROOT/build/release}
tables=${2:-2000}
times=${3:-5}
bench=$build/bin/connect_postgres_bench
[ -x "$bench" ] || fail "$bench is not built: ninja -C $build connect_postgres_bench"

home=$(mktemp -d /tmp/ward-bench.XXXXXX)
chmod 755 "$home"
trap '"$ROOT/scripts/postgres.sh" stop "$home/server"; rm -rf "$home"' EXIT
uri=$("$ROOT/scripts/postgres.sh" start 15 "$home/server")

"$ROOT/bench/wide_postgres.sh" "$uri" "$tables"
"$bench" --queries 150000 >"$home/queries.sql"
chmod 644 "$home/queries.sql"

least() { sort -n | head -n 1; }
for _ in $(seq "$times"); do
  begin=$(date +%s%N)
  psql -Xq -o /dev/null -f "$home/queries.sql" "$uri"
  echo $((($(date +%s%N) - begin) / 1000)) >>"$home/psql"
  "$bench" "$uri" 1 >>"$home/ours"
done
psql_us=$(least <"$home/psql")
sed 's/.*"introspect_ms":\([0-9.]*\).*"fingerprint_ms":\([0-9.]*\).*/\1 \2/' "$home/ours" >"$home/columns"
ours_ms=$(cut -d' ' -f1 "$home/columns" | least)
fingerprint_ms=$(cut -d' ' -f2 "$home/columns" | least)
columns=$(psql -XAqt -c "SELECT count(*) FROM information_schema.columns WHERE table_schema LIKE 's_'" "$uri")
awk -v p="$psql_us" -v o="$ours_ms" -v f="$fingerprint_ms" -v t="$tables" -v c="$columns" 'BEGIN {
  printf "tables %d, columns %d: psql %.0f ms, introspect %.0f ms (%.2f times), fingerprint %.0f ms\n", t, c, p / 1000, o, o * 1000 / p, f }'
