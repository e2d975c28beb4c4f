#include "index/sampler.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/cut.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::index {
namespace {

constexpr std::int64_t kTableBytesMax = 256 << 10;
constexpr std::chrono::milliseconds kTableTimeMax{5'000};

/// A value as text; bytes are not kept, their size is.
struct CellText {
  std::optional<std::string> operator()(std::monostate /*null*/) const { return std::nullopt; }
  std::optional<std::string> operator()(bool value) const { return value ? "true" : "false"; }
  std::optional<std::string> operator()(std::int64_t value) const { return std::to_string(value); }
  std::optional<std::string> operator()(double value) const { return fmt::format("{}", value); }
  std::optional<std::string> operator()(const std::string& value) const {
    return std::string(HeadOf(value, kSampleValueBytesMax));
  }
  std::optional<std::string> operator()(const connect::Decimal& value) const {
    return std::string(HeadOf(value.text, kSampleValueBytesMax));
  }
  std::optional<std::string> operator()(const connect::Blob& value) const {
    return fmt::format("({} bytes)", value.bytes.size());
  }
};

std::vector<std::string> ReadableColumns(const catalog::Table& table,
                                         const privacy::Policy& policy) {
  std::vector<std::string> columns;
  for (const catalog::Column& column : table.columns)
    if (policy.MayReadValues(table, column)) columns.push_back(column.name);
  return columns;
}

std::vector<store::ColumnSample> ByColumn(const std::vector<std::string>& columns,
                                          const connect::QueryResult& result,
                                          std::size_t& bytes_left) {
  std::vector<store::ColumnSample> samples;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    store::ColumnSample& sample = samples.emplace_back();
    sample.column = columns[c];
    for (const auto& row : result.rows) {
      if (c >= row.size()) continue;
      auto& value = sample.values.emplace_back(std::visit(CellText{}, row[c]));
      bytes_left -= std::min(bytes_left, value ? value->size() : 0);
    }
  }
  return samples;
}

/// Errors after which asking for the next table makes no sense.
bool EndsTheRun(const connect::Connector& connector, ErrorKind kind) {
  return connector.IsBroken() || kind == ErrorKind::Cancelled ||
         kind == ErrorKind::DeadlineExceeded || kind == ErrorKind::SourceUnreachable;
}

Result<connect::QueryResult> Ask(connect::Connector& connector, const catalog::Table& table,
                                 const std::vector<std::string>& columns, const RunOptions& options,
                                 CallContext& ctx) {
  const std::int64_t rows_max = std::min(options.sample_rows, kSampleRowsMax);
  const guard::Guard guard(options.policy);
  const auto select = sql::SampleSelect(table.schema, table.name, columns, rows_max);
  WARD_TRY(const auto approved,
           guard.ApproveTree(select, connector.dialect(), {table}, ctx.principal));
  return connector.Query(
      approved, {.rows_max = rows_max, .bytes_max = kTableBytesMax, .time_max = kTableTimeMax},
      ctx);
}

}  // namespace

Result<Samples> ReadSamples(connect::Connector& connector, catalog::Database& database,
                            const RunOptions& options, CallContext& ctx) {
  Samples samples;
  std::size_t bytes_left = kSampleBytesMax;
  for (std::size_t t = 0; t < database.tables.size(); ++t) {
    WARD_CHECK(ctx.Check());
    const catalog::Table& table = database.tables[t];
    const auto columns = ReadableColumns(table, options.policy);
    if (columns.empty()) continue;
    if (samples.size() >= kSampleTablesMax || bytes_left == 0) {
      database.missing.push_back({"samples",
                                  "values of later tables were not read: the bound of one "
                                  "run is reached"});
      break;
    }
    auto result = Ask(connector, table, columns, options, ctx);
    if (result) {
      samples.emplace(t, ByColumn(columns, *result, bytes_left));
    } else if (EndsTheRun(connector, result.error().kind())) {
      return std::move(result).error();
    } else {
      database.missing.push_back(
          {catalog::QualifiedName(table), "values: " + result.error().message()});
    }
    if (ctx.progress) {
      ctx.progress({static_cast<std::int64_t>(t + 1),
                    static_cast<std::int64_t>(database.tables.size()), "reading sample values"});
    }
  }
  return samples;
}

}  // namespace schemaward::index
