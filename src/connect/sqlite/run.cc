#include "connect/sqlite/run.h"

#include <utility>

#include <sqlite3.h>

namespace schemaward::connect::sqlite_engine {
namespace {

constexpr std::int64_t kNumberBytes = 8;  // what a number counts against the byte limit

void BindAll(sqlite::Statement& statement, const std::vector<sql::Literal>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const int index = static_cast<int>(i) + 1;
    const auto& value = parameters[i].value;
    if (const auto* flag = std::get_if<bool>(&value))
      statement.Bind(index, std::int64_t{*flag ? 1 : 0});
    else if (const auto* integer = std::get_if<std::int64_t>(&value))
      statement.Bind(index, *integer);
    else if (const auto* number = std::get_if<double>(&value))
      statement.Bind(index, *number);
    else if (const auto* text = std::get_if<std::string>(&value))
      statement.Bind(index, std::string_view(*text));
    else
      statement.BindNull(index);
  }
}

// SQLite's values have their own type, whatever the column's: dates and decimals are texts or
// numbers, as they were stored.
Cell CellOf(const sqlite::Statement& row, int column) {
  switch (row.Type(column)) {
    case SQLITE_INTEGER:
      return row.Int(column);
    case SQLITE_FLOAT:
      return row.Double(column);
    case SQLITE_TEXT:
      return std::string(row.Text(column));
    case SQLITE_BLOB:
      return Blob{std::string(row.Blob(column))};
    default:
      return std::monostate();
  }
}

std::int64_t BytesOf(const sqlite::Statement& row, int column) {
  const int type = row.Type(column);
  if (type == SQLITE_TEXT || type == SQLITE_BLOB) return sqlite3_column_bytes(row.handle(), column);
  return type == SQLITE_NULL ? 0 : kNumberBytes;
}

std::vector<ResultColumn> ColumnsOf(const sqlite::Statement& statement) {
  std::vector<ResultColumn> columns;
  for (int i = 0; i < statement.ColumnCount(); ++i) {
    const char* type = sqlite3_column_decltype(statement.handle(), i);
    columns.push_back({std::string(statement.ColumnName(i)), type == nullptr ? "" : type});
  }
  return columns;
}

}  // namespace

Result<QueryResult> Run(Session& session, const guard::Approved& approved,
                        const QueryLimits& limits) {
  WARD_CHECK(session.Apply(approved.session()));
  WARD_CHECK(session.Expect(approved.reads(), approved.inside()));
  WARD_TRY(sqlite::Statement statement, session.Prepare(approved.text()));
  WARD_CHECK(session.CheckProgram(approved.text()));
  BindAll(statement, approved.parameters());
  QueryResult result;
  result.columns = ColumnsOf(statement);
  std::int64_t bytes = 0;
  while (true) {
    WARD_TRY(const bool more, session.Step(statement));
    if (!more) return result;
    for (int i = 0; i < statement.ColumnCount(); ++i) bytes += BytesOf(statement, i);
    if (std::cmp_greater_equal(result.rows.size(), limits.rows_max) || bytes > limits.bytes_max) {
      result.truncated = true;
      return result;
    }
    std::vector<Cell>& row = result.rows.emplace_back();
    for (int i = 0; i < statement.ColumnCount(); ++i) row.push_back(CellOf(statement, i));
  }
}

Result<PlanEstimate> ExplainPlan(Session& session, const guard::Approved& approved) {
  constexpr int kDetail = 3;  // after id, parent and an unused column
  WARD_CHECK(session.Apply(approved.session()));
  WARD_TRY(sqlite::Statement statement, session.Prepare("EXPLAIN QUERY PLAN " + approved.text()));
  PlanEstimate plan;
  while (true) {
    WARD_TRY(const bool more, session.Step(statement));
    if (!more) return plan;
    if (!plan.text.empty()) plan.text += '\n';
    plan.text += statement.Text(kDetail);
  }
}

}  // namespace schemaward::connect::sqlite_engine
