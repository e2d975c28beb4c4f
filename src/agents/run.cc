#include "agents/run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agents/score.h"
#include "base/cut.h"
#include "base/sha256.h"
#include "json/read.h"
#include "json/value.h"
#include "json/write.h"

namespace schemaward::agents {
namespace {

constexpr double kPercent = 100;

TaskResult ResultOf(const Task& task, const Played& played) {
  const Score score = ScoreOf(task, played);
  TaskResult result;
  result.task = task.id;
  result.ended = played.ending;
  result.success = score.success;
  result.agreement = kPercent * score.agreement;
  for (const MadeCall& call : played.calls) result.tools.push_back(call.tool);
  result.answer = CutText(played.answer, TaskResult::kAnswerBytesMax);
  result.input_tokens = played.usage.input_tokens;
  result.output_tokens = played.usage.output_tokens;
  return result;
}

void Total(ModelResult& model) {
  for (const TaskResult& task : model.tasks) {
    model.agreement += task.agreement;
    model.success += task.success ? kPercent : 0;
    model.input_tokens += task.input_tokens;
    model.output_tokens += task.output_tokens;
  }
  const auto played = static_cast<double>(std::max<std::size_t>(model.tasks.size(), 1));
  model.agreement /= played;
  model.success /= played;
}

const TaskResult* Find(const ModelResult& model, std::string_view task) {
  for (const TaskResult& one : model.tasks)
    if (one.task == task) return &one;
  return nullptr;
}

const ModelResult* Find(const Run& run, std::string_view model) {
  for (const ModelResult& one : run.models)
    if (one.model == model) return &one;
  return nullptr;
}

std::string FirstTool(const TaskResult& task) {
  return task.tools.empty() ? "" : task.tools.front();
}

std::string_view WordOf(Ending ending) {
  return json::EnumNames<Ending>::kNames[static_cast<std::size_t>(ending)];
}

std::string TextOf(const ModelResult& model) {
  std::string out = fmt::format("{}\n{:<24} {:>9} {:>8}  {:<10} tools\n", model.model, "task",
                                "agreement", "success", "ended");
  for (const TaskResult& task : model.tasks)
    out +=
        fmt::format("{:<24} {:>8.0f}% {:>8}  {:<10} {}\n", task.task, task.agreement,
                    task.success ? "yes" : "no", WordOf(task.ended), fmt::join(task.tools, ", "));
  out += fmt::format("{} of {} tasks: tool-choice agreement {:.1f}%, task success {:.1f}%\n",
                     model.tasks.size(), model.asked, model.agreement, model.success);
  out += fmt::format("{} tokens in, {} out{}\n", model.input_tokens, model.output_tokens,
                     model.cost_usd.empty() ? "" : ", USD " + model.cost_usd);
  if (!model.complete) out += fmt::format("ended early: {}\n", model.ended_by);
  return out;
}

std::string ChangesOf(const ModelResult& before, const ModelResult& now) {
  std::string out =
      fmt::format("{}: agreement {:.1f}% -> {:.1f}%, success {:.1f}% -> {:.1f}%\n", now.model,
                  before.agreement, now.agreement, before.success, now.success);
  for (const TaskResult& task : now.tasks) {
    const TaskResult* old = Find(before, task.task);
    if (old == nullptr) continue;
    if (old->success != task.success)
      out += fmt::format("  {}: {}\n", task.task,
                         task.success ? "now succeeds" : "no longer succeeds");
    if (old->tools != task.tools)
      out += fmt::format("  {}: tools were [{}], are [{}]\n", task.task,
                         fmt::join(old->tools, ", "), fmt::join(task.tools, ", "));
  }
  return out;
}

}  // namespace

void TaskResult::Bind(json::Fields& f) {
  f("task", task, "id of the task", {.required = true});
  f("ended", ended, "answered, cannot, or the bound that was reached");
  f("success", success, "the outcome is the expected one");
  f("agreement", agreement, "percent of the expected tools");
  f("tools", tools, "that were called, in order");
  f("answer", answer, "the first words of the end");
  f("input_tokens", input_tokens, "of all prompts");
  f("output_tokens", output_tokens, "of all replies");
}

void ModelResult::Bind(json::Fields& f) {
  f("model", model, "as it was named", {.required = true});
  f("asked", asked, "tasks that were to be played");
  f("complete", complete, "all of them were");
  f("agreement", agreement, "percent, the average of the tasks");
  f("success", success, "percent of the tasks");
  f("input_tokens", input_tokens, "of all prompts");
  f("output_tokens", output_tokens, "of all replies");
  f("cost_usd", cost_usd, "empty without a price");
  f("ended_by", ended_by, "why not all were played");
  f("tasks", tasks, "what came of each");
}

void Run::Bind(json::Fields& f) {
  f("format", format, "schemaward-agent-run", {.required = true});
  f("version", version, "1", {.required = true});
  f("at_ms", at_ms, "Unix time");
  f("tasks_hash", tasks_hash, "SHA-256 of the tasks");
  f("tools_hash", tools_hash, "SHA-256 of what models are shown of the tools");
  f("models", models, "what came of each", {.required = true});
  f("models_agree", models_agree, "percent of tasks with one first tool");
}

ModelResult PlayAll(const TaskSet& set, const Toolbox& toolbox, llm::Llm& model,
                    const PlayLimits& limits, const OnTask& on_task, std::optional<Error>& error,
                    CallContext& ctx) {
  ModelResult result;
  result.asked = static_cast<std::int64_t>(set.tasks.size());
  for (const Task& task : set.tasks) {
    const auto played = Play(task.question, toolbox, model, limits, ctx);
    if (!played) {
      error = played.error();
      result.ended_by = error->message();
      break;
    }
    result.tasks.push_back(ResultOf(task, *played));
    if (on_task) on_task(result.tasks.back());
  }
  result.complete = result.tasks.size() == set.tasks.size();
  Total(result);
  return result;
}

void CompareModels(Run& run) {
  if (run.models.size() < 2) return;
  double same = 0;
  double tasks = 0;
  for (const TaskResult& task : run.models.front().tasks) {
    const auto agrees = [&](const ModelResult& model) {
      const TaskResult* other = Find(model, task.task);
      return other != nullptr && FirstTool(*other) == FirstTool(task);
    };
    ++tasks;
    if (std::all_of(run.models.begin(), run.models.end(), agrees)) ++same;
  }
  if (tasks > 0) run.models_agree = kPercent * same / tasks;
}

std::string HashOf(const Toolbox& toolbox) {
  std::string all = toolbox.instructions;
  for (const std::string& definition : toolbox.definitions) all += "\n" + definition;
  return Sha256Hex(all);
}

std::string ToJson(const Run& run) { return json::Write(run); }

Result<Run> ReadRun(std::string_view json) {
  const Error unreadable(ErrorKind::InputUnreadable, "the file is no kept run of eval agents");
  const auto parsed = json::Parse(json);
  Run run;
  if (!parsed || !json::Read(parsed->value(), run).ok()) return unreadable;
  if (run.format != Run().format || run.version != Run().version) return unreadable;
  return run;
}

std::string ToText(const Run& run) {
  std::string out;
  for (const ModelResult& model : run.models) out += (out.empty() ? "" : "\n") + TextOf(model);
  if (run.models_agree)
    out += fmt::format("\nall models chose the same first tool for {:.1f}% of the tasks\n",
                       *run.models_agree);
  return out;
}

std::string Changes(const Run& before, const Run& now) {
  std::string out;
  if (before.tasks_hash != now.tasks_hash) out += "the tasks are not those of the earlier run\n";
  if (before.tools_hash != now.tools_hash) out += "the tools are not those of the earlier run\n";
  for (const ModelResult& model : now.models) {
    const ModelResult* old = Find(before, model.model);
    out += old == nullptr ? fmt::format("{}: not in the earlier run\n", model.model)
                          : ChangesOf(*old, model);
  }
  return out;
}

}  // namespace schemaward::agents
