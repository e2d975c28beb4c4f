#include "connect/duckdb/run.h"

#include <algorithm>
#include <optional>
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

Status CheckWidth(std::uint64_t count) {
  if (count <= kColumnsMax) return Ok();
  return Error(ErrorKind::ByteCap,
               fmt::format("the statement has {} columns, more than {}", count, kColumnsMax));
}

// The columns as they were planned; none where types of parameters decide, which are bound later.
Result<std::optional<std::vector<Column>>> PlannedColumns(const Api& api,
                                                          const Statement& statement) {
  Prepared raw = statement.prepared.get();
  const std::uint64_t count = api.prepared_statement_column_count(raw);
  WARD_CHECK(CheckWidth(count));
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Owned<LogicalType> type(api.prepared_statement_column_logical_type(raw, i),
                                  api.destroy_logical_type);
    const char* name = api.prepared_statement_column_name(raw, i);
    columns.push_back({name == nullptr ? "" : name, DescribeType(api, type.get())});
    api.free(const_cast<char*>(name));  // the API gives it away
    if (columns.back().type.id == TypeId::Invalid) return std::optional<std::vector<Column>>();
  }
  return std::optional(std::move(columns));
}

Result<std::vector<Column>> ColumnsOf(const Api& api, Rows& rows) {
  const std::uint64_t count = api.column_count(&rows.raw());
  WARD_CHECK(CheckWidth(count));
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Owned<LogicalType> type(api.column_logical_type(&rows.raw(), i),
                                  api.destroy_logical_type);
    const char* name = api.column_name(&rows.raw(), i);
    columns.push_back({name == nullptr ? "" : name, DescribeType(api, type.get())});
  }
  return columns;
}

bool AllReadable(const std::vector<Column>& columns) {
  return std::all_of(columns.begin(), columns.end(),
                     [](const Column& column) { return IsReadable(column.type); });
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

Result<Rows> Begin(Session& session, std::string_view sql,
                   const std::vector<sql::Literal>& parameters) {
  WARD_TRY(Statement statement, session.Prepare(sql, During::Query));
  WARD_CHECK(session.Bind(statement, parameters));
  return session.Execute(statement, During::Query);
}

struct Begun {
  Rows rows;
  std::vector<Column> columns;
};

// Begins a statement in the form whose values can be read. One whose columns only its parameters
// decide must be begun to be known, and is begun again where a value is not readable.
Result<Begun> BeginReadable(Session& session, const guard::Approved& approved) {
  const Api& api = session.api();
  WARD_TRY(Statement statement, session.Prepare(approved.text(), During::Query));
  WARD_TRY(auto planned, PlannedColumns(api, statement));
  if (!planned || AllReadable(*planned)) {
    WARD_CHECK(session.Bind(statement, approved.parameters()));
    WARD_TRY(Rows rows, session.Execute(statement, During::Query));
    WARD_TRY(planned, ColumnsOf(api, rows));
    if (AllReadable(*planned)) return Begun{std::move(rows), *std::move(planned)};
  }
  WARD_TRY(Rows rows, Begin(session, AsTexts(approved.text(), *planned), approved.parameters()));
  return Begun{std::move(rows), *std::move(planned)};
}

}  // namespace

Result<QueryResult> Run(Session& session, const guard::Approved& approved,
                        const QueryLimits& limits) {
  WARD_TRY(Begun begun, BeginReadable(session, approved));
  QueryResult result;
  for (const Column& column : begun.columns)
    result.columns.push_back({column.name, column.type.name});
  std::int64_t bytes = 0;
  WARD_CHECK(Fetch(
      session, begun.rows, ReadTypes(begun.columns), During::Query, [&](std::vector<Cell> row) {
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
  WARD_TRY(Rows rows, session.Execute(statement, During::Catalog));
  WARD_TRY(const std::vector<Column> columns, ColumnsOf(session.api(), rows));
  return Fetch(session, rows, ReadTypes(columns), During::Catalog,
               [&](const std::vector<Cell>& cells) {
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
