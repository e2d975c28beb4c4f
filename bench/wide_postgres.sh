#!/usr/bin/env bash
# Makes N tables in ten schemas, about 16 columns a table, a comment on each third, up to three foreign keys; the same N, the same tables.
# usage: bench/wide_postgres.sh URI N
set -euo pipefail
uri=$1
tables=$2
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
