// schemaward explore: a model asks a source one thing after another to answer a question.

#include <string>

#include <fmt/format.h>

#include "app/models.h"
#include "app/server.h"
#include "base/cut.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "explore/explorer.h"
#include "json/value.h"
#include "tools/names.h"
#include "tools/warehouse.h"

namespace schemaward::cli {
namespace {

Result<app::MeteredModel> ModelOf(const CommandLine& line, const app::Application& app) {
  app::ModelLimits limits;
  limits.window_tokens = line.window_tokens;
  if (line.max_cost) {
    WARD_TRY(limits.cost_max, app::ParseUsd(*line.max_cost));
  }
  return app::MakeModel(app.config(), line.model, limits);
}

void ShowStep(const explore::Step& step) {
  const std::string what = CutText(explore::ToJson(step.action), 120);
  PrintWords(fmt::format("{:4} {}", step.number, what));
  PrintWords(fmt::format("     {}", step.error.empty() ? step.short_form : step.error));
}

std::string StepJson(const explore::Step& step) {
  return fmt::format(
      R"({{"step":{},"action":{},"statement":{},"rows":{},"error":{},"input_tokens":{},"output_tokens":{}}})",
      step.number, explore::ToJson(step.action), json::Quote(step.statement), step.rows,
      json::Quote(step.error), step.usage.input_tokens, step.usage.output_tokens);
}

void PrintJson(const explore::RunResult& run) {
  const explore::Counters& counters = run.state.counters;
  std::string steps;
  for (const explore::Step& step : run.state.steps)
    steps += (steps.empty() ? "" : ",") + StepJson(step);
  PrintLine(fmt::format(
      R"({{"status":"{}","summary":{},"error":{},"schema_lookup_calls":{},"schema_search_calls":{},)"
      R"("queries":{},"queries_successful":{},"queries_failed":{},"unparsable_replies":{},)"
      R"("input_tokens":{},"output_tokens":{},"largest_prompt_tokens":{},"tables_left_out":{},"steps":[{}]}})",
      explore::NameOf(run.status), json::Quote(run.summary),
      run.error ? json::Quote(run.error->message()) : "null", counters.schema_lookup_calls,
      counters.schema_search_calls, counters.queries, counters.queries_successful,
      counters.queries_failed, counters.unparsable_replies, run.usage.input_tokens,
      run.usage.output_tokens, run.largest_prompt_tokens, run.catalog.tables_left_out, steps));
}

}  // namespace

int RunExplore(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  const auto model = ModelOf(line, app);
  if (!model) return PrintError(model.error());
  const auto server =
      app::ToolServer::Create(app, {.sets = {"catalog", "sql"}, .served = {where->source.name}});
  if (!server) return PrintError(server.error());
  CallContext ctx = app.CommandContext();
  tools::IndexWarehouse warehouse((*server)->services().For(ctx), (*server)->invoker(),
                                  where->source);
  explore::RunRequest request;
  request.question = line.arguments.front();
  request.dialect = tools::DialectOf(where->source).name;
  request.limits.steps_max = line.steps_max;
  request.limits.steps_min = line.steps_min;
  const auto on_step = [](const explore::Step& step) -> Status {
    ShowStep(step);
    return Ok();
  };
  const explore::RunResult run = explore::Explore(request, warehouse, *model->llm, on_step, ctx);
  if (line.json)
    PrintJson(run);
  else if (!run.summary.empty())
    PrintLine(run.summary);
  if (run.error) return PrintError(*run.error);
  const std::string cost = model->price ? ", USD " + llm::ShowUsd(model->meter->spent().cost) : "";
  PrintWords(fmt::format("{}: {} steps, {} tokens in, {} out{}", explore::NameOf(run.status),
                         run.state.steps.size(), run.usage.input_tokens, run.usage.output_tokens,
                         cost));
  return kDone;
}

}  // namespace schemaward::cli
