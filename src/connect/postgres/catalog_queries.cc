#include "connect/postgres/catalog_queries.h"

#include <fmt/format.h>

namespace schemaward::connect::postgres {
namespace {

// A schema of the user's, in the wanted scope.
constexpr std::string_view kUserSchema =
    R"(n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
     AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[])))";

// As catalog::QualifiedName takes it apart.
constexpr std::string_view kQualifiedName =
    R"('"' || replace(m.nspname, '"', '""') || '"."' || replace(k.relname, '"', '""') || '"')";

// Plan expected: hash joins over pg_class; the NOT EXISTS, the partition's parent and what inherits
// by index.
constexpr std::string_view kRelations = R"(
SELECT c.oid, n.nspname, c.relname, c.relkind,
       {rows} AS rows,
       i.inhparent, d.description,
       has_schema_privilege(n.oid, 'USAGE'),
       has_table_privilege(c.oid, 'SELECT'),
       has_any_column_privilege(c.oid, 'SELECT'),
       CASE WHEN c.relkind IN ('v', 'm') AND has_schema_privilege(n.oid, 'USAGE') THEN pg_get_viewdef(c.oid) END,
       CASE WHEN c.relkind IN ('r', 'f') AND NOT c.relispartition THEN
         ARRAY(WITH RECURSIVE above (oid) AS (
                 SELECT h.inhparent FROM pg_inherits h WHERE h.inhrelid = c.oid
                  UNION
                 SELECT h.inhparent FROM above JOIN pg_inherits h ON h.inhrelid = above.oid)
               SELECT {name} FROM above JOIN pg_class k USING (oid) JOIN pg_namespace m ON m.oid = k.relnamespace) END,
       CASE WHEN c.relkind IN ('r', 'f') AND c.relhassubclass THEN
         ARRAY(WITH RECURSIVE below (oid) AS (
                 SELECT h.inhrelid FROM pg_inherits h WHERE h.inhparent = c.oid
                  UNION
                 SELECT h.inhrelid FROM below JOIN pg_inherits h ON h.inhparent = below.oid)
               SELECT {name} FROM below JOIN pg_class k USING (oid) JOIN pg_namespace m ON m.oid = k.relnamespace) END,
       CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END
  FROM pg_namespace n
  JOIN pg_class c ON c.relnamespace = n.oid
  LEFT JOIN pg_inherits i ON c.relispartition AND i.inhrelid = c.oid
  LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid = 0
 WHERE {schema}
   AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
   AND NOT EXISTS (SELECT FROM pg_depend x
                    WHERE x.classid = 'pg_class'::regclass AND x.objid = c.oid AND x.deptype = 'e'))";

// Of foreign tables in every scope: one that is a partition or a child is read through its parents,
// which above names; kin adds those below. Of columns with a tag in their comment likewise. Plan
// expected: the recursions, by index, for these alone.
constexpr std::string_view kColumns = R"(
SELECT a.attrelid, a.attnum, a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod),
       a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(v.adbin, v.adrelid), d.description,
       a.attacl IS NOT NULL AND has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
       c.relname,
       CASE WHEN c.relkind = 'f' THEN
         (SELECT min(o.option_value) FROM pg_options_to_table(f.ftoptions) AS o
           WHERE o.option_name IN ('table_name', 'table', 'collection', 'object')) END,
       CASE WHEN c.relkind = 'f' THEN
         (SELECT min(o.option_value) FROM pg_options_to_table(a.attfdwoptions) AS o
           WHERE o.option_name = 'column_name') END,
       CASE WHEN c.relkind = 'f' THEN
         ARRAY(WITH RECURSIVE above (oid) AS (
                 SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = c.oid
                  UNION
                 SELECT i.inhparent FROM above JOIN pg_inherits i ON i.inhrelid = above.oid)
               SELECT above.oid FROM above) END,
       CASE WHEN d.description ~* 'pii' AND c.relkind IN ('r', 'f', 'p') THEN
         ARRAY(WITH RECURSIVE above (oid) AS (
                 SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = c.oid
                  UNION
                 SELECT i.inhparent FROM above JOIN pg_inherits i ON i.inhrelid = above.oid),
               below (oid) AS (
                 SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = c.oid AND c.relkind <> 'p'
                  UNION
                 SELECT i.inhrelid FROM below JOIN pg_inherits i ON i.inhparent = below.oid)
               SELECT above.oid FROM above UNION SELECT below.oid FROM below) END
  FROM pg_namespace n
  JOIN pg_class c ON c.relnamespace = n.oid
  JOIN pg_attribute a ON a.attrelid = c.oid
  LEFT JOIN pg_foreign_table f ON f.ftrelid = c.oid
  LEFT JOIN pg_attrdef v ON a.atthasdef AND v.adrelid = a.attrelid AND v.adnum = a.attnum
  LEFT JOIN pg_description d
    ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum
 WHERE ({schema} AND NOT c.relispartition OR c.relkind = 'f' OR d.description ~* 'pii')
   AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
   AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum)";

// Of every schema: a column may use a type of any. Plain arrays are left out, and row types that
// no column has; but for those whose casts run routines of the database, and those made of these. A
// routine in C is an extension's: it formats. Plan expected: nothing of the recursion where no such
// cast is.
constexpr std::string_view kTypes = R"(
WITH RECURSIVE routine (oid) AS (
  SELECT p.oid FROM pg_proc p JOIN pg_language g ON g.oid = p.prolang
   WHERE p.pronamespace <> 'pg_catalog'::regnamespace AND g.lanname NOT IN ('c', 'internal')),
converted (oid) AS (
  SELECT t.oid FROM pg_cast c JOIN routine r ON r.oid = c.castfunc
    JOIN pg_type t ON t.oid IN (c.castsource, c.casttarget) AND t.typnamespace <> 'pg_catalog'::regnamespace
   UNION
  SELECT m.oid FROM converted v CROSS JOIN LATERAL (
    SELECT t.oid FROM pg_type t WHERE t.typelem = v.oid OR t.typbasetype = v.oid
     UNION ALL
    SELECT k.reltype FROM pg_attribute a JOIN pg_class k ON k.oid = a.attrelid
     WHERE a.atttypid = v.oid AND k.reltype <> 0) AS m),
checked (oid) AS (
  SELECT o.contypid FROM pg_constraint o
    JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = o.oid
    LEFT JOIN pg_operator p ON d.refclassid = 'pg_operator'::regclass AND p.oid = d.refobjid
    JOIN routine r ON r.oid = CASE WHEN d.refclassid = 'pg_proc'::regclass THEN d.refobjid ELSE p.oprcode END
   WHERE o.contypid <> 0),
used (oid) AS (
  SELECT a.atttypid FROM pg_attribute a WHERE a.attnum > 0 AND NOT a.attisdropped GROUP BY a.atttypid),
made (oid) AS (
  SELECT u.oid FROM used u UNION SELECT x.typelem FROM used u JOIN pg_type x ON x.oid = u.oid AND x.typlen = -1
   UNION SELECT x.typbasetype FROM pg_type x WHERE x.typtype = 'd')
SELECT t.oid, t.typtype, format_type(t.oid, NULL), CASE WHEN t.typlen = -1 THEN t.typelem ELSE 0 END, t.typbasetype,
       CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END, t.typnotnull, l.enumlabel,
       t.oid IN (SELECT oid FROM converted), t.oid IN (SELECT oid FROM checked),
       CASE WHEN t.typtype = 'c' THEN
         ARRAY(SELECT a.attname::text FROM pg_attribute a
                WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) END,
       CASE WHEN t.typtype = 'c' THEN
         ARRAY(SELECT a.atttypid FROM pg_attribute a
                WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) END
  FROM pg_type t
  LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typlen = -1
  LEFT JOIN pg_enum l ON l.enumtypid = t.oid
 WHERE t.typtype IN ('d', 'e') OR e.typtype IN ('d', 'e') OR t.oid IN (SELECT oid FROM converted)
    OR (t.typtype = 'c' OR e.typtype = 'c') AND t.oid IN (SELECT oid FROM made)
 ORDER BY t.oid, l.enumsortorder)";

// conparentid: not the copies that a foreign key to a partitioned table makes for each partition.
constexpr std::string_view kConstraints = R"(
SELECT o.conrelid, o.contypid, o.conname, o.contype, o.conkey, tn.nspname, t.relname,
       CASE WHEN o.contype = 'f' THEN
         ARRAY(SELECT a.attname FROM unnest(o.confkey) WITH ORDINALITY AS k (number, position)
                 JOIN pg_attribute a ON a.attrelid = o.confrelid AND a.attnum = k.number
                ORDER BY k.position) END,
       o.confupdtype, o.confdeltype, pg_get_expr(o.conbin, o.conrelid, true)
  FROM pg_constraint o
  JOIN pg_namespace n ON n.oid = o.connamespace
  LEFT JOIN pg_class c ON c.oid = o.conrelid
  LEFT JOIN pg_class t ON t.oid = o.confrelid
  LEFT JOIN pg_namespace tn ON tn.oid = t.relnamespace
 WHERE ({schema} OR o.contypid <> 0)
   AND o.contype IN ('p', 'u', 'f', 'c') AND o.conparentid = 0
   AND c.relispartition IS NOT TRUE
 ORDER BY o.conrelid, o.conname)";

// indkey counts from 0; 0 in it is an expression; columns behind indnkeyatts are only carried
// along. Those of constraints and of partitions alone are read for the order of rows that they
// give: all their columns by name, which a partition may number otherwise, those of expressions
// too.
constexpr std::string_view kIndexes = R"(
SELECT CASE WHEN c.relispartition THEN pg_partition_root(c.oid)::oid ELSE c.oid END, i.relname,
       x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL, m.amname,
       (x.indkey::int2[])[0:x.indnkeyatts - 1],
       CASE WHEN x.indexprs IS NOT NULL THEN
         ARRAY(SELECT pg_get_indexdef(x.indexrelid, k, true) FROM generate_series(1, x.indnkeyatts) AS k) END,
       pg_get_expr(x.indpred, x.indrelid, true), x.indisunique,
       NOT c.relispartition AND NOT EXISTS (
         SELECT FROM pg_constraint o
          WHERE o.conrelid = x.indrelid AND o.conindid = x.indexrelid AND o.contype IN ('p', 'u')),
       c.relispartition OR x.indnatts > x.indnkeyatts, x.indisclustered,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
              WHERE a.attrelid = x.indrelid AND a.attnum > 0
                AND (a.attnum = ANY (x.indkey::int2[]) OR x.indexprs IS NOT NULL AND EXISTS (
                  SELECT FROM pg_depend d
                   WHERE d.classid = 'pg_class'::regclass AND d.objid = x.indexrelid
                     AND d.refclassid = 'pg_class'::regclass AND d.refobjid = x.indrelid
                     AND d.refobjsubid = a.attnum))
              ORDER BY a.attnum)
  FROM pg_namespace n
  JOIN pg_class c ON c.relnamespace = n.oid
  JOIN pg_index x ON x.indrelid = c.oid
  JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_am m ON m.oid = i.relam
 WHERE ({schema} OR c.relispartition)
   AND c.relkind IN ('r', 'm', 'p') AND (NOT c.relispartition OR NOT i.relispartition OR x.indisclustered)
 ORDER BY x.indrelid, i.relname)";

// No values: most_common_vals and histogram_bounds hold rows' data.
constexpr std::string_view kStatistics = R"(
SELECT n.schemaname, n.tablename, n.attname, n.inherited, n.null_frac, n.n_distinct
  FROM pg_stats n
 WHERE n.schemaname NOT LIKE 'pg\_%' AND n.schemaname <> 'information_schema'
   AND ($1::text[] IS NULL OR n.schemaname = ANY ($1::text[])))";

// Counts and sums of row versions: each change of a catalog row makes a new version. pg_class is
// told by what matters of it, since TRUNCATE, VACUUM FULL and REFRESH write new versions too;
// ANALYZE writes in place. 'orders': an index made before all indexes of a table were read is made
// anew.
constexpr std::string_view kFingerprint = R"(
WITH relation AS MATERIALIZED (
  SELECT c.oid, c.relkind, c.relispartition,
         hashtext(concat_ws(' ', c.oid, n.nspname, c.relname, c.relkind, c.relispartition, c.relowner, c.relacl, n.nspacl)) AS hash
    FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid
   WHERE n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
     AND c.relkind IN ('r', 'v', 'm', 'p', 'f', 'i', 'I', 'c'))
SELECT concat_ws('-', 'orders', current_setting('server_version_num'), current_database(), current_user,
  (SELECT concat_ws('.', count(*), sum(hash::bigint)) FROM relation),
  (SELECT concat_ws('.', count(*), sum(a.xmin::text::bigint))
     FROM pg_attribute a JOIN relation r ON r.oid = a.attrelid
    WHERE a.attnum > 0 AND NOT r.relispartition AND r.relkind NOT IN ('i', 'I')),
  (SELECT concat_ws('.', count(*), sum(f.xmin::text::bigint)) FROM pg_foreign_table f),
  (SELECT concat_ws('.', count(*), sum(a.xmin::text::bigint))
     FROM pg_attribute a JOIN pg_foreign_table f ON f.ftrelid = a.attrelid),
  (SELECT concat_ws('.', count(*), sum(i.xmin::text::bigint))
     FROM pg_inherits i JOIN pg_foreign_table f ON f.ftrelid = i.inhrelid),
  (SELECT concat_ws('.', count(*), sum(o.xmin::text::bigint))
     FROM pg_constraint o WHERE o.contypid <> 0 OR o.conrelid IN (SELECT r.oid FROM relation r)),
  (SELECT concat_ws('.', count(*), sum(d.xmin::text::bigint))
     FROM pg_description d
    WHERE d.classoid = 'pg_class'::regclass AND d.objoid IN (SELECT r.oid FROM relation r)),
  (SELECT concat_ws('.', count(*), sum(e.xmin::text::bigint)) FROM pg_enum e),
  (SELECT concat_ws('.', count(*), sum(c.xmin::text::bigint)) FROM pg_cast c),
  (SELECT concat_ws('.', count(*), sum(x.indexrelid::bigint)) FROM pg_index x WHERE x.indisclustered),
  (SELECT concat_ws('.', count(*), sum(t.xmin::text::bigint)) FROM pg_type t WHERE t.typtype IN ('d', 'e'))))";

constexpr std::string_view kSettings = R"(
SELECT current_database(), current_setting('server_version'),
       set_config('search_path', 'pg_catalog, pg_temp', true),
       set_config('statement_timeout', $1, true),
       set_config('lock_timeout', '5000', true),
       set_config('idle_in_transaction_session_timeout', '60000', true),
       set_config('default_transaction_read_only', 'on', true),
       set_config('standard_conforming_strings', 'on', true),
       set_config('quote_all_identifiers', 'off', true),
       set_config('bytea_output', 'hex', true),
       set_config('datestyle', 'ISO, YMD', true),
       set_config('intervalstyle', 'iso_8601', true),
       set_config('timezone', 'UTC', true),
       set_config('extra_float_digits', '1', true),
       set_config('transform_null_equals', 'off', true),
       set_config('array_nulls', 'on', true),
       set_config('gin_fuzzy_search_limit', '0', true),
       set_config('row_security', 'on', true),
       CASE WHEN current_setting('server_version_num')::integer >= 170000 THEN set_config('transaction_timeout', '0', true) END,
       set_config('jit', 'off', true))";

// Before 14, a table that was never analysed has 0 rows in 0 pages; since 14 it has -1 rows.
constexpr int kNeverAnalysedIsMinusOne = 140000;
constexpr std::string_view kRowsSince14 = "CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END";
constexpr std::string_view kRowsBefore14 =
    "CASE WHEN c.reltuples > 0 OR c.relpages > 0 THEN c.reltuples::bigint END";

std::string Fill(std::string_view query, std::string_view rows) {
  return fmt::format(fmt::runtime(query), fmt::arg("schema", kUserSchema), fmt::arg("rows", rows),
                     fmt::arg("name", kQualifiedName));
}

}  // namespace

CatalogQueries QueriesFor(int server_version) {
  const std::string_view rows =
      server_version >= kNeverAnalysedIsMinusOne ? kRowsSince14 : kRowsBefore14;
  CatalogQueries queries;
  queries.relations = Fill(kRelations, rows);
  queries.columns = Fill(kColumns, rows);
  queries.types = kTypes;
  queries.constraints = Fill(kConstraints, rows);
  queries.indexes = Fill(kIndexes, rows);
  queries.statistics = kStatistics;
  queries.fingerprint = kFingerprint;
  return queries;
}

std::string_view ReadOnlySettings() { return kSettings; }

std::string ArrayLiteral(const std::vector<std::string>& items) {
  std::string literal = "{";
  for (const std::string& item : items) {
    if (literal.size() > 1) literal += ',';
    literal += '"';
    for (const char c : item) {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c;
    }
    literal += '"';
  }
  return literal + '}';
}

std::vector<std::string> ParseArray(std::string_view literal) {
  std::vector<std::string> items;
  // A lower bound other than 1 is printed in front: [0:2]={1,2,3}.
  const std::size_t open = literal.find('{');
  if (open == std::string_view::npos) return items;
  std::size_t i = open + 1;
  while (i < literal.size() && literal[i] != '}') {
    std::string item;
    const bool quoted = literal[i] == '"';
    if (quoted) ++i;
    for (; i < literal.size(); ++i) {
      if (quoted ? literal[i] == '"' : literal[i] == ',' || literal[i] == '}') break;
      if (literal[i] == '\\' && i + 1 < literal.size()) ++i;
      item += literal[i];
    }
    if (quoted) ++i;
    items.push_back(!quoted && item == "NULL" ? std::string() : std::move(item));
    if (i < literal.size() && literal[i] == ',') ++i;
  }
  return items;
}

}  // namespace schemaward::connect::postgres
