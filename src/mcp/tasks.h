#pragma once

// Calls that go on without a request to answer: their client holds the id of a task, asks how it
// stands and takes the answer when it is there. In 2025-11-25 the client asks for a task, in
// 2026-07-28 the server makes one; both are the same here.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/call_context.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "rpc/message.h"

namespace schemaward::mcp {

struct Call;

inline constexpr std::size_t kTasksOfOwnerMax = 16;       ///< kept at once, ended ones included
inline constexpr std::size_t kTasksMax = 128;             ///< of all owners
inline constexpr std::size_t kTaskBytesMax = 256u << 10;  ///< of one answer
inline constexpr std::size_t kTaskWordsMax = 200;         ///< bytes of what a task says of itself
inline constexpr std::chrono::milliseconds kTaskLife{900'000};  ///< where no other is asked for
inline constexpr std::chrono::milliseconds kTaskLifeMax{3'600'000};  ///< from the beginning on
inline constexpr std::chrono::milliseconds kTaskPoll{1'000};  ///< what a client is told to wait

enum class TaskStatus : std::uint8_t { Working, InputRequired, Completed, Failed, Cancelled };
inline constexpr std::array<std::string_view, 5> kTaskStatusNames = {
    "working", "input_required", "completed", "failed", "cancelled"};

/// What a call came to: the members of its result, or a failure of the protocol.
struct TaskAnswer {
  std::string members;
  bool is_error = false;
  std::string message{};  ///< of the error; one line
};
using TaskEnd = std::variant<TaskAnswer, rpc::Failure>;
/// Shared by whoever reads it.
using TaskEndPtr = std::shared_ptr<const TaskEnd>;

/// Something that a client is asked for.
struct TaskQuestion {
  std::string method, params_json;
};

/// How a task stands.
struct TaskView {
  TaskStatus status = TaskStatus::Working;
  std::string words;                              ///< maybe none
  std::int64_t updated_us = 0;                    ///< since 1970
  std::map<std::string, TaskQuestion> questions;  ///< that wait for an answer
  TaskEndPtr end;                                 ///< null while it goes on
};

/// One call. It ends once, by its answer or by being cancelled. Thread: any; what is called back is
/// so outside of the lock.
class Task {
 public:
  Task(std::string id, const Clock& clock, std::chrono::milliseconds life);
  const std::string& id() const { return id_; }
  std::chrono::milliseconds life() const { return life_; }
  std::int64_t created_us() const { return created_us_; }
  TaskView view() const EXCLUDES(mutex_);

  /// Requested when it is cancelled.
  std::stop_token stop() const { return stop_.get_token(); }
  /// Says how far the call has come. Nothing once it has ended.
  void Say(std::string_view words) EXCLUDES(mutex_);
  /// The call is over. Must be called once; what is longer than kTaskBytesMax is a failure that
  /// says so. Nothing is kept where the task was cancelled before.
  void End(TaskEnd end) EXCLUDES(mutex_);
  /// Ends it as cancelled and stops the call. Returns false where it had ended.
  bool Cancel() EXCLUDES(mutex_);

  /// Shows the client `questions` and waits for its answers, as JSON, in their order. Errors:
  /// SourceUnreachable after kClientWaitMax; Cancelled, DeadlineExceeded.
  Result<std::vector<std::string>> Ask(const std::vector<TaskQuestion>& questions, CallContext& ctx)
      EXCLUDES(mutex_);
  /// The client's answer to the question `key`. Passed over where none waits for it.
  void Give(const std::string& key, std::string answer_json) EXCLUDES(mutex_);

  /// Whether the call waits for its client by a way other than Ask.
  void WantInput(bool wants) EXCLUDES(mutex_);
  /// A request that waits for the answer: `tell` is called once it is there, at once where it is.
  void AddReader(std::shared_ptr<const Call> reader, std::function<void()> tell) EXCLUDES(mutex_);
  /// Waits until such a request is there that may still speak. Errors: as Ask.
  Result<std::shared_ptr<const Call>> AwaitReader(CallContext& ctx) EXCLUDES(mutex_);

  /// When the call ended; nothing while it goes on, which it may do after it was cancelled.
  std::optional<std::chrono::steady_clock::time_point> ended() const EXCLUDES(mutex_);
  bool HasExpired() const { return clock_.Now() >= expires_; }
  /// Waits until the call is over. Returns false where it is not by then.
  bool AwaitEnd(std::chrono::steady_clock::time_point until) const EXCLUDES(mutex_);

 private:
  struct Asked {
    TaskQuestion question;
    std::optional<std::string> answer{};
  };
  struct Reader {
    std::shared_ptr<const Call> call;
    std::function<void()> tell;
  };
  void Settle(TaskStatus status, std::string_view words, TaskEnd end) REQUIRES(mutex_);
  void Touch() REQUIRES(mutex_) { updated_us_ = clock_.UnixMicros(); }
  /// Whoever waits hears that it is over.
  void Tell() EXCLUDES(mutex_);

  const std::string id_;
  const Clock& clock_;
  const std::chrono::milliseconds life_;
  const std::int64_t created_us_;
  const std::chrono::steady_clock::time_point expires_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  mutable CondVar changed_;
  TaskStatus status_ GUARDED_BY(mutex_) = TaskStatus::Working;
  std::string words_ GUARDED_BY(mutex_);
  std::int64_t updated_us_ GUARDED_BY(mutex_);
  bool wants_input_ GUARDED_BY(mutex_) = false;
  std::optional<std::chrono::steady_clock::time_point> ended_ GUARDED_BY(mutex_);  // the call
  std::int64_t last_key_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Asked> asked_ GUARDED_BY(mutex_);
  std::vector<Reader> readers_ GUARDED_BY(mutex_);
  TaskEndPtr end_ GUARDED_BY(mutex_);
};

/// Shared by the list, the call and whoever waits for it.
using TaskPtr = std::shared_ptr<Task>;

/// The tasks of one server, each its owner's. Thread: any. Lifetime: `clock` outlives it.
class Tasks {
 public:
  explicit Tasks(const Clock& clock) : clock_(clock) {}

  /// Begins a task with an id that nobody can guess; Task::End must follow. `life`: cut to
  /// kTaskLifeMax. Where the owner, or all of them, have as many as may be kept, the one whose call
  /// ended first is forgotten for it, the owner's own before another's. Errors: RateLimited where
  /// none of them has ended; SourceUnreachable after Close.
  Result<TaskPtr> Begin(const std::string& owner, std::chrono::milliseconds life) EXCLUDES(mutex_);
  /// Returns the owner's task; null where there is none, no more, or it is another's.
  TaskPtr Find(const std::string& owner, const std::string& id) EXCLUDES(mutex_);
  /// Returns the owner's tasks, oldest first.
  std::vector<TaskPtr> Of(const std::string& owner) EXCLUDES(mutex_);

  /// Forgets what has ended and outlived its time, and cancels what goes on beyond it. All above do
  /// so first; for whoever comes by, since an owner may never ask again.
  void Tidy() EXCLUDES(mutex_);

  /// Begins no more, stops what waits for its client, gives the other calls `drain_max` to end,
  /// then stops them and waits `stop_max`. Returns false where one goes on all the same.
  bool Close(std::chrono::milliseconds drain_max, std::chrono::milliseconds stop_max)
      EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string owner;
    TaskPtr task;
  };
  /// Forgets the task whose call ended first. `owner`: of this one's; null: of all. Returns false
  /// where none has ended.
  bool MakePlace(const std::string* owner) REQUIRES(mutex_);
  std::vector<TaskPtr> All() EXCLUDES(mutex_);

  const Clock& clock_;
  Mutex mutex_;  // held before a task's own
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace schemaward::mcp
