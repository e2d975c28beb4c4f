#include "mcp/task_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace schemaward::mcp {
namespace {

constexpr std::string_view kNeededJson =
    R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})";

// A call that ended in an error has failed in 2025-11-25; in 2026-07-28 only a failure of the
// protocol has.
std::string_view StatusName(const TaskView& view, Revision revision) {
  const auto* answer = view.end ? std::get_if<TaskAnswer>(view.end.get()) : nullptr;
  const bool has_failed = !IsModern(revision) && answer != nullptr && answer->is_error;
  return kTaskStatusNames[static_cast<std::size_t>(has_failed ? TaskStatus::Failed : view.status)];
}

std::string Head(const Task& task, const TaskView& view, Revision revision) {
  const std::string_view unit = IsModern(revision) ? "Ms" : "";
  return fmt::format(
      R"("taskId":"{}","status":"{}"{},"createdAt":"{}","lastUpdatedAt":"{}","ttl{}":{},"pollInterval{}":{})",
      task.id(), StatusName(view, revision),
      view.words.empty() ? "" : R"(,"statusMessage":)" + json::Quote(view.words),
      ToIsoUtc(task.created_us()), ToIsoUtc(view.updated_us), unit, task.life().count(), unit,
      kTaskPoll.count());
}

std::string Questions(const TaskView& view) {
  std::string out;
  for (const auto& [key, question] : view.questions)
    out += fmt::format(R"({}"{}":{{"method":"{}","params":{}}})", out.empty() ? "" : ",", key,
                       question.method, question.params_json);
  return out;
}

}  // namespace

std::variant<TaskWish, rpc::Failure> WishOf(const Parts& parts, const Call& call,
                                            const tool::Tool* tool) {
  const bool may_be = tool != nullptr && tool::MayBeTask(tool->spec());
  if (IsModern(call.revision))
    return TaskWish{may_be && call.takes_tasks ? TaskWish::When::IfLong : TaskWish::When::Never};
  const auto asked = call.params().find("task");
  if (!AsksForTasks(call.revision) || asked == call.params().end() || !parts.HasLongTools())
    return TaskWish{};  // who declares no tasks passes the member over
  if (!may_be) return rpc::Failure(rpc::Code::MethodNotFound, "this tool does not run as a task");
  const auto life = asked->is_object() ? asked->find("ttl") : asked->end();
  const bool has_life = asked->is_object() && life != asked->end();
  if (!asked->is_object() || (has_life && (!life->is_number() || life->get<double>() < 1)))
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.task must be an object, its ttl a number of milliseconds");
  TaskWish wish{TaskWish::When::Now};
  if (has_life)
    wish.life = life->get<double>() >= static_cast<double>(kTaskLifeMax.count())
                    ? kTaskLifeMax
                    : std::chrono::milliseconds(static_cast<std::int64_t>(life->get<double>()));
  return wish;
}

std::string OwnerOf(const Call& call) {
  const transport::Peer& peer = call.reply.peer();
  std::string owner = peer.principal().id;
  if (!IsModern(call.revision) && owner == transport::kAnybodyId) owner += '\n' + peer.session();
  return owner;
}

std::string TasksCapability(Revision revision) {
  if (IsModern(revision)) return R"(,"extensions":{"io.modelcontextprotocol/tasks":{}})";
  if (!AsksForTasks(revision)) return {};
  return R"(,"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})";
}

rpc::Failure LacksTasks() {
  return {rpc::Code::MissingClientCapability,
          "the client must say that it can hold tasks (io.modelcontextprotocol/tasks)",
          std::string(kNeededJson)};
}

std::string CreatedJson(const Parts& parts, Revision revision, const Task& task) {
  TaskView seed;  // a task begins as one that works, whatever it has come to meanwhile
  seed.updated_us = task.created_us();
  const std::string head = Head(task, seed, revision);
  if (IsModern(revision)) return ResultOf(parts, revision, head, "task");
  return fmt::format(R"({{"task":{{{}}}}})", head);
}

std::string TaskMembers(const Parts& parts, Revision revision, const Task& task) {
  const TaskView view = task.view();
  std::string members = Head(task, view, revision);
  if (!IsModern(revision)) return members;
  if (view.status == TaskStatus::InputRequired)
    members += fmt::format(R"(,"inputRequests":{{{}}})", Questions(view));
  if (view.status == TaskStatus::Completed)
    members += R"(,"result":)" + ResultOf(parts, revision, std::get<TaskAnswer>(*view.end).members);
  if (view.status == TaskStatus::Failed)
    members += R"(,"error":)" + rpc::ErrorJson(std::get<rpc::Failure>(*view.end));
  return members;
}

std::string RelatedTask(const Task& task) {
  return fmt::format(R"("_meta":{{"io.modelcontextprotocol/related-task":{{"taskId":"{}"}}}})",
                     task.id());
}

}  // namespace schemaward::mcp
