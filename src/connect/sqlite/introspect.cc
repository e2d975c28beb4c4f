#include "connect/sqlite/introspect.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "connect/sqlite/schema_text.h"
#include "connect/sqlite/tables.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using catalog::Table;

// A row of the list for each table, view and virtual table; shadow tables (FTS, R-tree) and
// SQLite's own are left out. ncol is 0 where SQLite could not resolve a view or find a virtual
// table's module.
constexpr std::string_view kTables = R"(
SELECT name, type, ncol, wr FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\_%' ESCAPE '\')";

// The pragma is asked once per table inside SQLite: nested loops, the list outside.
constexpr std::string_view kColumns = R"(
SELECT l.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
FROM pragma_table_list AS l JOIN pragma_table_xinfo(l.name, 'main') AS c
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.ncol > 0
ORDER BY l.name, c.cid)";

constexpr std::string_view kColumnsOfOne = R"(
SELECT ?1, name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1, 'main') ORDER BY cid)";

// Newest first is how SQLite numbers them; declared order is wanted.
constexpr std::string_view kForeignKeys = R"(
SELECT l.name, f.id, f."table", f."from", f."to", f.on_update, f.on_delete
FROM pragma_table_list AS l JOIN pragma_foreign_key_list(l.name, 'main') AS f
WHERE l.schema = 'main' AND l.type = 'table'
ORDER BY l.name, f.id DESC, f.seq)";

constexpr std::string_view kIndexes = R"(
SELECT l.name, i.name, i."unique", i.origin, i.partial, c.name, c.cid
FROM pragma_table_list AS l JOIN pragma_index_list(l.name, 'main') AS i JOIN pragma_index_xinfo(i.name, 'main') AS c
WHERE l.schema = 'main' AND l.type = 'table' AND c.key = 1
ORDER BY l.name, i.name, c.seqno)";

constexpr std::string_view kTexts =
    "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('table', 'view', 'index')";

class CatalogReader {
 public:
  CatalogReader(Session& session, catalog::Database& out)
      : session_(session), tables_(out.tables, out.missing), out_(out) {}

  Status Read() {
    WARD_CHECK(Tables());
    WARD_CHECK(Columns(kColumns, nullptr));
    WARD_CHECK(Unresolved());
    WARD_CHECK(ForeignKeys());
    WARD_CHECK(Indexes());
    WARD_CHECK(Texts());
    if (out_.tables.size() >= kTablesMax)
      out_.missing.push_back(
          {"main", fmt::format("only the first {} tables are read", kTablesMax)});
    tables_.Complete();
    return ReadRowEstimates(session_, out_.tables, tables_.WithRowid(), has_statistics_);
  }

 private:
  // Calls `row` for each row of `sql`.
  template <class Row>
  Status Each(std::string_view sql, const std::string* argument, Row row) {
    WARD_TRY(sqlite::Statement statement, session_.Prepare(sql));
    if (argument != nullptr) statement.Bind(1, std::string_view(*argument));
    while (true) {
      WARD_TRY(const bool more, session_.Step(statement));
      if (!more) return Ok();
      row(statement);
    }
  }

  Status Tables() {
    return Each(kTables, nullptr, [&](const sqlite::Statement& row) {
      if (out_.tables.size() >= kTablesMax) return;
      Table table;
      table.schema = "main";
      table.name = row.Text(0);
      table.kind = row.Text(1) == "view" ? catalog::TableKind::View : catalog::TableKind::Table;
      if (row.Int(2) == 0) unresolved_.push_back(table.name);
      tables_.Add(std::move(table), row.Int(3) != 0, row.Text(1) == "virtual");
    });
  }

  Status Columns(std::string_view sql, const std::string* argument) {
    return Each(sql, argument, [&](const sqlite::Statement& row) {
      ColumnRow column;
      column.name = row.Text(1);
      column.type = row.Text(2);
      column.not_null = row.Int(3) != 0;
      column.default_value = row.OptionalText(4);
      column.key_position = row.Int(5);
      column.hidden = row.Int(6);
      tables_.AddColumn(row.Text(0), std::move(column));
    });
  }

  // Views and virtual tables that the list could not count the columns of, one by one, so that one
  // broken view hides no other.
  Status Unresolved() {
    for (const std::string& name : unresolved_) {
      const Status read = Columns(kColumnsOfOne, &name);
      if (read) continue;
      // PermissionDenied: a module that asks for more, to be connected, than the session lets it.
      const ErrorKind kind = read.error().kind();
      if (kind != ErrorKind::SqlRuntime && kind != ErrorKind::PermissionDenied) return read;
      tables_.Drop(name, WhyUnresolved(read.error().private_detail()));
    }
    return Ok();
  }

  Status ForeignKeys() {
    return Each(kForeignKeys, nullptr, [&](const sqlite::Statement& row) {
      tables_.AddForeignKeyColumn(
          row.Text(0), {row.Int(1), std::string(row.Text(2)), std::string(row.Text(3)),
                        row.OptionalText(4), std::string(row.Text(5)), std::string(row.Text(6))});
    });
  }

  Status Indexes() {
    return Each(kIndexes, nullptr, [&](const sqlite::Statement& row) {
      tables_.AddIndexColumn(row.Text(0),
                             {std::string(row.Text(1)), row.Int(2) != 0, std::string(row.Text(3)),
                              row.Int(4) != 0, row.OptionalText(5), row.Int(6)});
    });
  }

  Status Texts() {
    return Each(kTexts, nullptr, [&](const sqlite::Statement& row) {
      if (row.Text(1) == "sqlite_stat1") has_statistics_ = true;
      if (row.Text(0) == "table") tables_.AddTableText(row.Text(1), row.Text(3));
      if (row.Text(0) == "view") tables_.AddViewText(row.Text(1), row.Text(3));
      if (row.Text(0) == "index") tables_.AddIndexText(row.Text(2), row.Text(1), row.Text(3));
    });
  }

  // One safe line for what the engine's text says.
  static std::string WhyUnresolved(std::string_view text) {
    struct Reason {
      std::string_view mark;
      std::string_view reason;
    };
    constexpr Reason kReasons[] = {
        {"no such table", "it reads a table that is not there"},
        {"no such column", "it reads a column that is not there"},
        {"no such function", "it calls a function that SQLite does not have here"},
        {"no such module", "its virtual table module is not available here"},
        {"unsafe use of", "it calls a function that SQLite does not trust in a view"},
        {"circularly defined", "it reads itself"},
        {"not authorized", "its module asks for more than a session that only reads may"}};
    for (const Reason& reason : kReasons)
      if (text.find(reason.mark) != std::string_view::npos) return std::string(reason.reason);
    return "SQLite cannot resolve it";
  }

  Session& session_;
  TableBuilder tables_;
  catalog::Database& out_;
  std::vector<std::string> unresolved_;
  bool has_statistics_ = false;
};

}  // namespace

Result<catalog::Database> ReadCatalog(Session& session, const std::string& name) {
  catalog::Database database;
  database.name = name;
  database.engine = "sqlite";
  database.engine_version = sqlite3_libversion();
  WARD_TRY(database.fingerprint, ReadFingerprint(session));
  WARD_CHECK(CatalogReader(session, database).Read());
  return database;
}

Result<std::string> ReadFingerprint(Session& session) {
  WARD_TRY(sqlite::Statement statement, session.Prepare("PRAGMA schema_version"));
  WARD_TRY(const bool row, session.Step(statement));
  const FileState& file = session.file();
  return fmt::format("sqlite:{}:{:x}-{:x}-{:x}", row ? statement.Int(0) : 0, file.device,
                     file.inode, file.born_ns);
}

}  // namespace schemaward::connect::sqlite_engine
