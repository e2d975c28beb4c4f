// get_example_queries: queries to start from. Those that were seen in use come first; generated
// ones stand in where there are none, and say so.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/ascii.h"
#include "privacy/policy.h"
#include "sql/dialect.h"
#include "sql/render.h"
#include "tools/mined_examples.h"
#include "tools/shapes.h"
#include "tools/sql_text.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

constexpr std::int64_t kRows = 10;          // of the generated "latest rows"
constexpr std::size_t kConciseColumns = 8;  // selected by generated queries
constexpr std::size_t kDetailedColumns = 40;
constexpr std::int64_t kLimitMax = 50;

struct In {
  std::string qualified_name;
  std::optional<std::string> source;
  std::int64_t limit = 10;
  std::optional<std::string> cursor;
  Format response_format = Format::Concise;
  void Bind(json::Fields& f) {
    f("qualified_name", qualified_name, "schema.table or schema.table.column",
      {.required = true, .length_max = kNameMax});
    f("source", source, "source name; needed only where two sources share the table's name",
      {.length_max = kNameMax});
    f("limit", limit, "most queries to return", {.minimum = 1, .maximum = kLimitMax});
    f("cursor", cursor, "next_cursor of the answer before", {.length_max = kCursorMax});
    f("response_format", response_format, "detailed selects more columns");
  }
};

struct Out {
  std::string qualified_name;
  std::vector<ExampleQuery> queries;
  std::int64_t total = 0;
  bool truncated = false;
  std::optional<std::string> next_cursor;
  std::string indexed_at;
  void Bind(json::Fields& f) {
    f("qualified_name", qualified_name, "the table or column asked for");
    f("queries", queries, "example queries");
    f("total", total, "number of queries in all");
    f("truncated", truncated, "more follow at next_cursor");
    f("next_cursor", next_cursor, "pass as cursor for the next page");
    f("indexed_at", indexed_at, "when the source was indexed, UTC");
  }
};

// Makes queries over one table, for an agent to start from. Columns whose values may not be read
// are left out.
class Generator {
 public:
  Generator(const catalog::Table& table, const sql::Dialect& dialect, std::size_t columns_max,
            const privacy::Policy& policy)
      : table_(table), dialect_(dialect), columns_max_(columns_max), policy_(policy) {}

  // A view's values may not be read, since what it shows is not known: only counting is left.
  bool ReadsValues() const {
    return std::any_of(
        table_.columns.begin(), table_.columns.end(),
        [&](const catalog::Column& column) { return policy_.MayReadValues(table_, column); });
  }

  Result<ExampleQuery> Count() const {
    sql::Select select = From();
    select.columns.push_back({CountAll(), "row_count"});
    return Show(select, "number of rows");
  }

  Result<ExampleQuery> Latest() const {
    sql::Select select = From();
    AddColumns(table_, table_.name, select);
    std::string purpose = fmt::format("any {} rows", kRows);
    if (const catalog::Column* order = NewestFirst()) {
      select.order_by.push_back({sql::MakeColumn(table_.name, order->name), true});
      purpose = fmt::format("latest {} rows by {}", kRows, order->name);
    }
    select.limit = kRows;
    return Show(select, purpose);
  }

  Result<ExampleQuery> JoinTo(const catalog::ForeignKey& key, const catalog::Table& parent) const {
    sql::Select select = From();
    const std::string alias = parent.name == table_.name ? parent.name + "_parent" : parent.name;
    AddColumns(table_, table_.name, select);
    AddColumns(parent, alias, select);
    sql::ExpressionPtr on;
    for (std::size_t i = 0; i < std::min(key.columns.size(), key.target_columns.size()); ++i) {
      auto equal = sql::MakeBinary("=", sql::MakeColumn(table_.name, key.columns[i]),
                                   sql::MakeColumn(alias, key.target_columns[i]));
      on = on == nullptr ? std::move(equal)
                         : sql::MakeBinary("and", std::move(on), std::move(equal));
    }
    select.joins.push_back(
        {sql::JoinKind::Left, sql::TableRef{parent.schema, parent.name, alias}, std::move(on)});
    select.limit = kRows;
    WARD_TRY(auto query, Show(select, fmt::format("rows with their {}", parent.name)));
    const std::string other = catalog::QualifiedName(parent);
    if (other != query.tables.front()) query.tables.push_back(other);
    return query;
  }

  Result<ExampleQuery> CountByValue(const catalog::Column& column) const {
    sql::Select select = From();
    auto value = sql::MakeColumn(table_.name, column.name);
    select.columns = {{value, column.name}, {CountAll(), "row_count"}};
    select.group_by = {value};
    select.order_by = {{CountAll(), true}};
    select.limit = kRows;
    return Show(select, fmt::format("most frequent values of {}", column.name));
  }

  Result<ExampleQuery> CountDistinct(const catalog::Column& column) const {
    sql::Select select = From();
    auto value = sql::MakeColumn(table_.name, column.name);
    select.columns = {{sql::MakeCall({.function = "count", .arguments = {value}, .distinct = true}),
                       "distinct_values"},
                      {sql::MakeCall({.function = "count", .arguments = {value}}), "filled_rows"},
                      {CountAll(), "row_count"}};
    return Show(select, fmt::format("how many different values {} has and how often it is null",
                                    column.name));
  }

 private:
  static sql::ExpressionPtr CountAll() {
    return sql::MakeCall({.function = "count", .arguments = {}, .distinct = false, .star = true});
  }

  sql::Select From() const {
    sql::Select select;
    select.from = sql::TableRef{table_.schema, table_.name, table_.name};
    return select;
  }

  void AddColumns(const catalog::Table& table, const std::string& alias,
                  sql::Select& select) const {
    std::size_t added = 0;
    for (const catalog::Column& column : table.columns) {
      if (added == columns_max_) return;
      if (!policy_.MayReadValues(table, column)) continue;
      const bool taken =
          std::any_of(select.columns.begin(), select.columns.end(),
                      [&](const sql::OutputColumn& c) { return c.alias == column.name; });
      select.columns.push_back(
          {sql::MakeColumn(alias, column.name), taken ? alias + '_' + column.name : column.name});
      ++added;
    }
  }

  // A column of points in time, by its type; else the key, which mostly grows.
  const catalog::Column* NewestFirst() const {
    constexpr std::array<std::string_view, 2> kTimes = {"timestamp", "date"};
    for (std::string_view time : kTimes)
      for (const catalog::Column& column : table_.columns) {
        if (LowerAscii(column.type).find(time) != std::string::npos &&
            policy_.MayReadValues(table_, column))
          return &column;
      }
    if (!table_.primary_key || table_.primary_key->columns.empty()) return nullptr;
    const std::size_t key = catalog::FindColumn(table_, table_.primary_key->columns.front());
    const bool may_read =
        key < table_.columns.size() && !policy_.RuleOf(table_, table_.columns[key]).IsBlocked();
    return may_read ? &table_.columns[key] : nullptr;
  }

  Result<ExampleQuery> Show(const sql::Select& select, std::string purpose) const {
    WARD_TRY(sql::Rendered rendered, sql::Render(select, dialect_));
    ExampleQuery out;
    out.sql_text = std::move(rendered.text);
    out.purpose = std::move(purpose);
    out.tables = {catalog::QualifiedName(table_)};
    return out;
  }

  const catalog::Table& table_;
  const sql::Dialect& dialect_;
  std::size_t columns_max_;
  const privacy::Policy& policy_;
};

bool IsBlocked(const privacy::Policy& policy, const catalog::Table& table,
               const catalog::ForeignKey& key) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const catalog::Column& column) {
                       return std::find(key.columns.begin(), key.columns.end(), column.name) !=
                                  key.columns.end() &&
                              policy.RuleOf(table, column).IsBlocked();
                     });
}

// The parent of the first foreign key whose table is indexed.
Status AddParentJoin(const Services& s, const privacy::Policy& policy, const FoundTable& found,
                     const catalog::Table& table, const Generator& generator,
                     std::vector<ExampleQuery>& queries) {
  const std::vector<std::int64_t> ids = {found.source.id};
  for (const catalog::ForeignKey& key : table.foreign_keys) {
    WARD_TRY(const auto parents, s.store.FindTables(ids, key.target_schema, key.target_table));
    if (parents.size() != 1) continue;
    WARD_TRY(const auto parent, s.store.GetTable(parents.front().id));
    if (!parent || IsBlocked(policy, table, key)) continue;
    WARD_TRY(auto query, generator.JoinTo(key, *parent));
    queries.push_back(std::move(query));
    return Ok();
  }
  return Ok();
}

// Leaves out what the guard would refuse this caller: an example is a statement that runs.
void KeepAllowed(const Services& s, const FoundTable& found, const CallContext& ctx,
                 std::vector<ExampleQuery>& queries) {
  const guard::Guard guard = s.GuardFor(found.source);
  IndexLookup lookup(s, found.source.id);
  std::erase_if(queries, [&](const ExampleQuery& query) {
    const auto approved = guard.ApproveText({query.sql_text, {}}, DialectOf(found.source), lookup,
                                            ctx.principal, nullptr);
    return !approved && approved.error().row().status == FailStatus::Refused;
  });
}

Result<std::vector<ExampleQuery>> Generate(const Services& s, const In& in, const FoundTable& found,
                                           const catalog::Table& table,
                                           const catalog::Column* column) {
  const privacy::Policy policy = s.PolicyFor(found.source);
  const Generator generator(
      table, DialectOf(found.source),
      in.response_format == Format::Detailed ? kDetailedColumns : kConciseColumns, policy);
  std::vector<ExampleQuery> queries;
  const bool is_blocked = column != nullptr && policy.RuleOf(table, *column).IsBlocked();
  if (column != nullptr && !is_blocked) {
    WARD_TRY(auto distinct, generator.CountDistinct(*column));
    const privacy::ColumnRule rule = policy.RuleOf(table, *column);
    distinct.sensitivity = privacy::NameOf(rule.classification.sensitivity);
    for (const privacy::Finding& finding : rule.classification.findings)
      distinct.pii_categories.emplace_back(privacy::NameOf(finding.category));
    queries.push_back(std::move(distinct));
    if (policy.MayReadValues(table, *column)) {
      WARD_TRY(auto values, generator.CountByValue(*column));
      queries.push_back(std::move(values));
    }
  } else {
    WARD_TRY(auto count, generator.Count());
    queries.push_back(std::move(count));
  }
  if (!generator.ReadsValues()) return queries;
  WARD_TRY(auto latest, generator.Latest());
  queries.push_back(std::move(latest));
  WARD_CHECK(AddParentJoin(s, policy, found, table, generator, queries));
  return queries;
}

struct Subject {
  FoundTable table;
  catalog::Table description;
  std::optional<std::size_t> column;
  std::string qualified_name;
};

Error WithCall(Error error, const In& in) {
  const auto& near = error.recovery().fuzzy_matches;
  std::optional<std::string> corrected;
  const bool is_sure =
      error.kind() == ErrorKind::UnknownColumn || error.kind() == ErrorKind::AmbiguousName;
  if (!near.empty() && (is_sure || IsLikely(in.qualified_name, near.front()))) {
    In next = in;
    next.qualified_name = near.front();
    next.cursor.reset();
    corrected = json::WriteArguments(next);
  }
  return WithNextCall(std::move(error), in.qualified_name, "get_example_queries", corrected);
}

// A table, or a column of one: whichever the name means. A name that means neither is a column's
// where its first parts are a table's.
Result<Subject> Find(const Services& s, const Scope& scope, const In& in) {
  WARD_TRY(auto column, LookUpColumn(s, scope, in.qualified_name));
  WARD_TRY(auto table, LookUpTable(s, scope, in.qualified_name));
  if (!table && column)
    return Subject{std::move(column->table), std::move(column->description), column->column,
                   std::move(column->qualified_name)};
  const auto parts = catalog::SplitName(in.qualified_name);
  if (!table && parts.size() > 1) {
    auto near_column = FindColumn(s, scope, in.qualified_name);
    if (!near_column && near_column.error().kind() == ErrorKind::UnknownColumn)
      return WithCall(std::move(near_column).error(), in);
  }
  auto found = FindTable(s, scope, in.qualified_name);
  if (!found) return WithCall(std::move(found).error(), in);
  WARD_TRY(auto description, Describe(s, *found));
  std::string name = found->qualified_name;
  return Subject{*std::move(found), std::move(description), std::nullopt, std::move(name)};
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  auto scope = ResolveScope(s, in.source);
  if (!scope) return MendSource(std::move(scope).error(), "get_example_queries", in);
  WARD_TRY(const Subject subject, Find(s, *scope, in));
  const catalog::Column* column =
      subject.column ? &subject.description.columns[*subject.column] : nullptr;
  WARD_TRY(auto queries, MinedExamples(s, subject.table, column));
  if (queries.empty()) {
    WARD_TRY(queries, Generate(s, in, subject.table, subject.description, column));
    KeepAllowed(s, subject.table, ctx, queries);
  }
  In start = in;
  start.cursor.reset();
  WARD_TRY(const Page page, Page::Open(s, ctx, "get_example_queries", json::WriteArguments(start),
                                       in.cursor, subject.table.source.generation));
  Out out;
  out.qualified_name = subject.qualified_name;
  out.total = static_cast<std::int64_t>(queries.size());
  const std::size_t begin = std::min(page.offset(), queries.size());
  const std::size_t end = std::min(begin + static_cast<std::size_t>(in.limit), queries.size());
  out.queries.assign(queries.begin() + static_cast<std::ptrdiff_t>(begin),
                     queries.begin() + static_cast<std::ptrdiff_t>(end));
  out.truncated = end < queries.size();
  if (out.truncated) out.next_cursor = page.Seal(fmt::format("{}", end));
  out.indexed_at = ToIsoUtc(subject.table.source.indexed_at_us);
  const auto weakest = std::max_element(
      out.queries.begin(), out.queries.end(),
      [](const ExampleQuery& a, const ExampleQuery& b) { return a.confidence < b.confidence; });
  const bool any = weakest != out.queries.end();
  const auto confidence = any ? weakest->confidence : tool::Confidence::Low;
  const auto provenance = any ? weakest->provenance : ExampleQuery().provenance;
  tool::Outcome<Out> outcome(std::move(out));
  outcome.confidence = confidence;
  outcome.provenance = provenance;
  if (!any) outcome.status = tool::Status::Empty;
  outcome.follow_up_hints = {"describe_table", "suggest_joins"};
  outcome.tables = {subject.table.qualified_name};
  return outcome;
}

}  // namespace

tool::ToolPtr get_example_queries(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "get_example_queries",
       .title = "Get example queries",
       .description = "Use this when you want example queries for a table or column. Returns SQL "
                      "with its purpose, origin and how "
                      "often it was seen; generated ones are marked LOW. Use suggest_joins instead "
                      "when you only need the join. "
                      "Common composition: describe_table then get_example_queries.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 500,
       .set = "catalog",
       .example_json = R"({"qualified_name":"public.orders"})"},
      services, Run);
}

}  // namespace schemaward::tools
