// search_tables: tables by meaning, within a run's budget.

#include "explore/limits.h"
#include "tools/explorations.h"
#include "tools/shapes.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kQueryMax = 2'000;  // bytes

struct In {
  std::string run_id, query;
  std::int64_t limit = explore::kSearchHitsDefault;
  void Bind(json::Fields& f) {
    f("run_id", run_id, "of start_exploration", {.required = true, .length_max = kRunIdMax});
    f("query", query, "what the tables are about", {.required = true, .length_max = kQueryMax});
    f("limit", limit, "most tables", {.minimum = 1, .maximum = explore::kSearchHitsMax});
  }
};

Result<tool::Outcome<StepOut>> Run(const Services& s, const In& in, CallContext& ctx) {
  explore::Action action;
  action.kind = explore::ActionKind::SearchTables;
  action.search = in.query;
  action.hits_wanted = in.limit;
  WARD_TRY(StepOut out, TakeStep(s, in.run_id, action, ctx));
  tool::Outcome<StepOut> outcome(std::move(out));
  if (outcome.data.tables.empty()) {
    outcome.status = tool::Status::Empty;
    outcome.confidence.reset();
  }
  outcome.follow_up_hints = {"lookup_schema", "search_tables"};
  return outcome;
}

}  // namespace

tool::ToolPtr search_tables(const Services& services) {
  return tool::MakeTool<In, StepOut>(
      {.name = "search_tables",
       .title = "Search tables in a run",
       .description =
           "Use this when a run of yours looks for tables by meaning. Returns the best tables with "
           "the reason and charges the run's budget. Use lookup_schema instead when you know the "
           "tables. Common compositions: search_tables then lookup_schema.",
       .effect = tool::Effect::WritesIndex,
       .tokens_estimate = 600,
       .idempotent = false,
       .set = "explore",
       .example_json = R"({"run_id":"run_0000000000000000","query":"orders"})"},
      services, Run);
}

}  // namespace schemaward::tools
