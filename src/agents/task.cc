#include "agents/task.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/embedded_text.h"
#include "base/sha256.h"
#include "json/access.h"
#include "json/value.h"

namespace schemaward::agents {

std::span<const EmbeddedText> StarterFiles();  // generated

namespace {

Error Unreadable(std::size_t line, std::string_view why) {
  return {ErrorKind::InputUnreadable, fmt::format("line {} of the tasks file {}", line, why)};
}

Alternatives Split(std::string_view text) {
  Alternatives words;
  for (;;) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    words.emplace_back(text.substr(0, bar));
    if (bar == text.size()) return words;
    text.remove_prefix(bar + 1);
  }
}

// False where the member is there and is no list of texts that are not empty.
bool ReadPlaces(const json::Value& list, std::vector<Alternatives>& into) {
  if (list.is_null()) return true;
  if (!list.is_array()) return false;
  for (const json::Value& one : list) {
    if (!one.is_string()) return false;
    into.push_back(Split(one.get<std::string>()));
    for (const std::string& word : into.back())
      if (word.empty()) return false;
  }
  return true;
}

Result<Task> ReadTask(const json::Value& line, std::size_t number) {
  Task task;
  task.id = json::TextOf(line, "id");
  task.question = json::TextOf(line, "question");
  if (task.id.empty() || task.question.empty())
    return Unreadable(number, R"(has no "id" or no "question")");
  std::vector<Alternatives> may;
  if (!ReadPlaces(json::Member(line, "tools"), task.tools) ||
      !ReadPlaces(json::Member(line, "may"), may) ||
      !ReadPlaces(json::Member(line, "answer"), task.answer))
    return Unreadable(number, R"(has "tools", "may" or "answer" that is no list of texts)");
  for (const Alternatives& place : may) task.may.insert(task.may.end(), place.begin(), place.end());
  task.in_order = !json::IsTrue(json::Member(line, "any_order"));
  task.cannot = json::IsTrue(json::Member(line, "cannot"));
  if (task.cannot == !task.answer.empty())
    return Unreadable(number, R"(needs either "answer" or "cannot")");
  if (!task.cannot && task.tools.empty()) return Unreadable(number, R"(has no "tools")");
  return task;
}

// Reads the first line. Errors: InputUnreadable.
Result<std::string> SourceOf(const json::Value& head, std::size_t number) {
  if (json::TextOf(head, "format") != "schemaward-agent-tasks" ||
      json::IntegerOf(json::Member(head, "version")) != 1)
    return Unreadable(
        number, R"(is not {"format": "schemaward-agent-tasks", "version": 1, "source": NAME})");
  std::string source = json::TextOf(head, "source");
  if (source.empty()) return Unreadable(number, R"(has no "source")");
  return source;
}

}  // namespace

Result<TaskSet> ReadTasks(std::string_view jsonl) {
  TaskSet set;
  set.hash = Sha256Hex(jsonl);
  std::set<std::string> ids;
  for (std::size_t number = 1; !jsonl.empty(); ++number) {
    const std::size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view text = jsonl.substr(0, end);
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto line = json::Parse(text);
    if (!line || !line->value().is_object()) return Unreadable(number, "is no JSON object");
    if (set.source.empty()) {
      WARD_TRY(set.source, SourceOf(line->value(), number));
      continue;
    }
    if (set.tasks.size() == kTasksMax) return Unreadable(number, "is one too many");
    WARD_TRY(Task task, ReadTask(line->value(), number));
    if (!ids.insert(task.id).second) return Unreadable(number, "has the id of another task");
    set.tasks.push_back(std::move(task));
  }
  if (set.tasks.empty()) return Error(ErrorKind::InputUnreadable, "the tasks file holds no tasks");
  return set;
}

Result<TaskSet> StarterTasks() { return ReadTasks(StarterFiles().front().text); }

}  // namespace schemaward::agents
