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

}  // namespace

void AddExplore(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb(
      "explore", "Let a model explore a source to answer a question",
      "  schemaward explore 'why do refunds grow?' --model anthropic:NAME --max-cost 2.50\n"
      "  schemaward explore 'why do refunds grow?' --model scripted:replies.json\n"
      "  schemaward explore 'what costs us customers?' --pack ecommerce --max-cost 5\n"
      "  schemaward explore 'why do refunds grow?' --model anthropic:NAME --estimate",
      RunExplore);
  verb.PolicyFile();
  verb.Words("QUESTION", {}, "What to find out");
  verb.Model(
      "A name of the configuration's models, provider:name, scripted:FILE (a JSON array of "
      "replies) or recorded:FILE; else the setting llm.model");
  verb.OneSource();
  verb.MaxSteps();
  verb.Number("--min-steps", "N", {0, 1'000}, line.steps_min,
              "Steps before the model may end the run");
  verb.Number("--window", "N", {4'000, 10'000'000}, line.window_tokens,
              "Tokens of the model's window; else as configured");
  verb.Text("--pack", "NAME|DIR", line.pack,
            "A domain pack, or its folder with a slash: its words frame the run, and its areas "
            "are analysed afterwards");
  verb.Text("--category", "NAME", line.category, "A category of the pack");
  verb.Flag("--no-verify", line.no_verify,
            "Do not recompute the numbers of the insights of the analysis");
  verb.Flag("--estimate", line.estimate,
            "Say what the run will come to, in tokens and money, and begin nothing");
}

}  // namespace schemaward::cli
