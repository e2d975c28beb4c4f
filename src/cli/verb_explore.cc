// schemaward explore: a model asks a source one thing after another to answer a question.

#include "app/runs.h"
#include "cli/estimating.h"
#include "cli/exploring.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"

namespace schemaward::cli {
namespace {

Result<app::RunSpec> SpecOf(const CommandLine& line) {
  app::RunSpec spec;
  spec.question = line.arguments.front();
  if (line.steps_max > 0) spec.limits.steps_max = line.steps_max;
  spec.limits.steps_min = line.steps_min;
  spec.model = line.model;
  spec.window_tokens = line.window_tokens;
  spec.pack = line.pack;
  spec.category = line.category;
  spec.verifies = !line.no_verify;
  if (line.max_cost) {
    WARD_TRY(spec.cost_max, app::ParseUsd(*line.max_cost));
  }
  return spec;
}

}  // namespace

int RunExplore(const CommandLine& line, app::Application& app) {
  const StopSignal stop;
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  const auto spec = SpecOf(line);
  if (!spec) return PrintError(spec.error());
  auto run = app::NewRun(app.config(), *spec, where->source, app.CommandContext());
  if (!run) return PrintError(run.error());
  const auto model = app::ModelOf(app.config(), *run);
  if (!model) return PrintError(model.error());
  if (line.estimate) return TellForecast(line, app, where->source, *run, *model);
  explore::RunStore runs(explore::RunsPath(app.config().store_path()), app.clock());
  const auto begin = [&]() -> Result<explore::RunRecord> {
    WARD_CHECK(runs.Create(*run));
    return *run;
  };
  return DriveRun(line, app, runs, {where->source, *model, begin}, stop);
}

}  // namespace schemaward::cli
