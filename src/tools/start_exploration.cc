// start_exploration: opens a run with budgets, for a model in the background or for the caller.

#include "explore/limits.h"
#include "tools/explorations.h"
#include "tools/shapes.h"
#include "tools/sql_text.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

enum class DecidedBy : std::uint8_t { Model, Agent };

}  // namespace
}  // namespace schemaward::tools

template <>
struct schemaward::json::EnumNames<schemaward::tools::DecidedBy> {
  static constexpr std::array<std::string_view, 2> kNames = {"model", "agent"};
};

namespace schemaward::tools {
namespace {

constexpr std::int64_t kCallsMax = 1'000;

struct In {
  std::string question;
  std::optional<std::string> source;
  std::optional<DecidedBy> decided_by;
  std::int64_t max_steps = explore::Limits{}.steps_max;
  std::int64_t max_lookups = explore::Budget{}.calls_max;
  std::int64_t max_searches = explore::Budget{}.calls_max;
  std::optional<std::string> max_cost, pack, category;
  bool verify = true;
  void Bind(json::Fields& f) {
    f("question", question, "what to find out",
      {.required = true, .length_max = explore::kQuestionBytesMax});
    f("source", source, "source name; needed where several are served", {.length_max = kNameMax});
    f("decided_by", decided_by,
      "model: a configured one, in the background, else your client's; agent: your calls");
    f("max_steps", max_steps, "most steps", {.minimum = 1, .maximum = explore::kStepsMax});
    f("max_lookups", max_lookups, "most calls of lookup_schema",
      {.minimum = 0, .maximum = kCallsMax});
    f("max_searches", max_searches, "most calls of search_tables",
      {.minimum = 0, .maximum = kCallsMax});
    f("max_cost", max_cost, "most US dollars of model and embedder: \"0.50\"", {.length_max = 40});
    f("pack", pack, "domain pack, for a run of a model: its areas are analysed afterwards",
      {.length_max = kNameMax});
    f("category", category, "of the pack", {.length_max = kNameMax});
    f("verify", verify, "recompute the number of each insight of the analysis");
  }
};

struct Out {
  RunOut run;
  void Bind(json::Fields& f) { f("run", run, "how it stands"); }
};

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  SqlIn at;
  at.source = in.source;
  auto source = SourceOf(s, at);
  if (!source) return MendSource(std::move(source).error(), "start_exploration", in);
  if (s.explorations == nullptr)
    return Error(ErrorKind::EngineUnavailable, "there are no explorations here");
  RunWish wish;
  wish.question = in.question;
  wish.limits.steps_max = in.max_steps;
  wish.limits.lookups.calls_max = in.max_lookups;
  wish.limits.searches.calls_max = in.max_searches;
  wish.cost_max_usd = in.max_cost;
  wish.pack = in.pack.value_or("");
  wish.category = in.category.value_or("");
  wish.verifies = in.verify;
  const bool by_model =
      in.decided_by ? *in.decided_by == DecidedBy::Model : s.explorations->HasModel();
  wish.driver = by_model ? explore::Driver::Model : explore::Driver::Agent;
  auto run = s.explorations->Start(wish, *source, ctx);
  if (!run) {
    Error error = std::move(run).error();
    if (error.recovery().call) return error;
    if (error.kind() == ErrorKind::PoolFull) return error.Suggest("get_exploration", "{}");
    In own = in;  // without a model the same run is the caller's
    own.decided_by = DecidedBy::Agent;
    own.max_cost.reset();
    own.pack.reset();
    own.category.reset();
    if (by_model) error.Suggest("start_exploration", json::WriteArguments(own));
    return error;
  }
  Out out;
  out.run = ShowRun(*run);
  tool::Outcome<Out> outcome(std::move(out));
  outcome.confidence.reset();
  outcome.provenance.reset();
  if (run->status == "partial") outcome.status = tool::Status::Partial;
  if (by_model)
    outcome.follow_up_hints = {"get_exploration"};
  else
    outcome.follow_up_hints = {"search_tables", "lookup_schema", "verify_claim"};
  return outcome;
}

}  // namespace

tool::ToolPtr start_exploration(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "start_exploration",
       .title = "Start an exploration",
       .description = "Use this when you want an exploration of an open question, within budgets. "
                      "Returns the run, which a configured model drives in the background, else "
                      "your own calls do. Use get_exploration instead when you have a run already. "
                      "Common compositions: start_exploration then get_exploration; "
                      "start_exploration then search_tables, lookup_schema and verify_claim.",
       .effect = tool::Effect::CallsModel,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 300,
       .idempotent = false,
       .set = "explore",
       .example_json = R"({"question":"how do orders grow?","decided_by":"agent"})"},
      services, Run);
}

}  // namespace schemaward::tools
