// schemaward explore: a model asks a source one thing after another to answer a question.

#include "app/runs.h"
#include "cli/estimating.h"
#include "cli/exploring.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"

namespace schemaward::cli {
namespace {

tools::RunWish WishOf(const CommandLine& line) {
  tools::RunWish wish;
  wish.question = line.arguments.front();
  wish.driver = explore::Driver::Model;
  if (line.steps_max > 0) wish.limits.steps_max = line.steps_max;
  wish.limits.steps_min = line.steps_min;
  wish.cost_max_usd = line.max_cost;
  wish.pack = line.pack;
  wish.category = line.category;
  wish.verifies = !line.no_verify;
  return wish;
}

}  // namespace

int RunExplore(const CommandLine& line, app::Application& app) {
  const StopSignal stop;
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  auto run = app::NewRun(app.config(), WishOf(line), where->source, app.CommandContext(),
                         {line.model, line.window_tokens});
  if (!run) return PrintError(run.error());
  const auto model = app::ModelOf(app, *run);
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
