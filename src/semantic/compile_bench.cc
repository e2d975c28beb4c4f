// The way of a question to one statement: plan, compile, render. The metric's group is five joins
// away, among entities that do not matter. usage: semantic_bench [--benchmark_*]

#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "semantic/compile.h"
#include "semantic/planner.h"
#include "sql/dialect.h"
#include "sql/render.h"

namespace schemaward::semantic {
namespace {

constexpr int kHops = 5;

catalog::Table TableOf(const std::string& name, bool has_parent) {
  catalog::Table table;
  table.schema = "public";
  table.name = name;
  const auto add = [&](const char* column, const char* type) {
    catalog::Column& added = table.columns.emplace_back();
    added.name = column;
    added.type = type;
  };
  add("id", "bigint");
  add("name", "text");
  add("amount", "numeric");
  add("at", "timestamp with time zone");
  if (has_parent) add("parent_id", "bigint");
  table.primary_key = catalog::Key{"pk", {"id"}};
  return table;
}

// `count` entities in a chain of parents, and as many that hang beside it.
std::shared_ptr<const Model> Chain(int count) {
  Definitions definitions;
  std::vector<catalog::Table> tables;
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("e{:04}", i);
    tables.push_back(TableOf(name, i + 1 < count));
    Entity entity;
    entity.name = name;
    entity.table = "public." + name;
    entity.identity = {"id"};
    entity.default_time_dimension = "at";
    definitions.entities.push_back(entity);
    if (i + 1 == count) continue;
    Join join;
    join.name = fmt::format("j{:04}", i);
    join.from = name;
    join.to = fmt::format("e{:04}", i + 1);
    join.on = {{"parent_id", "id"}};
    definitions.joins.push_back(join);
  }
  Metric metric;
  metric.name = "total";
  metric.entity = "e0000";
  metric.aggregation = Aggregation::Sum;
  metric.column = "amount";
  metric.filters = {"amount > 0"};
  definitions.metrics.push_back(metric);
  return Model::Build(std::move(definitions), tables);
}

void CompileAcrossHops(benchmark::State& state) {
  const auto model = Chain(static_cast<int>(state.range(0)));
  Question question;
  question.name = "total";
  question.group_by = {fmt::format("e{:04}.name", kHops)};
  Filter filter;
  filter.column = "e0002.name";
  filter.op = "ne";
  filter.value = {"\"x\""};
  question.filters = {filter};
  question.time_grain = "month";
  question.time_range = TimeRange{"2024-01-01", "2025-01-01"};
  PlanOptions options;
  options.now_utc = 1'735'689'600'000'000;
  for ([[maybe_unused]] auto _ : state) {
    std::optional<Question> mended;
    const auto planned = MakePlan(*model, question, options, mended);
    if (!planned) return state.SkipWithError(planned.error().message().c_str());
    const auto compiled = Compile(*model, planned->plan);
    if (!compiled) return state.SkipWithError(compiled.error().message().c_str());
    const auto rendered = sql::Render(compiled->select, sql::Postgres());
    if (!rendered) return state.SkipWithError(rendered.error().message().c_str());
    benchmark::DoNotOptimize(rendered->text.size());
  }
}
BENCHMARK(CompileAcrossHops)->Arg(10)->Arg(200)->Arg(2000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace schemaward::semantic

BENCHMARK_MAIN();
