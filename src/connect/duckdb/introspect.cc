#include "connect/duckdb/introspect.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "connect/duckdb/ddl_text.h"
#include "connect/duckdb/run.h"

namespace schemaward::connect::duckdb {
namespace {

using catalog::Table;
using catalog::TableKind;
using Row = std::vector<Cell>;

// Table functions of the engine; each walks its catalog once. The CREATE text is asked for only
// where a generated column may be in it: nothing else says which columns are.
constexpr std::string_view kTables = R"(
SELECT schema_name, table_name, comment, estimated_size,
       CASE WHEN contains(sql, ' GENERATED ALWAYS AS') THEN sql END
FROM duckdb_tables() WHERE database_name = getvariable('ward_database') AND NOT internal AND NOT temporary)";

// A view's text finds macros of the database before the engine's functions and operators: where one
// has such a name no text says what it reads.
constexpr std::string_view kViews = R"(
SELECT schema_name, view_name, comment,
       CASE WHEN NOT EXISTS (
         SELECT 1 FROM (SELECT system.main.lower(function_name) AS name FROM system.main.duckdb_functions() WHERE NOT internal) AS own
         WHERE name IN (SELECT system.main.lower(function_name) FROM system.main.duckdb_functions() WHERE internal)) THEN sql END
FROM duckdb_views() WHERE database_name = getvariable('ward_database') AND NOT internal AND NOT temporary)";

constexpr std::string_view kColumns = R"(
SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default, comment
FROM duckdb_columns() WHERE database_name = getvariable('ward_database') AND NOT internal
ORDER BY schema_name, table_name, column_index)";

// A row for each column of a constraint, in its order; one without a column where there is none.
constexpr std::string_view kConstraints = R"(
SELECT schema_name, table_name, constraint_index, constraint_type, constraint_name, expression, referenced_table,
       columns[place], targets[place]
FROM (SELECT *, constraint_column_names AS columns, referenced_column_names AS targets,
             unnest(range(1, greatest(len(constraint_column_names), 1) + 1)) AS place
      FROM duckdb_constraints()
      WHERE database_name = getvariable('ward_database') AND constraint_type <> 'NOT NULL')
ORDER BY schema_name, table_name, constraint_index, place)";

constexpr std::string_view kIndexes = R"(
SELECT schema_name, table_name, index_name, is_unique, sql
FROM duckdb_indexes() WHERE database_name = getvariable('ward_database') AND NOT is_primary AND sql IS NOT NULL
ORDER BY schema_name, table_name, index_name)";

constexpr std::string_view kFingerprint = R"(
SELECT coalesce(md5(string_agg(line, chr(10) ORDER BY line)), 'empty') FROM (
  SELECT concat_ws(chr(31), 'table', schema_name, table_name, coalesce(comment, ''), sql) AS line FROM duckdb_tables()
  WHERE database_name = getvariable('ward_database') AND NOT internal AND NOT temporary
  UNION ALL
  SELECT concat_ws(chr(31), 'view', schema_name, view_name, coalesce(comment, ''), sql) FROM duckdb_views()
  WHERE database_name = getvariable('ward_database') AND NOT internal AND NOT temporary
  UNION ALL
  SELECT concat_ws(chr(31), 'index', schema_name, index_name, sql) FROM duckdb_indexes()
  WHERE database_name = getvariable('ward_database')
  UNION ALL
  SELECT concat_ws(chr(31), 'column', schema_name, table_name, column_name, comment) FROM duckdb_columns()
  WHERE database_name = getvariable('ward_database') AND NOT internal AND comment IS NOT NULL
  UNION ALL
  SELECT concat_ws(chr(31), 'function', schema_name, function_name) FROM duckdb_functions()
  WHERE database_name = getvariable('ward_database') AND NOT internal))";

std::string Text(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? "" : *text;
}

bool Flag(const Cell& cell) {
  const auto* flag = std::get_if<bool>(&cell);
  return flag != nullptr && *flag;
}

// A whole number, or nothing.
std::optional<std::int64_t> Number(const Cell& cell) {
  const auto* number = std::get_if<std::int64_t>(&cell);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

class CatalogReader {
 public:
  CatalogReader(Session& session, const Scope& scope, catalog::Database& out)
      : session_(session), scope_(scope), out_(out) {}

  Status Read() {
    WARD_CHECK(Tables());
    WARD_CHECK(Views());
    WARD_CHECK(Columns());
    WARD_CHECK(Constraints());
    WARD_CHECK(Indexes());
    if (is_cut_)
      out_.missing.push_back({"tables", fmt::format("only the first {} are read", kTablesMax)});
    for (auto& entry : tables_) out_.tables.push_back(std::move(entry.second.table));
    return Ok();
  }

 private:
  using Name = std::pair<std::string, std::string>;  // schema, table: the order of the catalog
  struct Entry {
    Table table;
    std::map<std::string, std::string> generated;  // name of a column and its expression
  };

  // Calls `use` with the table that the first two columns name and the row.
  template <class Use>
  Status Each(std::string_view sql, Use use) {
    return ForEachRow(session_, sql, [&](const Row& row) {
      const auto found = tables_.find({Text(row[0]), Text(row[1])});
      if (found != tables_.end()) use(found->second, row);
    });
  }

  bool IsWanted(const std::string& schema) const {
    return scope_.schemas.empty() ||
           std::find(scope_.schemas.begin(), scope_.schemas.end(), schema) != scope_.schemas.end();
  }

  Entry* Add(const Row& row, TableKind kind) {
    if (!IsWanted(Text(row[0]))) return nullptr;
    is_cut_ = is_cut_ || tables_.size() >= kTablesMax;
    if (is_cut_) return nullptr;
    Entry& entry = tables_[{Text(row[0]), Text(row[1])}];
    entry.table.schema = Text(row[0]);
    entry.table.name = Text(row[1]);
    entry.table.comment = Text(row[2]);
    entry.table.kind = kind;
    return &entry;
  }

  Status Tables() {
    return ForEachRow(session_, kTables, [&](const Row& row) {
      Entry* entry = Add(row, TableKind::Table);
      if (entry == nullptr) return;
      entry->table.row_estimate = Number(row[3]);
      entry->generated = GeneratedColumns(Text(row[4]));
    });
  }

  Status Views() {
    return ForEachRow(session_, kViews, [&](const Row& row) {
      if (Entry* entry = Add(row, TableKind::View))
        entry->table.definition = ViewSelect(Text(row[3]));
    });
  }

  Status Columns() {
    constexpr std::string_view kArray = "]";
    return Each(kColumns, [&](Entry& entry, const Row& row) {
      catalog::Column column;
      column.name = Text(row[2]);
      column.type = Text(row[3]);
      column.nullable = Flag(row[4]);
      column.comment = Text(row[6]);
      column.labels = EnumLabels(column.type);
      column.is_array = column.type.ends_with(kArray);
      const auto generated = entry.generated.find(column.name);
      if (generated != entry.generated.end())
        column.generated = generated->second;
      else if (!std::holds_alternative<std::monostate>(row[5]))
        column.default_value = Text(row[5]);
      entry.table.columns.push_back(std::move(column));
    });
  }

  Status Constraints() {
    std::optional<std::int64_t> last;
    return Each(kConstraints, [&](Entry& entry, const Row& row) {
      const bool is_new = Number(row[2]) != last;
      last = Number(row[2]);
      const std::string type = Text(row[3]);
      if (type == "CHECK") {
        if (is_new) AddCheck(entry.table, row);
      } else if (type == "FOREIGN KEY") {
        AddForeignKeyColumn(entry.table, row, is_new);
      } else {
        AddKeyColumn(entry.table, row, is_new, type == "PRIMARY KEY");
      }
    });
  }

  static void AddKeyColumn(Table& table, const Row& row, bool is_new, bool is_primary) {
    if (is_new && is_primary) table.primary_key = catalog::Key{Text(row[4]), {}};
    if (is_new && !is_primary) table.unique_keys.push_back({Text(row[4]), {}});
    catalog::Key& key = is_primary ? *table.primary_key : table.unique_keys.back();
    key.columns.push_back(Text(row[7]));
  }

  // DuckDB keeps foreign keys within one schema, and what they refer to may not change under them.
  static void AddForeignKeyColumn(Table& table, const Row& row, bool is_new) {
    if (is_new) {
      catalog::ForeignKey key;
      key.name = Text(row[4]);
      key.target_schema = table.schema;
      key.target_table = Text(row[6]);
      key.on_update = key.on_delete = "no action";
      table.foreign_keys.push_back(std::move(key));
    }
    table.foreign_keys.back().columns.push_back(Text(row[7]));
    table.foreign_keys.back().target_columns.push_back(Text(row[8]));
  }

  static void AddCheck(Table& table, const Row& row) {
    table.checks.push_back({Text(row[4]), Text(row[5])});
    const std::size_t at = catalog::FindColumn(table, Text(row[7]));
    if (at >= table.columns.size() || !table.columns[at].labels.empty()) return;
    table.columns[at].labels = CheckLabels(Text(row[5]), table.columns[at].name);
  }

  Status Indexes() {
    WARD_CHECK(Each(kIndexes, [&](Entry& entry, const Row& row) {
      Table& table = entry.table;
      catalog::Index index;
      index.name = Text(row[2]);
      index.columns = IndexParts(Text(row[4]));
      index.unique = Flag(row[3]);
      const bool is_plain =
          std::all_of(index.columns.begin(), index.columns.end(), [&](const std::string& part) {
            return catalog::FindColumn(table, part) < table.columns.size();
          });
      if (index.unique && is_plain && !index.columns.empty())
        table.unique_keys.push_back({index.name, index.columns});
      table.indexes.push_back(std::move(index));
    }));
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    for (auto& entry : tables_)
      std::stable_sort(entry.second.table.unique_keys.begin(), entry.second.table.unique_keys.end(),
                       by_name);
    return Ok();
  }

  Session& session_;
  const Scope& scope_;
  catalog::Database& out_;
  std::map<Name, Entry> tables_;
  bool is_cut_ = false;
};

}  // namespace

Result<catalog::Database> ReadCatalog(Session& session, const std::string& name,
                                      const Scope& scope) {
  catalog::Database database;
  database.name = name;
  database.engine = "duckdb";
  database.engine_version = session.instance().library().version();
  WARD_TRY(database.fingerprint, ReadFingerprint(session));
  WARD_CHECK(CatalogReader(session, scope, database).Read());
  return database;
}

Result<std::string> ReadFingerprint(Session& session) {
  std::string hash;
  WARD_CHECK(ForEachRow(session, kFingerprint, [&](const Row& row) { hash = Text(row[0]); }));
  return "duckdb:" + hash;
}

}  // namespace schemaward::connect::duckdb
