#include "audit/writer.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "audit/redact.h"
#include "base/log.h"
#include "base/sha256.h"

namespace schemaward::audit {
namespace {

constexpr std::chrono::milliseconds kGroupWindow{50};   // what kill -9 may cost
constexpr std::chrono::milliseconds kRetryPause{250};   // between attempts at a file that failed
constexpr std::chrono::milliseconds kCommitWait{5000};  // longest wait of a call for its record
constexpr std::size_t kQueueMax = 4096;
constexpr std::size_t kQueueBytesMax = 16U << 20U;
constexpr std::size_t kBatchMax = 512;
constexpr std::int64_t kRetryAfterMs = 1000;

Error Unavailable(const std::string& cause) {
  return std::move(
      Error(ErrorKind::AuditUnavailable, "the call could not be recorded in the audit log")
          .Detail("No call runs that cannot be recorded. Nothing was run.")
          .Hint("Ask the operator: the server's log names the file and what is wrong with it.")
          .Private(cause)
          .RetryAfter(kRetryAfterMs));
}

// The slow part of a record, off the caller's thread: hashes and redaction.
void Prepare(QueuedRecord& record) {
  if (record.is_prepared) return;
  RecordFields& fields = record.pending.fields;
  if (!record.args_json.empty()) {
    const KeptArguments kept = KeepArguments(record.args_json);
    fields.Set("args_hash", kept.hash);
    if (!kept.redacted.empty()) fields.Set("args", kept.redacted);
  }
  if (!record.recovery_args_json.empty())
    fields.Set("recovery_args_hash", KeepArguments(record.recovery_args_json).hash);
  if (!record.statement.empty()) fields.Set("statement_hash", Sha256Hex(record.statement));
  record.args_json = record.recovery_args_json = record.statement = std::string();
  record.is_prepared = true;
}

std::size_t SizeOf(const QueuedRecord& record) {
  return sizeof(QueuedRecord) + record.args_json.size() + record.recovery_args_json.size() +
         record.statement.size();
}

}  // namespace

Log::Writer::Writer(Options options, std::optional<SigningKey> key, std::unique_ptr<Sink> sink)
    : options_(std::move(options)), file_(options_, std::move(key), std::move(sink)) {}

Log::Writer::~Writer() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  const MutexLock lock(mutex_);
  if (!queue_.empty())
    log::Write(log::Level::Error, "", "audit_lost",
               fmt::format("{} records could not be written", queue_.size()));
}

Status Log::Writer::StartThread() {
  if (is_running_) return Ok();
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error& e) {
    return Unavailable(e.what());
  }
  is_running_ = true;
  return Ok();
}

Status Log::Writer::Put(QueuedRecord record, Durability durability) {
  const MutexLock lock(mutex_);
  const bool is_required = options_.mode == Mode::Required;
  record.size_bytes = SizeOf(record);
  if (is_required) AwaitRoom(record.size_bytes);
  const bool must_wait = durability == Durability::Now && (is_required || !failure_);
  if (failure_ && !must_wait && !record.outlives_failure) {
    is_probe_wanted_ = true;
    wake_.notify_one();
    return Unavailable(failure_->ToLogText());
  }
  if (!HasRoom(record.size_bytes)) return Unavailable("the queue of the audit log is full");
  WARD_CHECK(StartThread());
  if (queue_.empty()) oldest_at_ = Steady::now();
  const Outcome outcome = must_wait ? std::make_shared<std::optional<Status>>() : nullptr;
  record.outcome = outcome;
  queue_bytes_ += record.size_bytes;
  queue_.push_back(std::make_unique<QueuedRecord>(std::move(record)));
  if (must_wait) is_urgent_ = true;
  if (must_wait || queue_.size() == 1 || queue_.size() == kBatchMax) wake_.notify_one();
  return must_wait ? Wait(outcome) : Ok();
}

bool Log::Writer::HasRoom(std::size_t bytes) const {
  return queue_.size() < kQueueMax && queue_bytes_ + bytes <= kQueueBytesMax;
}

// Calls that come faster than records can be written are slowed down to that. A file that fails
// makes no room, so nobody waits for it.
void Log::Writer::AwaitRoom(std::size_t bytes) {
  const Steady::time_point until = Steady::now() + kCommitWait;
  while (!HasRoom(bytes) && !failure_)
    if (done_.wait_until(mutex_, until) == std::cv_status::timeout) return;
}

Status Log::Writer::Wait(const Outcome& outcome) {
  const Steady::time_point until = Steady::now() + kCommitWait;
  while (!outcome->has_value())
    if (done_.wait_until(mutex_, until) == std::cv_status::timeout && !outcome->has_value()) {
      DropWaiting(outcome);
      return Unavailable("the audit file did not take the record in time");
    }
  return **outcome;
}

// A call that gave up did not run, so its record leaves the queue, unless it is being written.
void Log::Writer::DropWaiting(const Outcome& outcome) {
  const auto found = std::find_if(queue_.begin(), queue_.end(), [&](const auto& queued) {
    return queued->outcome == outcome && !queued->outlives_failure;
  });
  if (found == queue_.end()) return;
  queue_bytes_ -= (*found)->size_bytes;
  queue_.erase(found);
}

Status Log::Writer::Flush() {
  const MutexLock lock(mutex_);
  // What is being written now was taken before this call; the attempt after it takes the rest.
  const std::uint64_t enough = attempts_ + (is_writing_ ? 2 : 1);
  const Steady::time_point until = Steady::now() + kCommitWait;
  while (is_writing_ || !queue_.empty()) {
    if (failure_ && attempts_ >= enough) return Unavailable(failure_->ToLogText());
    is_urgent_ = true;
    wake_.notify_one();
    if (done_.wait_until(mutex_, until) == std::cv_status::timeout)
      return Unavailable("the audit file did not take the records in time");
  }
  return Ok();
}

Status Log::Writer::Standing() {
  const MutexLock lock(mutex_);
  if (!failure_) return Ok();
  is_probe_wanted_ = true;
  wake_.notify_one();
  return Unavailable(failure_->ToLogText());
}

void Log::Writer::RecordOff() {
  std::call_once(off_once_, [this] {
    if (const Status status = file_.RecordOff(); !status)
      log::Write(log::Level::Warn, "", "audit_off_unrecorded", status.error().ToLogText());
  });
}

Log::Writer::Steady::time_point Log::Writer::DueAt() const {
  if (is_urgent_ || is_stopping_) return Steady::time_point::min();
  if (failure_ && (is_probe_wanted_ || !queue_.empty())) return retry_at_;
  if (queue_.empty()) return sign_at_;
  return queue_.size() >= kBatchMax ? Steady::time_point::min() : oldest_at_ + kGroupWindow;
}

void Log::Writer::Run() {
  const MutexLock lock(mutex_);
  while (true) {
    const Steady::time_point due = DueAt();
    if (due == Steady::time_point::max())
      wake_.wait(mutex_);
    else if (due > Steady::now())
      wake_.wait_until(mutex_, due);
    else if (!queue_.empty() || (!is_stopping_ && (is_urgent_ || is_probe_wanted_))) {
      CommitBatch();
      if (is_stopping_ && failure_) return;
    } else {
      SignNow();
      if (is_stopping_) return;
    }
  }
}

void Log::Writer::CommitBatch() {
  std::vector<std::unique_ptr<QueuedRecord>> batch;
  while (!queue_.empty() && batch.size() < kBatchMax) {
    queue_bytes_ -= queue_.front()->size_bytes;
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  is_urgent_ = !queue_.empty();
  is_probe_wanted_ = false;
  is_writing_ = true;
  mutex_.Unlock();
  std::vector<Pending*> records;
  for (const auto& queued : batch) {
    Prepare(*queued);
    records.push_back(&queued->pending);
  }
  const Status status = file_.Append(records);
  mutex_.Lock();
  is_writing_ = false;
  ++attempts_;
  PlanSigning();
  Settle(std::move(batch), status);
  done_.notify_all();
}

// On a failure the records of calls that wait are given back with the error, since those calls do
// not run; the others, whose calls went on, return to the head of the queue.
void Log::Writer::Settle(std::vector<std::unique_ptr<QueuedRecord>> batch, const Status& status) {
  if (!status && !failure_)
    log::Write(log::Level::Error, "", "audit_failed", status.error().ToLogText());
  if (status && failure_)
    log::Write(log::Level::Warn, "", "audit_healed", "the file takes records again");
  failure_ = status ? std::nullopt : std::optional<Error>(status.error());
  if (!status) retry_at_ = Steady::now() + kRetryPause;
  for (auto queued = batch.rbegin(); queued != batch.rend(); ++queued) {
    const Outcome outcome = std::exchange((*queued)->outcome, nullptr);
    if (outcome) *outcome = status ? Ok() : Status(Unavailable(status.error().ToLogText()));
    if (status || (outcome && !(*queued)->outlives_failure)) continue;
    queue_bytes_ += (*queued)->size_bytes;
    queue_.push_front(std::move(*queued));
  }
}

// After a commit that left records which no checkpoint covers, one is due in time.
void Log::Writer::PlanSigning() {
  if (!file_.HasUnsigned())
    sign_at_ = Steady::time_point::max();
  else if (sign_at_ == Steady::time_point::max())
    sign_at_ = Steady::now() + options_.signing.interval;
}

void Log::Writer::SignNow() {
  sign_at_ = Steady::time_point::max();
  is_writing_ = true;
  mutex_.Unlock();
  const Status status = file_.Sign();
  if (!status) log::Write(log::Level::Error, "", "audit_unsigned", status.error().ToLogText());
  mutex_.Lock();
  is_writing_ = false;
  PlanSigning();
  done_.notify_all();
}

}  // namespace schemaward::audit
