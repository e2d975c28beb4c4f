#include "cli/exploring.h"

#include <string>

#include <fmt/format.h>

#include "app/driving.h"
#include "app/runs.h"
#include "app/server.h"
#include "base/cut.h"
#include "cli/output.h"
#include "explore/recorded_run.h"
#include "json/value.h"
#include "tools/warehouse.h"

namespace schemaward::cli {
namespace {

void ShowStep(const explore::Step& step) {
  const std::string what = CutText(explore::ToJson(step.action), 120);
  PrintWords(fmt::format("{:4} {}", step.number, what));
  if (!step.repairs.empty())
    PrintWords(fmt::format("     rewritten {} times", step.repairs.size()));
  PrintWords(fmt::format("     {}", step.error.empty() ? step.short_form : step.error));
}

void ShowArea(const explore::AreaResult& area) {
  PrintWords(fmt::format("area {}: {}{}, {} steps read", area.id, area.status,
                         area.why.empty() ? "" : " (" + area.why + ")", area.steps.size()));
}

void ShowInsight(const explore::RunInsight& insight) {
  PrintWords(fmt::format("{:14}{}", insight.status, CutText(insight.name, 120)));
}

std::string CostOf(const app::MeteredModel& model) {
  const llm::NanoUsd of_embedder = model.embedder ? model.embedder->spent().cost : 0;
  if (!model.price && of_embedder == 0) return {};
  return ", USD " + llm::ShowUsd(model.meter->spent().cost + of_embedder);
}

// What stands at the foot of the screen while the model thinks.
Progress Waiting(std::int64_t steps_done, const explore::RunRecord& run,
                 const app::MeteredModel& model) {
  const llm::Usage usage = model.meter->spent().usage;
  return {steps_done, 0,
          fmt::format("step {} of {}, {} tokens in, {} out{}", steps_done + 1, run.limits.steps_max,
                      usage.input_tokens, usage.output_tokens, CostOf(model))};
}

std::string StepJson(const explore::Step& step) {
  return fmt::format(
      R"({{"step":{},"action":{},"statement":{},"rows":{},"repairs":{},"error":{},"input_tokens":{},"output_tokens":{}}})",
      step.number, explore::ToJson(step.action), json::Quote(step.statement), step.rows,
      step.repairs.size(), json::Quote(step.error), step.usage.input_tokens,
      step.usage.output_tokens);
}

void PrintJson(const explore::RecordedRun& ended) {
  const explore::RunRecord& run = ended.record;
  const explore::Counters& counters = run.counters;
  std::string steps;
  for (const explore::Step& step : ended.result.state.steps)
    steps += (steps.empty() ? "" : ",") + StepJson(step);
  PrintLine(fmt::format(
      R"({{"run_id":"{}","status":"{}","summary":{},"error":{},"schema_lookup_calls":{},"schema_search_calls":{},)"
      R"("queries":{},"queries_successful":{},"queries_failed":{},"queries_repaired":{},"repairs":{},"unparsable_replies":{},)"
      R"("input_tokens":{},"output_tokens":{},"embedder_tokens":{},"cost_usd":"{}","largest_prompt_tokens":{},"tables_left_out":{},"analysis":{},"steps":[{}]}})",
      run.id, run.status, json::Quote(run.summary),
      run.error_text.empty() ? "null" : json::Quote(run.error_text), counters.schema_lookup_calls,
      counters.schema_search_calls, counters.queries, counters.queries_successful,
      counters.queries_failed, counters.queries_repaired, counters.repairs,
      counters.unparsable_replies, run.spent.usage.input_tokens, run.spent.usage.output_tokens,
      run.embedder.usage.input_tokens, llm::ShowUsd(explore::CostOf(run)),
      ended.result.largest_prompt_tokens, ended.result.catalog.tables_left_out,
      run.pack.empty() ? "null" : explore::ToJson(run.analysis), steps));
}

int Tell(const CommandLine& line, const explore::RecordedRun& ended,
         const app::MeteredModel& model) {
  const explore::RunRecord& run = ended.record;
  if (line.json)
    PrintJson(ended);
  else if (!run.summary.empty())
    PrintLine(run.summary);
  PrintWords(fmt::format("{} is {}: {} steps, {} tokens in, {} out{}", run.id, run.status,
                         run.steps, run.spent.usage.input_tokens, run.spent.usage.output_tokens,
                         CostOf(model)));
  const bool is_over = run.status == "completed" || run.status == "cancelled";
  if (!is_over) PrintWords("  Take it up again with `schemaward runs resume " + run.id + "`.");
  return ended.result.error ? PrintError(*ended.result.error) : kDone;
}

}  // namespace

int DriveRun(const CommandLine& line, app::Application& app, explore::RunStore& runs,
             const Exploring& what, const StopSignal& stop) {
  const auto server =
      app::ToolServer::Create(app, {.sets = {"catalog", "sql"}, .served = {what.source.name}});
  if (!server) return PrintError(server.error());
  auto run = what.begin();
  if (!run) return PrintError(run.error());
  auto options = app::DriveOptionsOf(app, *run, what.model, {ShowArea, ShowInsight});
  if (!options) return PrintError(options.error());
  CallContext ctx = app.CommandContext();
  ctx.stop = stop.token();
  tools::IndexWarehouse warehouse((*server)->services().For(ctx), (*server)->invoker(), what.source,
                                  {}, app::MeaningOf(what.model));
  PrintWords(fmt::format("{} explores {}", run->id, what.source.name));
  ProgressBar bar("");
  bar.Show(Waiting(run->steps, *run, what.model));
  options->on_step = [&](const explore::Step& step) -> Status {
    bar.Clear();
    ShowStep(step);
    bar.Show(Waiting(step.number, *run, what.model));
    return Ok();
  };
  const auto ended = explore::Drive(runs, *run, warehouse, *what.model.llm, *options, ctx);
  bar.Clear();
  if (!ended) return PrintError(ended.error());
  return Tell(line, *ended, what.model);
}

}  // namespace schemaward::cli
