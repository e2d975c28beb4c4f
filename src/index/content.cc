#include "index/content.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "guard/guard.h"
#include "privacy/content.h"
#include "sql/samples.h"

namespace schemaward::index {
namespace {

constexpr std::int64_t kTableBytesMax = 1 << 20;
constexpr std::chrono::milliseconds kTableTimeMax{5'000};

/// A value as text; what is no text or number is not checked.
struct CheckedText {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const connect::Decimal& value) const { return value.text; }
  template <class Other>
  std::string operator()(const Other& /*value*/) const {
    return {};
  }
};

/// Columns that are worth a look. What an earlier check found is looked at again.
std::vector<std::string> CheckedColumns(catalog::Table table, const privacy::Policy& policy) {
  for (catalog::Column& column : table.columns) column.verdicts.clear();
  std::vector<std::string> columns;
  for (const catalog::Column& column : table.columns)
    if (policy.MayReadValues(table, column)) columns.push_back(column.name);
  return columns;
}

std::vector<std::string> VerdictsOf(const connect::QueryResult& result, std::size_t column) {
  std::vector<std::string> texts;
  for (const auto& row : result.rows)
    if (column < row.size())
      if (std::string text = std::visit(CheckedText{}, row[column]); !text.empty())
        texts.push_back(std::move(text));
  const auto verdict = privacy::JudgeValues({texts.begin(), texts.end()});
  if (!verdict) return {};
  return {privacy::ToText(*verdict)};
}

/// Errors after which asking for the next table makes no sense.
bool EndsTheRun(const connect::Connector& connector, ErrorKind kind) {
  return connector.IsBroken() || kind == ErrorKind::Cancelled ||
         kind == ErrorKind::DeadlineExceeded || kind == ErrorKind::SourceUnreachable;
}

Result<connect::QueryResult> Ask(connect::Connector& connector, const catalog::Table& table,
                                 const std::vector<std::string>& columns, const RunOptions& options,
                                 CallContext& ctx) {
  // A verdict of an earlier run must not keep its own check from reading.
  catalog::Table asked = table;
  for (catalog::Column& column : asked.columns) column.verdicts.clear();
  const guard::Guard guard(options.policy);
  const auto select = sql::SampleSelect(table.schema, table.name, columns, kContentRows);
  WARD_TRY(const auto approved,
           guard.ApproveTree(select, connector.dialect(), {asked}, ctx.principal));
  return connector.Query(
      approved, {.rows_max = kContentRows, .bytes_max = kTableBytesMax, .time_max = kTableTimeMax},
      ctx);
}

/// Sets the verdicts of `columns`; true when one is new or gone.
bool SetVerdicts(const std::vector<std::string>& columns, const connect::QueryResult& result,
                 catalog::Table& table) {
  bool changed = false;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    catalog::Column& column = table.columns[catalog::FindColumn(table, columns[c])];
    std::vector<std::string> verdicts = VerdictsOf(result, c);
    changed = changed || verdicts != column.verdicts;
    column.verdicts = std::move(verdicts);
  }
  return changed;
}

}  // namespace

void CarryVerdicts(const catalog::Table& from, catalog::Table& to) {
  for (const catalog::Column& old : from.columns) {
    if (old.verdicts.empty()) continue;
    const std::size_t at = catalog::FindColumn(to, old.name);
    if (at != std::string_view::npos && to.columns[at].type == old.type)
      to.columns[at].verdicts = old.verdicts;
  }
}

Status CarryVerdicts(store::Store& store, const store::Source& source,
                     catalog::Database& database) {
  std::vector<store::TableEntry> entries;
  const std::vector<std::int64_t> ids = {source.id};
  WARD_CHECK(store.VisitTables(ids, [&](const store::TableEntry& entry) {
    entries.push_back(entry);
    return true;
  }));
  for (const store::TableEntry& entry : entries) {
    const auto place = std::tie(entry.schema, entry.name);
    const auto at = std::lower_bound(database.tables.begin(), database.tables.end(), place,
                                     [](const catalog::Table& table, const auto& wanted) {
                                       return std::tie(table.schema, table.name) < wanted;
                                     });
    if (at == database.tables.end() || std::tie(at->schema, at->name) != place) continue;
    WARD_TRY(const auto old, store.GetTable(entry.id));
    if (old) CarryVerdicts(*old, *at);
  }
  return Ok();
}

Result<std::set<std::size_t>> CheckContent(connect::Connector& connector,
                                           catalog::Database& database, const RunOptions& options,
                                           CallContext& ctx) {
  std::set<std::size_t> changed;
  std::size_t asked = 0;
  for (std::size_t t = 0; t < database.tables.size(); ++t) {
    WARD_CHECK(ctx.Check());
    catalog::Table& table = database.tables[t];
    const std::vector<std::string> columns = CheckedColumns(table, options.policy);
    if (columns.empty()) continue;
    if (++asked > kSampleTablesMax) {
      database.missing.push_back({"content",
                                  "values of later tables were not checked: the bound "
                                  "of one run is reached"});
      break;
    }
    auto result = Ask(connector, table, columns, options, ctx);
    if (!result && EndsTheRun(connector, result.error().kind())) return std::move(result).error();
    if (!result)
      database.missing.push_back(
          {catalog::QualifiedName(table), "content: " + result.error().message()});
    else if (SetVerdicts(columns, *result, table))
      changed.insert(t);
    if (ctx.progress)
      ctx.progress({static_cast<std::int64_t>(t + 1),
                    static_cast<std::int64_t>(database.tables.size()), "checking values"});
  }
  return changed;
}

}  // namespace schemaward::index
