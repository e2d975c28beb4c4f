#include "connect/duckdb/run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "connect/duckdb/cells.h"
#include "connect/duckdb/plan.h"

namespace schemaward::connect::duckdb {
namespace {

constexpr std::uint64_t kColumnsMax = 4'000;

struct Column {
  std::string name;
  ColumnType type;
};

Result<std::vector<Column>> ColumnsOf(const Api& api, const Statement& statement) {
  Prepared raw = statement.prepared.get();
  const std::uint64_t count = api.prepared_statement_column_count(raw);
  if (count > kColumnsMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("the statement has {} columns, more than {}", count, kColumnsMax));
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Owned<LogicalType> type(api.prepared_statement_column_logical_type(raw, i),
                                  api.destroy_logical_type);
    const char* name = api.prepared_statement_column_name(raw, i);
    columns.push_back({name == nullptr ? "" : name, DescribeType(api, type.get())});
    api.free(const_cast<char*>(name));  // the API gives it away
  }
  return columns;
}

// The statement with the columns that are not readable made texts by the engine. The order of rows
// is kept: nothing but a projection stands above them.
std::string AsTexts(std::string_view sql, const std::vector<Column>& columns) {
  std::string outer, inner;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const char* comma = i > 0 ? ", " : "";
    const char* close = IsReadable(columns[i].type) ? "" : " AS VARCHAR)";
    outer += fmt::format("{}{}c{}{}", comma, *close == '\0' ? "" : "CAST(", i, close);
    inner += fmt::format("{}c{}", comma, i);
  }
  return fmt::format("SELECT {} FROM ({}) AS t ({})", outer, sql, inner);
}

// The types that are read: of an unreadable one, what stands for it.
std::vector<ColumnType> ReadTypes(const std::vector<Column>& columns) {
  std::vector<ColumnType> types;
  for (const Column& column : columns) {
    types.push_back(column.type);
    if (!IsReadable(column.type)) types.back().id = TypeId::Varchar;
  }
  return types;
}

// Calls `take` with each row until it returns false.
template <class Take>
Status Fetch(Session& session, Rows& rows, const std::vector<ColumnType>& types, During during,
             Take take) {
  const Api& api = session.api();
  while (true) {
    WARD_TRY(const Owned<Chunk> chunk, session.Next(rows, during));
    if (!chunk) return Ok();
    const std::uint64_t count = api.data_chunk_get_size(chunk.get());
    for (std::uint64_t row = 0; row < count; ++row) {
      std::vector<Cell> cells;
      cells.reserve(types.size());
      for (std::size_t i = 0; i < types.size(); ++i)
        cells.push_back(CellAt(api, types[i], api.data_chunk_get_vector(chunk.get(), i), row));
      if (!take(std::move(cells))) return Ok();
    }
  }
}

}  // namespace

Result<QueryResult> Run(Session& session, const guard::Approved& approved,
                        const QueryLimits& limits) {
  const Api& api = session.api();
  WARD_TRY(Statement statement, session.Prepare(approved.text(), During::Query));
  WARD_CHECK(session.Bind(statement, approved.parameters()));
  WARD_TRY(std::vector<Column> columns, ColumnsOf(api, statement));
  const bool all_readable = std::all_of(
      columns.begin(), columns.end(), [](const Column& column) { return IsReadable(column.type); });
  if (!all_readable) {
    WARD_TRY(statement, session.Prepare(AsTexts(approved.text(), columns), During::Query));
    WARD_CHECK(session.Bind(statement, approved.parameters()));
  }
  QueryResult result;
  for (const Column& column : columns) result.columns.push_back({column.name, column.type.name});
  WARD_TRY(Rows rows, session.Execute(statement, During::Query));
  std::int64_t bytes = 0;
  WARD_CHECK(Fetch(session, rows, ReadTypes(columns), During::Query, [&](std::vector<Cell> row) {
    for (const Cell& cell : row) bytes += CellBytes(cell);
    result.truncated =
        std::cmp_greater_equal(result.rows.size(), limits.rows_max) || bytes > limits.bytes_max;
    if (!result.truncated) result.rows.push_back(std::move(row));
    return !result.truncated;
  }));
  return result;
}

Status ForEachRow(Session& session, std::string_view sql,
                  const std::function<void(const std::vector<Cell>&)>& row) {
  WARD_TRY(Statement statement, session.Prepare(sql, During::Catalog));
  WARD_TRY(const std::vector<Column> columns, ColumnsOf(session.api(), statement));
  WARD_TRY(Rows rows, session.Execute(statement, During::Catalog));
  return Fetch(session, rows, ReadTypes(columns), During::Catalog, [&](std::vector<Cell> cells) {
    row(cells);
    return true;
  });
}

Result<PlanEstimate> ExplainPlan(Session& session, const guard::Approved& approved) {
  constexpr std::size_t kValue = 1;  // after the plan's kind
  WARD_TRY(Statement statement,
           session.Prepare("EXPLAIN (FORMAT JSON) " + approved.text(), During::Query, true));
  WARD_CHECK(session.Bind(statement, approved.parameters()));
  WARD_TRY(Rows rows, session.Execute(statement, During::Query));
  const ColumnType text{.id = TypeId::Varchar};
  std::string plan;
  WARD_CHECK(Fetch(session, rows, {text, text}, During::Query, [&](std::vector<Cell> row) {
    if (const auto* value = std::get_if<std::string>(&row[kValue])) plan += *value;
    return true;
  }));
  return ReadPlan(plan);
}

}  // namespace schemaward::connect::duckdb
