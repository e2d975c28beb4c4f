// Row estimates without counting.

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "connect/sqlite/tables.h"
#include "privacy/floor.h"
#include "sql/dialect.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using catalog::Table;

// The first number of each row is the number of rows of the index, or of the table where idx is
// null.
constexpr std::string_view kStatistics =
    "SELECT tbl, stat FROM sqlite_stat1 WHERE stat IS NOT NULL";

// A row takes at least this many bytes in a file, so that a larger number counts something else
// (snowflake ids, dates).
constexpr std::int64_t kRowBytesMin = 4;

Status FromStatistics(Session& session, std::map<std::string, std::int64_t>& rows) {
  WARD_TRY(sqlite::Statement statement, session.Prepare(kStatistics));
  while (true) {
    WARD_TRY(const bool more, session.Step(statement));
    if (!more) return Ok();
    const std::string_view text = statement.Text(1);
    std::int64_t count = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), count).ec != std::errc()) continue;
    std::int64_t& known = rows[FoldName(statement.Text(0))];
    known = std::max(known, count);  // a partial index counts fewer
  }
}

bool HasColumnNamed(const Table& table, std::string_view folded) {
  return std::any_of(
      table.columns.begin(), table.columns.end(),
      [&](const catalog::Column& column) { return FoldName(column.name) == folded; });
}

// Returns the expression of the table's highest rowid, or nothing: for views, tables without rowid
// or whose columns hide it, and where the rowid is a column whose values are protected.
std::string HighestRowid(const Table& table, bool has_rowid) {
  if (!has_rowid || table.kind == catalog::TableKind::View) return "";
  const bool numbered = table.primary_key && table.primary_key->columns.size() == 1;
  if (numbered && privacy::FloorCategoryOf(table.name, table.primary_key->columns.front()))
    return "";
  for (const char* name : {"_rowid_", "rowid", "oid"})
    if (!HasColumnNamed(table, name))
      return fmt::format("(SELECT max({}) FROM main.{})", name,
                         sql::QuoteIdentifier(sql::Sqlite(), table.name));
  return "";
}

// Asks for the highest rowid of tables[begin, end): one seek each.
Status FromRowids(Session& session, const std::vector<std::pair<Table*, std::string>>& asked,
                  std::size_t begin, std::size_t end) {
  std::string sql = "SELECT ";
  for (std::size_t i = begin; i < end; ++i) sql += (i == begin ? "" : ", ") + asked[i].second;
  WARD_TRY(sqlite::Statement statement, session.Prepare(sql));
  WARD_TRY(const bool row, session.Step(statement));
  if (!row) return Ok();
  for (std::size_t i = begin; i < end; ++i) {
    const std::int64_t highest = statement.Int(static_cast<int>(i - begin));
    if (highest >= 0 && highest <= session.file().size_bytes / kRowBytesMin)
      asked[i].first->row_estimate = highest;
  }
  return Ok();
}

}  // namespace

Status ReadRowEstimates(Session& session, std::vector<Table>& tables,
                        const std::vector<std::string>& with_rowid, bool has_statistics) {
  std::map<std::string, std::int64_t> known;
  if (has_statistics) WARD_CHECK(FromStatistics(session, known));
  std::vector<std::pair<Table*, std::string>> asked;
  for (Table& table : tables) {
    const auto found = known.find(FoldName(table.name));
    if (found != known.end()) {
      table.row_estimate = found->second;
      continue;
    }
    std::string expression =
        HighestRowid(table, std::binary_search(with_rowid.begin(), with_rowid.end(), table.name));
    if (!expression.empty()) asked.emplace_back(&table, std::move(expression));
  }
  for (std::size_t begin = 0; begin < asked.size(); begin += kEstimatesPerStatement)
    WARD_CHECK(
        FromRowids(session, asked, begin, std::min(begin + kEstimatesPerStatement, asked.size())));
  return Ok();
}

}  // namespace schemaward::connect::sqlite_engine
