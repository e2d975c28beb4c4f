#include "catalog/catalog.h"

#include <algorithm>

#include "base/cut.h"

namespace schemaward::catalog {
namespace {

bool IsPlainStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsPlain(char c) { return IsPlainStart(c) || (c >= '0' && c <= '9') || c == '$'; }

}  // namespace

void Statistic::Bind(json::Fields& f) {
  f("null_fraction", null_fraction,
    "share of rows where the column is null, 0 to 1, as the engine estimates",
    {.omit_empty = true});
  f("distinct_estimate", distinct_estimate, "number of different values, as the engine estimates",
    {.omit_empty = true});
}

void Remote::Bind(json::Fields& f) {
  f("table", table, "table at the foreign server");
  f("column", column, "column of it");
}

void Column::Bind(json::Fields& f) {
  f("name", name, "column name");
  f("data_type", type, "type as the engine prints it");
  f("nullable", nullable, "may hold null");
  f("default", default_value, "default expression", {.omit_empty = true});
  f("identity", identity, "always or by default, for identity columns", {.omit_empty = true});
  f("generated", generated, "expression of a generated column", {.omit_empty = true});
  f("labels", labels, "allowed values of an enum type or a CHECK IN list", {.omit_empty = true});
  f("domain", domain, "domain the column is declared with", {.omit_empty = true});
  f("is_array", is_array, "holds an array", {.omit_empty = true});
  f("comment", comment, "comment in the database", {.omit_empty = true});
  f("statistic", statistic, "what the engine knows of its values", {.omit_empty = true});
  f("tags", tags, "words that the source attaches to it", {.omit_empty = true});
  f("verdicts", verdicts, "what a check of its values found", {.omit_empty = true});
  f("remotes", remotes, "where it stands at foreign servers", {.omit_empty = true});
  f("kin_comments", kin_comments, "tagged comments of partitions, parents and children",
    {.omit_empty = true});
}

void Key::Bind(json::Fields& f) {
  f("name", name, "constraint or index name");
  f("columns", columns, "key columns in order");
}

void ForeignKey::Bind(json::Fields& f) {
  f("name", name, "constraint name");
  f("columns", columns, "referring columns in order");
  f("target_schema", target_schema, "schema referred to");
  f("target_table", target_table, "table referred to");
  f("target_columns", target_columns, "columns referred to, paired by position");
  f("on_update", on_update, "action when the target key changes", {.omit_empty = true});
  f("on_delete", on_delete, "action when the target row is deleted", {.omit_empty = true});
}

void Index::Bind(json::Fields& f) {
  f("name", name, "index name");
  f("columns", columns, "columns or expressions in order");
  f("unique", unique, "forbids duplicates", {.omit_empty = true});
  f("method", method, "access method", {.omit_empty = true});
  f("predicate", predicate, "condition of a partial index", {.omit_empty = true});
}

void Check::Bind(json::Fields& f) {
  f("name", name, "constraint name");
  f("expression", expression, "condition that every row meets");
}

// Stores keep records in this order: a new member stands at the end.
void Table::Bind(json::Fields& f) {
  f("schema", schema, "schema name");
  f("name", name, "table name");
  f("kind", kind, "table, view, materialized_view, partitioned_table or foreign_table");
  f("comment", comment, "comment in the database", {.omit_empty = true});
  f("columns", columns, "in the table's order");
  f("primary_key", primary_key, "primary key", {.omit_empty = true});
  f("unique_keys", unique_keys, "unique constraints and indexes", {.omit_empty = true});
  f("foreign_keys", foreign_keys, "foreign keys", {.omit_empty = true});
  f("indexes", indexes, "indexes", {.omit_empty = true});
  f("checks", checks, "check constraints", {.omit_empty = true});
  f("row_estimate", row_estimate, "rows, as the engine estimates", {.omit_empty = true});
  f("partition_count", partition_count, "partitions folded into this table");
  f("definition", definition, "of a view: its select", {.omit_empty = true});
  f("parents", parents, "tables that it inherits from", {.omit_empty = true});
  f("children", children, "tables that inherit from it", {.omit_empty = true});
  f("partition_key", partition_key, "what rows are parted by, in the engine's words",
    {.omit_empty = true});
}

void Missing::Bind(json::Fields& f) {
  f("object", object, "what could not be read");
  f("reason", reason, "why");
}

void Database::Bind(json::Fields& f) {
  f("name", name, "database name");
  f("engine", engine, "engine");
  f("engine_version", engine_version, "engine version");
  f("tables", tables, "tables sorted by schema and name");
  f("missing", missing, "what could not be read", {.omit_empty = true});
  f("fingerprint", fingerprint, "changes when the catalog does");
}

std::size_t FindColumn(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& c) { return c.name == name; });
  return found == table.columns.end() ? std::string_view::npos
                                      : static_cast<std::size_t>(found - table.columns.begin());
}

bool AddRemote(Column& column, const Remote& remote) {
  const auto at = std::lower_bound(column.remotes.begin(), column.remotes.end(), remote);
  if (at != column.remotes.end() && *at == remote) return true;
  if (column.remotes.size() >= kRemotesMax) return false;
  column.remotes.insert(at, remote);
  return true;
}

bool AddKinComment(Column& column, std::string_view comment) {
  std::string kept(HeadOf(comment, kKinCommentBytesMax));
  auto& all = column.kin_comments;
  const auto at = std::lower_bound(all.begin(), all.end(), kept);
  if (at != all.end() && *at == kept) return true;
  if (all.size() >= kKinCommentsMax) return false;
  all.insert(at, std::move(kept));
  return true;
}

Missing KinCommentsCut(std::string_view schema, std::string_view table) {
  return {QualifiedName(schema, table),
          "a column has more than " + std::to_string(kKinCommentsMax) +
              " tagged comments in partitions and children; the others are not looked at"};
}

Missing RemotesCut(std::string_view schema, std::string_view table) {
  return {QualifiedName(schema, table),
          "a column has more than " + std::to_string(kRemotesMax) +
              " names at foreign servers; the others are not looked at"};
}

std::string QuoteName(std::string_view name) {
  if (!name.empty() && IsPlainStart(name.front()) && std::all_of(name.begin(), name.end(), IsPlain))
    return std::string(name);
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string QualifiedName(std::string_view schema, std::string_view table) {
  return QuoteName(schema) + '.' + QuoteName(table);
}

std::string QualifiedName(const Table& table) { return QualifiedName(table.schema, table.name); }

std::vector<std::string> SplitName(std::string_view name) {
  std::vector<std::string> parts;
  std::size_t i = 0;
  while (true) {
    std::string part;
    if (i < name.size() && name[i] == '"') {
      for (++i;; ++i) {
        if (i >= name.size()) return {};
        if (name[i] != '"') {
          part += name[i];
        } else if (i + 1 < name.size() && name[i + 1] == '"') {
          part += name[i++];
        } else {
          break;
        }
      }
      ++i;
    } else {
      while (i < name.size() && name[i] != '.' && name[i] != '"') part += name[i++];
    }
    if (part.empty()) return {};
    parts.push_back(std::move(part));
    if (i == name.size()) return parts;
    if (name[i++] != '.') return {};
  }
}

}  // namespace schemaward::catalog
