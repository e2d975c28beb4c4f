// tasks/get, tasks/result, tasks/list, tasks/cancel and tasks/update: what a client does with the
// id of a task.

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/head.h"
#include "mcp/later.h"
#include "mcp/method.h"
#include "mcp/task_json.h"

namespace schemaward::mcp {
namespace {

// The task that the request names. What is another's, or gone, is not found.
std::variant<TaskPtr, rpc::Failure> Named(Parts& parts, const Call& call) {
  if (IsModern(call.revision) && !call.takes_tasks) return LacksTasks();
  const std::string id = TextIn(call.params(), "taskId");
  if (TaskPtr task = parts.tasks.Find(OwnerOf(call), id)) return task;
  return rpc::Failure(rpc::Code::InvalidParams,
                      "params.taskId names no task of this caller, or one that is kept no longer");
}

// A request that waits for the end of a task. It holds no thread.
class Waiting : public std::enable_shared_from_this<Waiting> {
 public:
  Waiting(Parts& parts, Call call, TaskPtr task)
      : parts_(parts),
        call_(std::make_shared<const Call>(std::move(call))),
        task_(std::move(task)) {}

  void Begin(std::stop_token stop) {
    // The task's list of readers owns this; it forgets them when it ends.
    const auto self = shared_from_this();
    task_->AddReader(call_, [self] { self->Answer(); });
    stopped_.emplace(std::move(stop), [weak = weak_from_this()] {
      if (const auto waiting = weak.lock()) waiting->GiveUp();
    });
  }

 private:
  void Answer() {
    if (is_answered_.exchange(true)) return;
    const TaskView view = task_->view();
    if (const auto* failure = std::get_if<rpc::Failure>(view.end.get())) return Fail(*failure);
    const std::string& members = std::get<TaskAnswer>(*view.end).members;
    SendLast(*call_,
             rpc::EncodeResult(call_->request.id, ResultOf(parts_, call_->revision,
                                                           members + ',' + RelatedTask(*task_))));
  }
  void GiveUp() {
    if (is_answered_.exchange(true)) return;
    Fail(rpc::Failure(rpc::Code::InternalError, "the request was stopped before the task ended"));
  }
  void Fail(rpc::Failure failure) {
    if (failure.data_json.empty()) failure.data_json = '{' + RelatedTask(*task_) + '}';
    SendLast(*call_, rpc::EncodeFailure(call_->request.id, failure),
             StatusOf(failure, call_->session->negotiated().has_value()));
  }

  Parts& parts_;
  const std::shared_ptr<const Call> call_;
  const TaskPtr task_;
  std::atomic<bool> is_answered_ = false;
  std::optional<std::stop_callback<std::function<void()>>> stopped_;
};

}  // namespace

MethodResult GetTask(Parts& parts, Call& call) {
  const auto named = Named(parts, call);
  if (const auto* failure = std::get_if<rpc::Failure>(&named)) return *failure;
  return ResultOf(parts, call.revision,
                  TaskMembers(parts, call.revision, *std::get<TaskPtr>(named)));
}

MethodResult GetTaskAnswer(Parts& parts, Call& call) {
  const auto named = Named(parts, call);
  if (const auto* failure = std::get_if<rpc::Failure>(&named)) return *failure;
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return NotBegun();
  StopWhenGone(call);
  std::make_shared<Waiting>(parts, std::move(call), std::get<TaskPtr>(named))
      ->Begin(*std::move(stop));
  return Later{};
}

// All tasks of an owner fit one page.
MethodResult ListTasks(Parts& parts, Call& call) {
  const auto cursor = call.params().find("cursor");
  if (call.params().is_object() && cursor != call.params().end() && !cursor->is_null())
    return rpc::Failure(rpc::Code::InvalidParams, "params.cursor was not given out by this server");
  std::string list;
  for (const TaskPtr& task : parts.tasks.Of(OwnerOf(call)))
    list +=
        fmt::format("{}{{{}}}", list.empty() ? "" : ",", TaskMembers(parts, call.revision, *task));
  return ResultOf(parts, call.revision, fmt::format(R"("tasks":[{}])", list));
}

// In 2025-11-25 the task itself is the answer, and one that has ended cannot be cancelled; in
// 2026-07-28 the client's wish is taken note of, whatever becomes of it.
MethodResult CancelTask(Parts& parts, Call& call) {
  const auto named = Named(parts, call);
  if (const auto* failure = std::get_if<rpc::Failure>(&named)) return *failure;
  const TaskPtr& task = std::get<TaskPtr>(named);
  const bool was_running = task->Cancel();
  if (IsModern(call.revision)) return ResultOf(parts, call.revision, {});
  if (!was_running)
    return rpc::Failure(rpc::Code::InvalidParams, "the task has ended and cannot be cancelled");
  return ResultOf(parts, call.revision, TaskMembers(parts, call.revision, *task));
}

MethodResult UpdateTask(Parts& parts, Call& call) {
  const auto named = Named(parts, call);
  if (const auto* failure = std::get_if<rpc::Failure>(&named)) return *failure;
  const auto answers = call.params().find("inputResponses");
  if (answers == call.params().end() || !answers->is_object())
    return rpc::Failure(rpc::Code::InvalidParams, "params.inputResponses must be an object");
  for (const auto& [key, answer] : answers->items())
    std::get<TaskPtr>(named)->Give(key, json::Canonical(answer));
  return ResultOf(parts, call.revision, {});
}

}  // namespace schemaward::mcp
