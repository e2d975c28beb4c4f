// Fixtures: tools that run as tasks, in the era where the server makes them.

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/fixtures.h"
#include "mcp/later.h"
#include "mcp/task_json.h"

namespace schemaward::mcp {
namespace {

constexpr double kSecondsMax = 120;

TaskAnswer Said(std::string_view text, bool is_error = false) {
  return {fmt::format(R"("content":[{{"type":"text","text":{}}}],"isError":{})", json::Quote(text),
                      is_error),
          is_error};
}

std::chrono::milliseconds SecondsAsked(const Call& call) {
  const auto arguments = call.params().find("arguments");
  if (arguments == call.params().end() || !arguments->is_object()) return {};
  const auto found = arguments->find("seconds");
  if (found == arguments->end() || !found->is_number()) return {};
  const double seconds = std::clamp(found->get<double>(), 0.0, kSecondsMax);
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1'000));
}

// Waits for that long, or until it is to stop.
bool Wait(std::chrono::milliseconds time, const CallContext& ctx) {
  Mutex mutex;
  CondVar woken;
  const std::stop_callback wake(ctx.stop, [&] {
    { const MutexLock lock(mutex); }
    woken.notify_all();
  });
  const auto until = std::chrono::steady_clock::now() + time;
  const MutexLock lock(mutex);
  while (!ctx.stop.stop_requested())
    if (woken.wait_until(mutex, until) == std::cv_status::timeout) return true;
  return false;
}

TaskEnd Compute(const Call& call, Task*, CallContext& ctx) {
  if (!Wait(SecondsAsked(call), ctx)) return Said("stopped", true);
  return Said(fmt::format("computed {}", FixtureText(call, "label", "arguments")));
}

TaskEnd FailAsTool(const Call&, Task*, CallContext& ctx) {
  Wait(std::chrono::seconds(1), ctx);
  return Said("This job intentionally fails", true);
}

TaskEnd FailAsProtocol(const Call&, Task*, CallContext&) {
  return rpc::Failure(rpc::Code::InternalError, "this job intentionally breaks");
}

TaskEnd AskThrough(Task* task, std::size_t count, CallContext& ctx) {
  const TaskQuestion question = {
      "elicitation/create",
      R"({"message":"Please confirm","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean"}},"required":["confirm"]}})"};
  if (task == nullptr) return Said("the client cannot be asked", true);
  const auto answers = task->Ask(std::vector<TaskQuestion>(count, question), ctx);
  return answers ? Said("All was given.") : Said(answers.error().message(), true);
}

struct TaskFixture {
  std::string_view name;
  bool is_always;  // a client that holds no tasks is refused
  TaskEnd (*run)(const Call& call, Task* task, CallContext& ctx);  // task: null for none
};

constexpr TaskFixture kTaskFixtures[] = {
    {"slow_compute", false, Compute},
    {"failing_job", true, FailAsTool},
    {"protocol_error_job", false, FailAsProtocol},
    {"confirm_delete", false,
     [](const Call&, Task* task, CallContext& ctx) { return AskThrough(task, 1, ctx); }},
    {"multi_input", false,
     [](const Call&, Task* task, CallContext& ctx) { return AskThrough(task, 2, ctx); }},
    {"test_tool_with_task", true,
     [](const Call& call, Task*, CallContext&) -> TaskEnd {
       const auto answers = call.params().find("inputResponses");
       return Said(answers == call.params().end() ? "" : json::Canonical(*answers));
     }},
};

const TaskFixture* Find(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kTaskFixtures), std::end(kTaskFixtures),
                                         [&](const TaskFixture& f) { return f.name == name; });
  return found == std::end(kTaskFixtures) ? nullptr : found;
}

// The call as any other.
MethodResult RunPlainly(Parts& parts, Call& call, const TaskFixture& fixture) {
  return RunLater(parts, call,
                  [&fixture](Parts& all, const Call& own, CallContext& ctx) -> MethodResult {
                    const TaskEnd end = fixture.run(own, nullptr, ctx);
                    if (const auto* failure = std::get_if<rpc::Failure>(&end)) return *failure;
                    return ResultOf(all, own.revision, std::get<TaskAnswer>(end).members);
                  });
}

}  // namespace

bool IsTaskFixture(std::string_view name) { return Find(name) != nullptr; }

MethodResult CallTaskFixture(Parts& parts, Call& call) {
  const TaskFixture& fixture = *Find(FixtureText(call, "name"));
  if (IsModern(call.revision) && fixture.is_always && !call.takes_tasks) return LacksTasks();
  if (!call.takes_tasks) return RunPlainly(parts, call, fixture);
  auto task = parts.tasks.Begin(OwnerOf(call), kTaskLife);
  if (!task) return RunPlainly(parts, call, fixture);
  const auto held = std::make_shared<const Call>(std::move(call));  // shared, since it is copied
  const Status queued = parts.pool.Submit([&parts, &fixture, held, own = *task] {
    CallContext ctx = ContextOf(parts, *held, own->stop());
    own->End(fixture.run(*held, own.get(), ctx));
  });
  if (!queued) (*task)->End(rpc::FailureOf(queued.error()));
  return CreatedJson(parts, held->revision, **task);
}

std::string TaskFixturesJson() {
  std::string list;
  for (const TaskFixture& fixture : kTaskFixtures)
    if (!IsAskingTool(fixture.name))
      list += fmt::format(
          R"(,{{"name":"{}","description":"A fixture that lasts.","inputSchema":{{"type":"object"}}}})",
          fixture.name);
  return list;
}

}  // namespace schemaward::mcp
