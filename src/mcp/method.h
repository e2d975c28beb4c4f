#pragma once

// What a method is: a name, the revisions that have it, and a function. One file per family; the
// list is in methods.cc.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "json/value.h"
#include "mcp/caller_limit.h"
#include "mcp/consent_book.h"
#include "mcp/listeners.h"
#include "mcp/parked.h"
#include "mcp/reply.h"
#include "mcp/session.h"
#include "mcp/tasks.h"
#include "mcp/version.h"
#include "rpc/message.h"
#include "tool/invoke.h"

namespace schemaward::mcp {

inline constexpr std::chrono::milliseconds kDrainMax{5'000};  ///< for calls to end by themselves
inline constexpr std::chrono::milliseconds kStopMax{2'000};   ///< for calls to end when stopped

/// How long a call waits for its user's word. It holds a worker meanwhile; at most half of the
/// workers, and one at least, are held so.
inline constexpr std::chrono::milliseconds kConsentMax{120'000};

/// In the era where the server decides, a call that is over sooner is answered as any other.
inline constexpr std::chrono::milliseconds kTaskAfter{1'000};

/// Most characters of `instructions`: clients cut what is longer. [R-MCP-1]
inline constexpr std::size_t kInstructionsMax = 2048;

struct ServerOptions {
  std::string version;  ///< of the program
  /// Makes the instructions; called once a handshake. May be empty.
  std::function<std::string()> instructions;
  std::chrono::milliseconds drain_max = kDrainMax;
  std::chrono::milliseconds stop_max = kStopMax;
  std::chrono::milliseconds consent_max = kConsentMax;
  /// Makes the calls that list names, for resources and completion; null: there are none. Outlives
  /// the server.
  const tool::Invoker* names = nullptr;
  /// Called when somebody new is to hear of changes or of the log, once Server::hearing counts it
  /// and before it hears anything. Must not block for long. May be empty: nothing ever changes.
  std::function<void()> when_listened_to{};
  std::size_t calls_per_principal = 0;  ///< calls of tools, at once; 0: no limit
  /// How long a call must have run before it is made a task when it tells its progress.
  std::chrono::milliseconds task_after = kTaskAfter;
  bool conformance_fixtures = false;  ///< serve mcp/fixtures.h in place of the tools
};

/// What the methods share. Thread: any. Lifetime: what it refers to outlives it.
class Parts {
 public:
  Parts(const tool::Invoker& the_invoker, ThreadPool& the_pool, const Clock& the_clock,
        ServerOptions options)
      : invoker(the_invoker),
        pool(the_pool),
        clock(the_clock),
        consents(std::max<std::size_t>(the_pool.threads_max() / 2, 1)),
        callers(options.calls_per_principal),
        tasks(the_clock),
        options_(std::move(options)) {}

  const tool::Invoker& invoker;
  ThreadPool& pool;
  const Clock& clock;
  ConsentBook consents;
  CallerLimit callers;
  ParkedCalls parked;
  Listeners listeners;
  Tasks tasks;

  /// Returns the `tools` array as `revision` has it, made at first use.
  const std::string& ToolsJson(Revision revision);
  /// Returns whether any tool that is served may run as a task.
  bool HasLongTools() const;
  /// Returns the serverInfo object as `revision` has it.
  std::string ServerInfo(Revision revision) const;
  /// Returns the instructions, cut to kInstructionsMax.
  std::string Instructions() const;
  const ServerOptions& options() const { return options_; }
  /// What states that travel through clients are signed with; of this process.
  const std::array<unsigned char, 32>& state_key() const { return state_key_; }

 private:
  static std::array<unsigned char, 32> MakeKey();

  const ServerOptions options_;
  const std::array<unsigned char, 32> state_key_ = MakeKey();
  Mutex mutex_;
  std::array<std::string, 3> tools_json_ GUARDED_BY(mutex_);
};

/// A request on its way.
struct Call {
  rpc::Request request;
  Revision revision;
  std::string client;  ///< name and version, or empty
  SessionPtr session;
  Reply reply;
  bool can_ask_user = false;  ///< the client can show a form, in this revision
  bool offers_model = false;  ///< the client has one that it may be asked for
  bool takes_tasks = false;   ///< the client says with this request that it can hold a task

  const json::Value& params() const { return request.params.value(); }
};

/// The answer follows later.
struct Later {};

/// The result object as JSON, the failure, or Later.
using MethodResult = std::variant<std::string, rpc::Failure, Later>;

struct Method {
  std::string_view name;
  Revision first, last;  ///< both included
  MethodResult (*run)(Parts&, Call&);
};

/// Every method. Lifetime: static.
std::span<const Method> Methods();

// lifecycle.cc
MethodResult Initialize(Parts& parts, Call& call);
MethodResult Ping(Parts& parts, Call& call);
MethodResult Discover(Parts& parts, Call& call);
// tools_list.cc, tools_call.cc
MethodResult ListTools(Parts& parts, Call& call);
MethodResult CallTool(Parts& parts, Call& call);
// resources.cc
MethodResult ListResources(Parts& parts, Call& call);
MethodResult ListResourceTemplates(Parts& parts, Call& call);
MethodResult ReadResource(Parts& parts, Call& call);
// subscribe.cc, listen.cc
MethodResult Subscribe(Parts& parts, Call& call);
MethodResult Unsubscribe(Parts& parts, Call& call);
MethodResult ListenForChanges(Parts& parts, Call& call);
// prompts.cc
MethodResult ListPrompts(Parts& parts, Call& call);
MethodResult GetPrompt(Parts& parts, Call& call);
// completion.cc
MethodResult Complete(Parts& parts, Call& call);
// task_methods.cc
MethodResult GetTask(Parts& parts, Call& call);
MethodResult GetTaskAnswer(Parts& parts, Call& call);
MethodResult ListTasks(Parts& parts, Call& call);
MethodResult CancelTask(Parts& parts, Call& call);
MethodResult UpdateTask(Parts& parts, Call& call);
// logging.cc
MethodResult SetLogLevel(Parts& parts, Call& call);

/// Takes a notification. None is answered; those that are not known are passed over.
void Notice(Parts& parts, const rpc::Notification& notification, Session& session);

/// Returns a result object of `members` ("a":1,"b":2, maybe none) with what `revision` asks every
/// result to carry. `type`: what kind of result it is, for revisions that say so.
std::string ResultOf(const Parts& parts, Revision revision, std::string_view members,
                     std::string_view type = "complete");

/// Returns the members that tell a client how long it may keep a result; none before 2026-07-28.
std::string CacheMembers(Revision revision);

}  // namespace schemaward::mcp
