#pragma once

// All tasks by one or more models: what came of each, kept, printed, and compared with another run.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/play.h"
#include "agents/task.h"
#include "json/fields.h"

namespace schemaward::agents {

/// One task by one model.
struct TaskResult {
  std::string task;
  Ending ended = Ending::Replies;
  bool success = false;
  double agreement = 0;            ///< percent
  std::vector<std::string> tools;  ///< that were called, in order
  std::string answer;              ///< the first kAnswerBytesMax bytes
  std::int64_t input_tokens = 0, output_tokens = 0;
  void Bind(json::Fields& f);
  static constexpr std::size_t kAnswerBytesMax = 400;
};

/// All tasks by one model.
struct ModelResult {
  std::string model;       ///< as it was named
  std::int64_t asked = 0;  ///< tasks that were to be played
  bool complete = false;   ///< all of them were
  double agreement = 0;    ///< percent, averaged over the tasks that were played
  double success = 0;      ///< percent of the tasks that were played
  std::int64_t input_tokens = 0, output_tokens = 0;
  std::string cost_usd;  ///< empty: the model has no price
  std::string ended_by;  ///< why not all were played; else empty
  std::vector<TaskResult> tasks;
  void Bind(json::Fields& f);
};

struct Run {
  std::string format = "schemaward-agent-run";
  std::int64_t version = 1;
  std::int64_t at_ms = 0;  ///< Unix time
  std::string tasks_hash, tools_hash;
  std::vector<ModelResult> models;
  std::optional<double> models_agree;  ///< percent of tasks for which all models chose the same
                                       ///< first tool; null for one model
  void Bind(json::Fields& f);
};

/// Called after each task, with what came of it.
using OnTask = std::function<void(const TaskResult& result)>;

/// Plays all tasks one after another. What ends the run early (money, a model that is away, the
/// caller) is put into `error`, and what was played stands. Thread: the model's.
ModelResult PlayAll(const TaskSet& set, const Toolbox& toolbox, llm::Llm& model,
                    const PlayLimits& limits, const OnTask& on_task, std::optional<Error>& error,
                    CallContext& ctx);

/// Sets models_agree.
void CompareModels(Run& run);

std::string HashOf(const Toolbox& toolbox);

/// One JSON object, which ReadRun reads.
std::string ToJson(const Run& run);
/// Errors: InputUnreadable where it is no kept run.
Result<Run> ReadRun(std::string_view json);

/// For people; ends with a line break.
std::string ToText(const Run& run);
/// What changed from `before` to `now`, by model and task; ends with a line break.
std::string Changes(const Run& before, const Run& now);

}  // namespace schemaward::agents

template <>
struct schemaward::json::EnumNames<schemaward::agents::Ending> {
  static constexpr std::array<std::string_view, 6> kNames = {"answered",   "cannot", "replies",
                                                             "unreadable", "tokens", "window"};
};
