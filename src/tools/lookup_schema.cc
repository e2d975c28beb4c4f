// lookup_schema: columns of tables within a run's budget.

#include <fmt/format.h>

#include "explore/limits.h"
#include "tools/explorations.h"
#include "tools/shapes.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kAskedMax =
    50;  // names; the tables past one call's most are named in the answer

struct In {
  std::string run_id;
  std::vector<std::string> tables;
  void Bind(json::Fields& f) {
    f("run_id", run_id, "of start_exploration", {.required = true, .length_max = kRunIdMax});
    f("tables", tables, "schema.table; 10 are shown in one call",
      {.required = true, .items_max = kAskedMax, .length_max = kNameMax});
  }
};
static_assert(explore::kLookupTablesMax == 10, "the description of `tables` names it");

Result<tool::Outcome<StepOut>> Run(const Services& s, const In& in, CallContext& ctx) {
  explore::Action action;
  action.kind = explore::ActionKind::LookupSchema;
  action.tables = in.tables;
  WARD_TRY(StepOut out, TakeStep(s, in.run_id, action, ctx));
  tool::Outcome<StepOut> outcome(std::move(out));
  outcome.tables = outcome.data.tables;
  outcome.follow_up_hints = {"verify_claim", "execute_query", "get_exploration"};
  return outcome;
}

}  // namespace

tool::ToolPtr lookup_schema(const Services& services) {
  return tool::MakeTool<In, StepOut>(
      {.name = "lookup_schema",
       .title = "Look up schemas in a run",
       .description =
           "Use this when a run of yours needs the schema of tables. Returns columns, keys and "
           "sample rows of up to 10 tables and charges the run's budget; tables shown before cost "
           "nothing. Use search_tables instead when you do not know their names. Common "
           "compositions: search_tables then lookup_schema; lookup_schema then verify_claim.",
       .effect = tool::Effect::WritesIndex,
       .tokens_estimate = 1'500,
       .idempotent = false,
       .set = "explore",
       .example_json = R"({"run_id":"run_0000000000000000","tables":["public.orders"]})"},
      services, Run);
}

}  // namespace schemaward::tools
