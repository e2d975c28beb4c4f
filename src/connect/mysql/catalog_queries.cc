#include "connect/mysql/catalog_queries.h"

#include <string_view>

#include <fmt/format.h>

namespace schemaward::connect::mysql {
namespace {

// SingleStore has two of its own, TiDB one.
constexpr std::string_view kSystemSchemas =
    "'information_schema', 'mysql', 'performance_schema', 'sys', 'memsql', 'cluster', "
    "'metrics_schema'";

constexpr std::string_view kTables = R"(
SELECT t.table_schema, t.table_name, t.table_type, t.table_rows, t.table_comment
  FROM information_schema.tables t
 WHERE t.table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
   AND t.table_schema {scope}
 ORDER BY t.table_schema, t.table_name)";

constexpr std::string_view kColumns = R"(
SELECT c.table_schema, c.table_name, c.column_name, c.column_type, c.is_nullable, c.column_default,
       c.extra, c.column_comment, {generated}, c.privileges
  FROM information_schema.columns c
 WHERE c.table_schema {scope}
 ORDER BY c.table_schema, c.table_name, c.ordinal_position)";

constexpr std::string_view kIndexes = R"(
SELECT s.table_schema, s.table_name, s.index_name, s.non_unique, s.column_name, s.sub_part,
       s.index_type, {expression}
  FROM information_schema.statistics s
 WHERE s.table_schema {scope}
 ORDER BY s.table_schema, s.table_name, s.index_name, s.seq_in_index)";

constexpr std::string_view kKeys = R"(
SELECT k.table_schema, k.table_name, k.constraint_name, k.column_name,
       k.referenced_table_schema, k.referenced_table_name, k.referenced_column_name
  FROM information_schema.key_column_usage k
 WHERE k.referenced_table_name IS NOT NULL AND k.table_schema {scope}
 ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position)";

constexpr std::string_view kActions = R"(
SELECT r.constraint_schema, r.table_name, r.constraint_name, r.update_rule, r.delete_rule
  FROM information_schema.referential_constraints r
 WHERE r.constraint_schema {scope})";

constexpr std::string_view kMariaDbChecks = R"(
SELECT h.constraint_schema, h.table_name, h.constraint_name, h.check_clause
  FROM information_schema.check_constraints h
 WHERE h.constraint_schema {scope})";

constexpr std::string_view kMySqlChecks = R"(
SELECT h.constraint_schema, t.table_name, h.constraint_name, h.check_clause
  FROM information_schema.check_constraints h
  JOIN information_schema.table_constraints t
    ON t.constraint_schema = h.constraint_schema AND t.constraint_name = h.constraint_name
 WHERE t.constraint_type = 'CHECK' AND h.constraint_schema {scope})";

constexpr std::string_view kViews = R"(
SELECT v.table_schema, v.table_name, v.view_definition
  FROM information_schema.views v
 WHERE v.table_schema {scope})";

constexpr std::string_view kPartitions = R"(
SELECT p.table_schema, p.table_name, count(*),
       CASE WHEN min(coalesce(p.partition_expression, '')) <> '' THEN
         max(concat(p.partition_method, ' (', p.partition_expression, ')', coalesce(concat('; ', p.subpartition_method, ' (', p.subpartition_expression, ')'), ''))) END
  FROM information_schema.partitions p
 WHERE p.partition_name IS NOT NULL AND p.table_schema {scope}
 GROUP BY p.table_schema, p.table_name)";

// Sums of hashes, exact in whatever order the rows come. No cardinalities and no row counts: they
// change with rows. A primary key's own index and what a foreign key refers to stand in the last
// two.
constexpr std::string_view kFingerprint = R"(
SELECT concat_ws('-', @@version, current_user(),
  (SELECT concat_ws('.', count(*), sum(CAST(conv(left(md5(concat_ws('|', t.table_schema, t.table_name, t.table_type,
            CASE WHEN t.table_type <> 'VIEW' THEN t.table_comment END)), 12), 16, 10) AS unsigned)))
     FROM information_schema.tables t WHERE t.table_schema {scope}),
  (SELECT concat_ws('.', count(*), sum(CAST(conv(left(md5(concat_ws('|', c.table_schema, c.table_name, c.column_name,
            c.ordinal_position, c.column_type, c.is_nullable, coalesce(c.column_default, '-'), c.extra, c.column_comment,
            coalesce({generated}, '-'), c.privileges)), 12), 16, 10) AS unsigned)))
     FROM information_schema.columns c WHERE c.table_schema {scope}),
  (SELECT concat_ws('.', count(*), sum(CAST(conv(left(md5(concat_ws('|', s.table_schema, s.table_name, s.index_name,
            s.non_unique, s.seq_in_index, coalesce(s.column_name, '-'), coalesce(s.sub_part, '-'))), 12), 16, 10) AS unsigned)))
     FROM information_schema.statistics s WHERE s.table_schema {scope}),
  (SELECT concat_ws('.', count(*), sum(CAST(conv(left(md5(concat_ws('|', k.table_schema, k.table_name, k.constraint_name,
            k.ordinal_position, k.column_name, coalesce(k.referenced_table_schema, '-'), coalesce(k.referenced_table_name, '-'),
            coalesce(k.referenced_column_name, '-'))), 12), 16, 10) AS unsigned)))
     FROM information_schema.key_column_usage k WHERE k.table_schema {scope}),
  (SELECT concat_ws('.', count(*), sum(CAST(conv(left(md5(concat_ws('|', v.table_schema, v.table_name,
            v.view_definition)), 12), 16, 10) AS unsigned)))
     FROM information_schema.views v WHERE v.table_schema {scope})))";

/// What {scope} stands for, and its parameters. A placeholder each: no text is glued into SQL.
struct Where {
  std::string text;
  std::vector<sql::Literal> parameters;
};

Where WhereOf(const ServerInfo& server, const Scope& scope) {
  std::vector<std::string> schemas = scope.schemas;
  if (schemas.empty() && !server.database.empty()) schemas.push_back(server.database);
  if (schemas.empty()) return {fmt::format("NOT IN ({})", kSystemSchemas), {}};
  Where where{"IN (", {}};
  for (const std::string& schema : schemas) {
    where.text += where.parameters.empty() ? "?" : ", ?";
    where.parameters.push_back({schema});
  }
  where.text += ')';
  return where;
}

constexpr bool HasExpressionIndexes(const ServerInfo& server) {
  return server.flavour == Flavour::MySql || server.flavour == Flavour::TiDb;
}

Statement Fill(std::string_view text, const ServerInfo& server, const Where& where) {
  constexpr std::string_view kScope = "{scope}";
  Statement statement;
  statement.sql = fmt::format(
      fmt::runtime(text), fmt::arg("scope", where.text),
      fmt::arg("generated",
               server.flavour == Flavour::SingleStore ? "NULL" : "c.generation_expression"),
      fmt::arg("expression", HasExpressionIndexes(server) ? "s.expression" : "NULL"));
  for (std::size_t at = text.find(kScope); at != std::string_view::npos;
       at = text.find(kScope, at + 1))
    statement.parameters.insert(statement.parameters.end(), where.parameters.begin(),
                                where.parameters.end());
  return statement;
}

}  // namespace

CatalogQueries QueriesFor(const ServerInfo& server, const Scope& scope) {
  const Where where = WhereOf(server, scope);
  CatalogQueries queries;
  queries.tables = Fill(kTables, server, where);
  queries.columns = Fill(kColumns, server, where);
  queries.indexes = Fill(kIndexes, server, where);
  queries.keys = Fill(kKeys, server, where);
  queries.actions = Fill(kActions, server, where);
  if (server.flavour == Flavour::MariaDb) queries.checks = Fill(kMariaDbChecks, server, where);
  if (server.flavour == Flavour::MySql) queries.checks = Fill(kMySqlChecks, server, where);
  queries.views = Fill(kViews, server, where);
  queries.partitions = Fill(kPartitions, server, where);
  queries.fingerprint = Fill(kFingerprint, server, where);
  return queries;
}

}  // namespace schemaward::connect::mysql
