#pragma once

// Tasks for agents: a question, the tools that it is expected to take, and its outcome.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::agents {

/// A place in a list of what is expected; each of its words fills it.
using Alternatives = std::vector<std::string>;

struct Task {
  std::string id;
  std::string question;
  std::vector<Alternatives> tools;   ///< that are expected; may be empty where `cannot`
  bool in_order = true;              ///< of `tools`; other calls may stand between
  std::vector<std::string> may;      ///< tools that count neither for nor against
  std::vector<Alternatives> answer;  ///< words and numbers that the answer holds
  bool cannot = false;               ///< the right end is to say that it cannot be done
};

struct TaskSet {
  std::string source;  ///< name of the source that the questions are about
  std::vector<Task> tasks;
  std::string hash;  ///< SHA-256 of the text
};

inline constexpr std::size_t kTasksMax = 1'000;

/// Reads a line {"format": "schemaward-agent-tasks", "version": 1, "source": NAME} and then one
/// task a line: `id`, `question`, `tools` and `may` (names; "a|b" is either), `any_order`, and
/// `answer` (texts; "a|b" is either) or `cannot`. Other members are ignored, and so are blank
/// lines. Errors: InputUnreadable naming the line. Thread: any.
Result<TaskSet> ReadTasks(std::string_view jsonl);

/// Returns the built-in starter set: fifty questions about the sample shop. Errors: as ReadTasks.
Result<TaskSet> StarterTasks();

}  // namespace schemaward::agents
