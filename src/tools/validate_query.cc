// validate_query: would a statement pass, what would run, and what would it cost?
#include <fmt/format.h>

#include "json/write.h"
#include "tools/shapes.h"
#include "tools/sql_text.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kSqlMax = 65'536;
constexpr std::size_t kParametersMax = 100;
constexpr std::size_t kPlanMax = 6'000;  // characters of the plan

struct In : SqlIn {
  void Bind(json::Fields& f) {
    f("sql", sql, "one SELECT", {.required = true, .length_max = kSqlMax});
    f("source", source, "source name; needed where several are served", {.length_max = kNameMax});
    f("parameters", parameters, "values of its placeholders, in order",
      {.items_max = kParametersMax});
  }
};

struct Out {
  std::string decision = "allowed";
  std::string statement;
  std::vector<TableReadOut> tables;
  std::vector<std::string> masked, rules;
  std::string plan, plan_withheld;
  std::optional<double> estimated_rows, estimated_cost;
  std::string source;
  void Bind(json::Fields& f) {
    f("decision", decision, "allowed; a refusal is an error");
    f("statement", statement, "what would run");
    f("tables", tables, "tables and columns that are read");
    f("masked", masked, "columns whose values are masked", {.omit_empty = true});
    f("rules", rules, "rules passed");
    f("plan", plan, "the engine's plan", {.omit_empty = true});
    f("plan_withheld", plan_withheld, kPlanWithheldDoc, {.omit_empty = true});
    f("estimated_rows", estimated_rows, "rows, as the engine estimates");
    f("estimated_cost", estimated_cost, "cost in the engine's own unit");
    f("source", source, "source");
  }
};

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  const auto with_sql = [&](const std::string& text) {
    In next = in;
    next.sql = text;
    return json::WriteArguments(next);
  };
  auto source = SourceOf(s, in);
  if (!source) return MendSource(std::move(source).error(), "validate_query", in);
  WARD_TRY(const auto parameters, ParametersOf(in));
  WARD_TRY(const guard::Approved approved,
           Approve(s, *source, in, parameters, "validate_query", with_sql, ctx));
  Out out;
  out.statement = approved.shown_text();
  out.tables = ShowReads(approved);
  out.masked = approved.masked();
  out.rules = approved.rules();
  out.source = source->name;
  tool::Outcome<Out> outcome(std::move(out));
  outcome.follow_up_hints = {"execute_query"};
  for (const TableReadOut& read : outcome.data.tables)
    outcome.tables.push_back(read.qualified_name);
  outcome.data.plan_withheld = RuleAgainstPlanText(approved);
  if (!outcome.data.plan_withheld.empty()) outcome.status = tool::Status::Partial;
  if (!RuleAgainstPlan(approved).empty()) return outcome;
  // The decision stands without a plan: a source that is down, or a script, has none.
  const auto plan = s.sources.Explain(*source, approved, ctx);
  if (!plan) {
    outcome.status = tool::Status::Partial;
    return outcome;
  }
  if (outcome.data.plan_withheld.empty()) outcome.data.plan = CleanText(plan->text, kPlanMax);
  if (plan->rows >= 0) outcome.data.estimated_rows = plan->rows;
  if (plan->cost >= 0) outcome.data.estimated_cost = plan->cost;
  return outcome;
}

}  // namespace

tool::ToolPtr validate_query(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "validate_query",
       .title = "Validate a query",
       .description = "Use this when you want to know whether a query would pass. Returns the "
                      "decision, the statement that would run, what it reads and the engine's "
                      "plan; runs nothing. Use execute_query instead when you want its rows. "
                      "Common compositions: describe_table then validate_query then execute_query.",
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 400,
       .set = "sql",
       .example_json = R"({"sql":"SELECT 1"})"},
      services, Run);
}

}  // namespace schemaward::tools
