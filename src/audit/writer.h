#pragma once

// The audit log's queue and the one thread that empties it into the file. Private to audit/.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "audit/file.h"
#include "audit/keys.h"
#include "audit/log.h"
#include "audit/sink.h"
#include "base/mutex.h"

namespace schemaward::audit {

/// A record in the queue, with the texts that the writer's thread still turns into hashes.
struct QueuedRecord {
  Pending pending;
  std::string args_json;
  std::string recovery_args_json;
  std::string statement;
  bool is_prepared = false;
  bool outlives_failure = false;  ///< its call runs whether or not it can be written now
  std::size_t size_bytes = 0;
  std::shared_ptr<std::optional<Status>> outcome;  ///< set where somebody waits
};

class Log::Writer {
 public:
  Writer(Options options, std::optional<SigningKey> key, std::unique_ptr<Sink> sink);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  const Options& options() const { return options_; }

  /// Queues `record`, once there is room; with Now waits for its commit. Errors: AuditUnavailable.
  Status Put(QueuedRecord record, Durability durability);
  /// Mode off: leaves a record of that, once.
  void RecordOff();
  /// Waits until all that was queued before is committed. Errors: AuditUnavailable.
  Status Flush();
  /// As Log::Standing.
  Status Standing();

 private:
  using Steady = std::chrono::steady_clock;
  using Outcome = std::shared_ptr<std::optional<Status>>;

  void Run();
  Steady::time_point DueAt() const REQUIRES(mutex_);
  void CommitBatch() REQUIRES(mutex_);
  void SignNow() REQUIRES(mutex_);
  void PlanSigning() REQUIRES(mutex_);
  void Settle(std::vector<std::unique_ptr<QueuedRecord>> batch, const Status& status)
      REQUIRES(mutex_);
  Status StartThread() REQUIRES(mutex_);
  bool HasRoom(std::size_t bytes) const REQUIRES(mutex_);
  void AwaitRoom(std::size_t bytes) REQUIRES(mutex_);
  Status Wait(const Outcome& outcome) REQUIRES(mutex_);
  void DropWaiting(const Outcome& outcome) REQUIRES(mutex_);

  const Options options_;
  AuditFile file_;  // the writer's thread alone
  Mutex mutex_;
  CondVar wake_;  // the writer waits here
  CondVar done_;  // callers wait here
  std::deque<std::unique_ptr<QueuedRecord>> queue_ GUARDED_BY(mutex_);
  std::size_t queue_bytes_ GUARDED_BY(mutex_) = 0;
  Steady::time_point oldest_at_ GUARDED_BY(mutex_);
  bool is_urgent_ GUARDED_BY(mutex_) = false;
  bool is_writing_ GUARDED_BY(mutex_) = false;
  std::uint64_t attempts_ GUARDED_BY(mutex_) = 0;
  std::optional<Error> failure_ GUARDED_BY(mutex_);
  bool is_probe_wanted_ GUARDED_BY(mutex_) = false;
  Steady::time_point retry_at_ GUARDED_BY(mutex_);
  Steady::time_point sign_at_ GUARDED_BY(mutex_) = Steady::time_point::max();
  bool is_stopping_ GUARDED_BY(mutex_) = false;
  bool is_running_ GUARDED_BY(mutex_) = false;
  std::once_flag off_once_;
  std::thread thread_;
};

}  // namespace schemaward::audit
