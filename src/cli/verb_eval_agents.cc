// schemaward eval agents: models do tasks on the tools as they are served, and are held against
// what is known of the tasks.

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agents/run.h"
#include "app/models.h"
#include "app/server.h"
#include "base/read_file.h"
#include "cli/output.h"
#include "cli/stop_signal.h"
#include "cli/verbs.h"
#include "json/value.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kFileBytesMax = 64U << 20U;

Result<agents::TaskSet> TasksOf(const CommandLine& line) {
  if (line.tasks.empty()) return agents::StarterTasks();
  WARD_TRY(const std::string text, ReadFile(line.tasks, kFileBytesMax));
  return agents::ReadTasks(text);
}

// What a client hands a model of a tool.
std::string ShownDefinition(const tool::Tool& tool) {
  const auto whole = json::Parse(tool::DefinitionJson(tool, false));
  json::Value shown = json::Value::object();
  for (const char* member : {"name", "description", "inputSchema"})
    if (whole && whole->value().contains(member)) shown[member] = whole->value()[member];
  return shown.dump();
}

Result<std::unique_ptr<app::ToolServer>> ServerOf(app::Application& app,
                                                  const agents::TaskSet& tasks) {
  WARD_TRY(store::Store * store, app.Store(false));
  WARD_TRY(const auto source, store->FindSource(tasks.source));
  if (!source) {
    Error error(
        ErrorKind::UnknownSource,
        fmt::format("the tasks are about source \"{}\", which is not indexed", tasks.source));
    return std::move(error.Hint(
        "The sample shop of the starter tasks is made by ./quickstart; docs/agents.md says how."));
  }
  WARD_TRY(const auto sets, app::ParseToolSets(app.config().Get("tools"), true));
  return app::ToolServer::Create(app, {.sets = sets, .served = {tasks.source}});
}

// Lifetime: of `server`, `app` and `stop`.
agents::Toolbox ToolboxOf(const app::ToolServer& server, const app::Application& app,
                          const StopSignal& stop) {
  agents::Toolbox toolbox;
  toolbox.instructions = server.Instructions();
  for (const tool::Tool* tool : server.registry().served())
    toolbox.definitions.push_back(ShownDefinition(*tool));
  toolbox.call = [&](const std::string& tool, const json::Value& arguments) {
    CallContext ctx = app.CommandContext();
    ctx.stop = stop.token();
    const tool::Answer answer = server.invoker().Invoke(tool, arguments, ctx);
    return agents::CallAnswer{answer.text, answer.is_error};
  };
  return toolbox;
}

struct NamedModel {
  std::string name;
  app::MeteredModel model;
};

// All of them before the first is asked, so that a name that is wrong costs nothing.
Result<std::vector<NamedModel>> ModelsOf(const CommandLine& line, const app::Application& app) {
  app::ModelLimits limits;
  if (line.max_cost) {
    WARD_TRY(limits.cost_max, app::ParseUsd(*line.max_cost));
  }
  std::vector<std::string> names = line.models;
  if (names.empty()) names.push_back(app.config().Get("llm.model"));
  std::vector<NamedModel> models;
  for (const std::string& name : names) {
    WARD_TRY(app::MeteredModel model, app::MakeModel(app.config(), name, limits));
    models.push_back({name, std::move(model)});
  }
  return models;
}

// Plays all tasks by each model; ends with the first model that ends early.
std::optional<Error> PlayBy(const std::vector<NamedModel>& models, const agents::TaskSet& tasks,
                            const agents::Toolbox& toolbox, agents::Run& run, CallContext& ctx) {
  ProgressBar bar("");
  for (const NamedModel& one : models) {
    std::int64_t done = 0;
    const auto on_task = [&](const agents::TaskResult& task) {
      bar.Show({++done, static_cast<std::int64_t>(tasks.tasks.size()),
                fmt::format("{}: {}", one.name, task.task)});
    };
    std::optional<Error> error;
    run.models.push_back(agents::PlayAll(tasks, toolbox, *one.model.llm, {}, on_task, error, ctx));
    agents::ModelResult& result = run.models.back();
    result.model = one.name;
    if (one.model.price) result.cost_usd = llm::ShowUsd(one.model.meter->spent().cost);
    if (error) return error;
  }
  return std::nullopt;
}

bool IsBelow(const agents::Run& run, const app::Config& config) {
  const auto agreement = static_cast<double>(config.GetInt("eval.min_agreement"));
  const auto success = static_cast<double>(config.GetInt("eval.min_success"));
  bool is_below = false;
  for (const agents::ModelResult& model : run.models) {
    if (model.agreement >= agreement && model.success >= success) continue;
    PrintWords(
        fmt::format("{} is below the threshold: agreement {:.1f}% of {}%, success {:.1f}% of {}%",
                    model.model, model.agreement, agreement, model.success, success));
    is_below = true;
  }
  return is_below;
}

void Print(const CommandLine& line, const agents::Run& run,
           const std::optional<agents::Run>& before) {
  std::string text = line.json ? agents::ToJson(run) : agents::ToText(run);
  if (before && !line.json) text += "\n" + agents::Changes(*before, run);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  PrintLine(text);
  if (before && line.json) PrintWords(agents::Changes(*before, run));
}

Result<std::optional<agents::Run>> EarlierRun(const CommandLine& line) {
  if (line.compare.empty()) return std::optional<agents::Run>();
  WARD_TRY(const std::string text, ReadFile(line.compare, kFileBytesMax));
  WARD_TRY(agents::Run run, agents::ReadRun(text));
  return std::optional(std::move(run));
}

Result<int> Evaluate(const CommandLine& line, app::Application& app, const StopSignal& stop) {
  WARD_TRY(const agents::TaskSet tasks, TasksOf(line));
  WARD_TRY(const auto before, EarlierRun(line));
  if (!line.keep.empty()) WARD_CHECK(MayWrite(line.keep, line.force));
  WARD_TRY(const auto models, ModelsOf(line, app));
  WARD_TRY(const auto server, ServerOf(app, tasks));
  const agents::Toolbox toolbox = ToolboxOf(*server, app, stop);
  agents::Run run;
  run.at_ms = app.clock().UnixMicros() / 1'000;
  run.tasks_hash = tasks.hash;
  run.tools_hash = agents::HashOf(toolbox);
  CallContext ctx = app.CommandContext();
  ctx.stop = stop.token();
  const auto error = PlayBy(models, tasks, toolbox, run, ctx);
  agents::CompareModels(run);
  Print(line, run, before);
  if (!line.keep.empty())
    WARD_CHECK(WriteOutput(line.keep, agents::ToJson(run) + "\n", line.force));
  if (error) return *error;
  return IsBelow(run, app.config()) ? kNo : kDone;
}

int RunEvalAgents(const CommandLine& line, app::Application& app) {
  const StopSignal stop;
  const auto code = Evaluate(line, app, stop);
  return code ? *code : PrintError(code.error());
}

}  // namespace

void AddEvalAgents(Syntax& eval, CommandLine& line) {
  Syntax verb = eval.Verb(
      "agents", "Let models do tasks whose tools and outcomes are known, and print how they did",
      "  schemaward eval agents --model anthropic:NAME --max-cost 5 --keep today.json\n"
      "  schemaward eval agents --model anthropic:NAME --model openai:NAME\n"
      "  schemaward eval agents --model fast --compare today.json --min-success 90\n"
      "  schemaward eval agents --tasks tasks.jsonl --model fast --json",
      RunEvalAgents);
  verb.PolicyFile();
  verb.Texts("--model", "MODEL", line.models,
             "A model that plays, named as for explore; may be repeated; else the setting "
             "llm.model");
  verb.MaxCost("Most US dollars that each model may cost; needs a price file");
  verb.Text("--tasks", "FILE", line.tasks,
            "One task a line; else the starter set about the sample shop");
  verb.Text("--keep", "FILE", line.keep, "Keep the run in this file");
  verb.Flag("--force", line.force, "Write over a file that is there");
  verb.Text("--compare", "FILE", line.compare, "Say what changed since the run in this file");
  verb.Setting("--min-agreement", "eval.min_agreement", "PERCENT",
               "Exit code 1 where a model's tool-choice agreement is below");
  verb.Setting("--min-success", "eval.min_success", "PERCENT",
               "Exit code 1 where a model's task success is below");
  verb.Setting("--tools", "tools", "SETS", "Sets of tools that models see, as for serve");
}

}  // namespace schemaward::cli
