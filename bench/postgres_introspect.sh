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

psql -Xq "$uri" <<SQL
DO \$\$
DECLARE columns text;
BEGIN
  PERFORM setseed(0.5);
  FOR s IN 0..9 LOOP EXECUTE format('CREATE SCHEMA s%s', s); END LOOP;
  FOR t IN 1..$tables LOOP
    SELECT string_agg(format('c%s_%s %s', c, (ARRAY['code', 'name', 'amount', 'status', 'at'])[1 + c % 5],
                             (ARRAY['integer', 'varchar(64)', 'numeric(18,4)', 'timestamptz', 'text'])[1 + c % 5]), ', ')
      INTO columns FROM generate_series(1, 5 + (random() * 20)::int) AS c;
    FOR k IN 1..(CASE WHEN t > 10 THEN (random() * 3)::int ELSE 0 END) LOOP
      columns := columns || format(', fk%s_id bigint REFERENCES s%s.t%s (id)', k, (t - k) % 10, t - k);
    END LOOP;
    EXECUTE format('CREATE TABLE s%s.t%s (id bigint PRIMARY KEY, %s)', t % 10, t, columns);
    IF t % 3 = 0 THEN EXECUTE format('COMMENT ON TABLE s%s.t%s IS %L', t % 10, t, 'Holds records of kind ' || t); END IF;
    IF t % 50 = 0 THEN COMMIT; END IF;
  END LOOP;
END \$\$;
ANALYZE;
SQL
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
