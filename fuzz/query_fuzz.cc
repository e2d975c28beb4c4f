// A statement in any dialect is read or refused; what is read prints to a text that reads and
// prints the same; and what the guard approves it approves again as it was printed, unchanged. The
// first byte says which dialect.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "guard/guard.h"
#include "sql/query/lexer.h"
#include "sql/query/print.h"
#include "sql/query/reader.h"
#include "sql/query/script.h"

namespace {

using schemaward::catalog::Table;

Table MakeTable(const schemaward::sql::Dialect& dialect, const char* name,
                std::vector<std::string> columns, const char* view = "") {
  Table table;
  table.schema = dialect.default_schema.empty() ? "db" : std::string(dialect.default_schema);
  table.name = name;
  for (std::string& column : columns) table.columns.emplace_back().name = std::move(column);
  table.definition = view;
  if (!table.definition.empty()) table.kind = schemaward::catalog::TableKind::View;
  return table;
}

std::vector<Table> MakeTables(const schemaward::sql::Dialect& dialect) {
  return {MakeTable(dialect, "t", {"id", "email", "plan"}),
          MakeTable(dialect, "u", {"id", "t_id", "amount"}),
          MakeTable(dialect, "v", {"id", "label"}, "SELECT id, lower(email) FROM t"),
          MakeTable(dialect, "w", {"id", "made"}, "SELECT id, f(id) FROM v")};
}

// E-mail addresses, under their own name and as views call them, and what a function makes.
bool IsBlocked(const std::string& column) {
  return column == "email" || column == "label" || column == "made";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace sql = schemaward::sql;
  namespace guard = schemaward::guard;
  if (size == 0) return 0;
  const sql::Dialect* dialects[] = {&sql::Postgres(), &sql::Sqlite(), &sql::MySql(),
                                    &sql::DuckDb()};
  const sql::Dialect& dialect = *dialects[data[0] % 4];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  // What a script keeps as a change is never read as a query.
  for (const auto& one : sql::query::ReadScript(text, dialect).statements)
    if (one.change && one.change->kind != sql::query::ChangeKind::Other &&
        sql::query::Read(text.substr(one.begin, one.end - one.begin), dialect))
      std::abort();
  const auto read = sql::query::Read(text, dialect);
  if (!read || read->parameters > 0) return 0;
  const std::vector<Table> tables = MakeTables(dialect);
  guard::TableList lookup(tables);
  const guard::Guard judge{schemaward::privacy::Policy()};
  const auto approved = judge.ApproveText({text, {}}, dialect, lookup, {}, nullptr);
  if (!approved) {
    // What is printed and does not read back as itself is a fault of ours.
    if (approved.error().kind() == schemaward::ErrorKind::Internal &&
        approved.error().message().find("reads back") != std::string::npos)
      std::abort();
    return 0;
  }
  if (approved->text().size() > sql::query::kTextMax) return 0;
  for (const auto& reading : approved->reads())
    for (const std::string& column : reading.columns)
      if (IsBlocked(column)) std::abort();
  if (read->kind == sql::query::StatementKind::Catalog) return 0;
  const auto again = judge.ApproveText({approved->text(), {}}, dialect, lookup, {}, nullptr);
  // Brackets that the printer adds may pass the reader's bound of nesting.
  if (again && again->text() != approved->text()) std::abort();
  return 0;
}
