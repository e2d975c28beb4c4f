#pragma once

// A whole server in memory with a few tools of its own, for tests and fuzzers.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "mcp/server.h"
#include "tool/invoke.h"  // and with it audit/log.h
#include "tool/registry.h"
#include "transport/memory.h"

namespace schemaward::mcp::testing {

/// A door that calls of the tool `wait` stand at. Thread: any.
class Door {
 public:
  void Open() {
    {
      const MutexLock lock(mutex_);
      is_open_ = true;
    }
    changed_.notify_all();
  }
  /// From now on a call that stands here does not hear that it is to stop.
  void IgnoreStops() {
    const MutexLock lock(mutex_);
    is_deaf_ = true;
  }
  /// Waits until `count` calls have come to the door.
  void AwaitArrivals(int count) {
    const MutexLock lock(mutex_);
    while (arrivals_ < count) changed_.wait(mutex_);
  }
  /// Waits until the door is open or the call is to stop.
  void Pass(const CallContext& ctx) {
    const std::stop_callback wake(ctx.stop, [this] {
      { const MutexLock lock(mutex_); }
      changed_.notify_all();
    });
    const MutexLock lock(mutex_);
    ++arrivals_;
    ++standing_;
    changed_.notify_all();
    while (!is_open_ && (is_deaf_ || !ctx.stop.stop_requested())) changed_.wait(mutex_);
    --standing_;
  }
  /// How many calls stand here now.
  int standing() const {
    const MutexLock lock(mutex_);
    return standing_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  bool is_open_ GUARDED_BY(mutex_) = false;
  bool is_deaf_ GUARDED_BY(mutex_) = false;
  int arrivals_ GUARDED_BY(mutex_) = 0;
  int standing_ GUARDED_BY(mutex_) = 0;
};

struct ToolServices {
  Door* door;
  std::atomic<int>* forgotten;  ///< notes that `forget` has destroyed
};

struct EchoIn {
  std::string text;
  void Bind(json::Fields& f) { f("text", text, "what to say back", {.required = true}); }
};
struct EchoOut {
  std::string text;
  void Bind(json::Fields& f) { f("text", text, "what was said"); }
};
struct NoIn {
  void Bind(json::Fields&) {}
};

inline Result<tool::Outcome<EchoOut>> RunEcho(const ToolServices&, const EchoIn& in, CallContext&) {
  return tool::Outcome<EchoOut>(EchoOut{in.text});
}

// Tells its progress, then stands at the door.
inline Result<tool::Outcome<EchoOut>> RunWait(const ToolServices& services, const NoIn&,
                                              CallContext& ctx) {
  if (ctx.progress) ctx.progress({1, 2, "at the door"});
  services.door->Pass(ctx);
  if (ctx.progress) ctx.progress({2, 2, "through"});
  WARD_CHECK(ctx.Check());
  return tool::Outcome<EchoOut>(EchoOut{"through"});
}

// Asks the client for a model's words and says them; where the text says so, asks for more words or
// stands at the door before it does.
inline Result<tool::Outcome<EchoOut>> RunSample(const ToolServices& services, const EchoIn& in,
                                                CallContext& ctx) {
  if (!ctx.ask_client) return Error(ErrorKind::InvalidArgument, "the client offers no model");
  WARD_TRY(std::string said, ctx.ask_client("sampling/createMessage", in.text, ctx));
  if (ctx.progress) ctx.progress({1, 2, "asked"});
  if (in.text.find("twice") != std::string::npos) {
    WARD_TRY(const std::string more, ctx.ask_client("sampling/createMessage", in.text, ctx));
    said += more;
  }
  if (in.text.find("door") != std::string::npos) services.door->Pass(ctx);
  WARD_CHECK(ctx.Check());
  return tool::Outcome<EchoOut>(EchoOut{std::move(said)});
}

inline Result<tool::Outcome<EchoOut>> RunFail(const ToolServices&, const NoIn&, CallContext&) {
  return Error(ErrorKind::UnknownTable, "no table is named \"orders\"")
      .Private("host db7.example")
      .Suggest("echo", R"({"text":"again"})");
}

inline Result<tool::Outcome<EchoOut>> RunBusy(const ToolServices&, const NoIn&, CallContext&) {
  return std::move(
      Error(ErrorKind::PoolFull, "every connection to the source is busy").RetryAfter(500));
}

struct ForgetIn {
  std::string note;
  bool confirm = false;
  void Bind(json::Fields& f) {
    f("note", note, "which one", {.required = true});
    f("confirm", confirm, "the user has agreed that it is lost");
  }
};

// Destroys something, once the user has agreed.
inline Result<tool::Outcome<EchoOut>> RunForget(const ToolServices& services, const ForgetIn& in,
                                                CallContext&) {
  if (!in.confirm) return tool::ConfirmationNeeded("the note \"" + in.note + "\" would be lost");
  ++*services.forgotten;
  return tool::Outcome<EchoOut>(EchoOut{"forgotten"});
}

inline std::vector<tool::ToolPtr> Tools(const ToolServices& services) {
  std::vector<tool::ToolPtr> tools;
  tools.push_back(tool::MakeTool<EchoIn, EchoOut, ToolServices>(
      {.name = "echo",
       .title = "Echo",
       .description = "Use this when a test wants its text back.",
       .effect = tool::Effect::Pure,
       .example_json = R"({"text":"hello"})"},
      services, RunEcho));
  tools.push_back(tool::MakeTool<NoIn, EchoOut, ToolServices>(
      {.name = "wait",
       .title = "Wait",
       .description = "Use this when a test wants a call that lasts.",
       .effect = tool::Effect::Pure,
       .example_json = "{}"},
      services, RunWait));
  tools.push_back(tool::MakeTool<NoIn, EchoOut, ToolServices>(
      {.name = "dig",
       .title = "Dig",
       .description = "Use this when a test wants a call that lasts and may be a task.",
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Slow,
       .set = "explore",
       .example_json = "{}"},
      services, RunWait));
  tools.push_back(tool::MakeTool<EchoIn, EchoOut, ToolServices>(
      {.name = "sample",
       .title = "Sample",
       .description = "Use this when a test wants the client to be asked for words.",
       .effect = tool::Effect::CallsModel,
       .set = "explore",
       .example_json = R"({"text":"{}"})"},
      services, RunSample));
  tools.push_back(tool::MakeTool<ForgetIn, EchoOut, ToolServices>(
      {.name = "forget",
       .title = "Forget",
       .description = "Use this when a test wants the user to be asked.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::WritesSource,
       .set = "workspaces",
       .example_json = R"({"note":"n"})",
       .confirmation = "confirm"},
      services, RunForget));
  tools.push_back(tool::MakeTool<NoIn, EchoOut, ToolServices>(
      {.name = "fail",
       .title = "Fail",
       .description = "Use this when a test wants a failure.",
       .effect = tool::Effect::Pure,
       .example_json = "{}"},
      services, RunFail));
  tools.push_back(tool::MakeTool<NoIn, EchoOut, ToolServices>(
      {.name = "busy",
       .title = "Busy",
       .description = "Use this when a test wants a source without a free connection.",
       .effect = tool::Effect::Pure,
       .set = "sql",
       .example_json = "{}"},
      services, RunBusy));
  return tools;
}

inline constexpr std::chrono::milliseconds kTestStopMax{
    500};  ///< a deaf call is waited for as long
inline constexpr std::string_view kTestStateKey = "a key of thirty-two bytes, for t";

/// Thread: owner. Members stand in the order that their ends need: the pool stops before the server
/// goes.
class TestServer {
 public:
  explicit TestServer(ThreadPool::Options pool_options = {.threads = 4, .queue_max = 16},
                      std::string instructions = "Ask echo.",
                      std::vector<std::string> sets = {"catalog"},
                      std::chrono::milliseconds consent_max = kConsentMax,
                      std::size_t calls_per_principal = 0,
                      std::chrono::milliseconds drain_max = kDrainMax)
      : services_{&door, &forgotten},
        registry_(Tools(services_), std::move(sets)),
        log_(*audit::Log::Create({.mode = audit::Mode::Off, .clock = &clock})),
        invoker_(
            registry_, *log_,
            {.state_key = std::string(kTestStateKey), .scopes = {{"explore", {{"test.explore"}}}}}),
        pool_(pool_options),
        server(invoker_, pool_, clock,
               {.version = "0.0.0-test",
                .instructions = [text = std::move(instructions)] { return text; },
                .drain_max = drain_max,
                .stop_max = kTestStopMax,
                .consent_max = consent_max,
                .calls_per_principal = calls_per_principal,
                .task_after = std::chrono::milliseconds(0)}),
        memory(server) {}
  ~TestServer() {
    memory.Close(transport::Ending::OutputClosed);
    door.Open();
    server.Leave();
    pool_.Stop();
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  const tool::Invoker& invoker() const { return invoker_; }

  SystemClock clock;
  Door door;
  std::atomic<int> forgotten = 0;

 private:
  ToolServices services_;
  tool::Registry registry_;
  std::unique_ptr<audit::Log> log_;
  tool::Invoker invoker_;
  ThreadPool pool_;

 public:
  Server server;
  transport::Memory memory;
};

}  // namespace schemaward::mcp::testing
