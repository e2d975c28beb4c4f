// What keeps the files of the log in order: going on in a next one, removing old ones, and saying
// what could not be passed on. A failure here fails no call; it is logged and tried again.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "audit/file.h"
#include "audit/reader.h"
#include "base/log.h"

namespace schemaward::audit {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kNotePause{60};          // between notes about the sink
constexpr std::chrono::seconds kRotateRetryPause{60};   // after a rotation that failed
constexpr std::chrono::seconds kRetirePause{3600};      // between looks at old files
constexpr std::int64_t kClockDriftMax = 3'600'000'000;  // microseconds
constexpr int kRetiredMax = 64;                         // files removed at one look

bool IsDue(const std::optional<Steady::time_point>& at, Steady::time_point now) {
  return !at || now >= *at;
}

}  // namespace

void AuditFile::NoteSinkFailures() {
  if (!sink_ || !IsDue(notes_at_, options_.clock->Now())) return;
  const Sink::Failures failures = sink_->failures();
  if (failures.count == sink_failures_noted_) return;
  notes_.push_back(fmt::format("the sink did not take {} lines: {}",
                               failures.count - sink_failures_noted_, failures.last));
  sink_failures_noted_ = failures.count;
  notes_at_ = options_.clock->Now() + kNotePause;
}

void AuditFile::KeepInOrder() {
  const Steady::time_point now = options_.clock->Now();
  if (last_ && IsDue(rotate_at_, now) && IsRotationDue(*last_)) {
    rotate_at_ = now + kRotateRetryPause;
    if (const Status rotated = Rotate(); rotated) {
      rotate_at_.reset();
      retire_at_.reset();
    } else {
      log::Write(log::Level::Error, "", "audit_rotate", rotated.error().ToLogText());
    }
  }
  const RotationOptions& rotation = options_.rotation;
  if ((rotation.keep_bytes == 0 && rotation.keep_micros == 0) || !IsDue(retire_at_, now)) return;
  retire_at_ = now + kRetirePause;
  if (const Status retired = Retire(); !retired)
    log::Write(log::Level::Error, "", "audit_retire", retired.error().ToLogText());
}

// A file with a start record alone is not closed, so that a limit below its size makes no endless
// series.
bool AuditFile::IsRotationDue(const Head& head) const {
  const RotationOptions& rotation = options_.rotation;
  if (head.sequence <= head.base_sequence + 1 || number_ >= kSegmentsMax) return false;
  if (rotation.size_bytes > 0 && SegmentBytes(PathOf(number_)) >= rotation.size_bytes) return true;
  return rotation.age_micros > 0 && first_at_ &&
         options_.clock->UnixMicros() - *first_at_ >= rotation.age_micros;
}

// The next file is made ready before this one is closed, in the transaction that closes it and so
// by one process alone: a next file that is absent was removed by somebody. The closing commit is
// synced, since records in the next file must not outlive it in a power loss.
Status AuditFile::Rotate() {
  WARD_CHECK(OpenIfNeeded());
  WARD_CHECK(file_->database().Execute("PRAGMA synchronous=FULL"));
  bool is_closed = false;
  Status done = Commit([&](Draft& draft) -> Status {
    if (!IsRotationDue(draft.head)) return Ok();  // another process was faster
    const std::int64_t next = number_ + 1;
    WARD_CHECK(InsertStartIfNeeded(draft));
    RecordFields fields =
        Plain("rotate", fmt::format("the log goes on in {}", SegmentName(options_.path, next)));
    fields.Set("run", draft.run);
    WARD_CHECK(Insert(fields, draft));
    if (key_) WARD_CHECK(InsertCheckpoint(draft));
    WARD_TRY(ChainFile prepared, PrepareNext(next, draft.head));
    WARD_TRY(const Head head, prepared.ReadHead());
    if (head.base_sequence != draft.head.sequence || head.base_hash != draft.head.hash)
      return Error(ErrorKind::StoreUnusable, "the next file of the audit log holds other records");
    draft.head.next_file = next;
    is_closed = true;
    return Ok();
  });
  if (done && is_closed) return OpenSegment(number_ + 1, ChainFile::Make::Never);
  if (file_) (void)file_->database().Execute("PRAGMA synchronous=NORMAL");
  return done;
}

// Ages are told by the calendar, so nothing is removed once that was set while this process ran.
bool AuditFile::IsClockSteady() const {
  const auto steady = std::chrono::duration_cast<std::chrono::microseconds>(
      options_.clock->Now().time_since_epoch());
  const std::int64_t drift = options_.clock->UnixMicros() - steady.count() - calendar_offset_;
  return drift < kClockDriftMax && drift > -kClockDriftMax;
}

Status AuditFile::Retire() {
  const std::vector<Segment> segments = ListSegments(options_.path);
  std::int64_t all_bytes = 0;
  for (const Segment& segment : segments) all_bytes += SegmentBytes(segment.path);
  int removed = 0;
  for (const Segment& segment : segments) {
    if (segment.number >= number_ || removed == kRetiredMax) break;
    const std::int64_t bytes = SegmentBytes(segment.path);
    bool was_removed = false;
    WARD_CHECK(RetireOldest(segment, all_bytes, was_removed));
    if (!was_removed) break;
    all_bytes -= bytes;
    ++removed;
  }
  return Ok();
}

// The removal is recorded, with what the file ended with, before it is done.
Status AuditFile::RetireOldest(const Segment& oldest, std::int64_t all_bytes, bool& was_removed) {
  const RotationOptions& rotation = options_.rotation;
  Result<Reader> probe = Reader::Open(oldest.path);
  if (!probe && SegmentBytes(oldest.path) == 0) {  // another process was faster
    was_removed = true;
    return Ok();
  }
  if (!probe) return std::move(probe).error();
  const Chain& chain = probe->chain();
  WARD_TRY(Reader last, Reader::Open(oldest.path, chain.head_sequence));
  WARD_TRY(const bool found, last.Next());
  if (chain.next_file != oldest.number + 1 || !found) return Ok();
  const std::int64_t last_at =
      std::max<std::int64_t>(last.Int("occurred_at").value_or(INT64_MAX), 0);
  const std::int64_t age = options_.clock->UnixMicros() - last_at;
  const bool is_old = rotation.keep_micros > 0 && age >= rotation.keep_micros && IsClockSteady();
  const bool is_much = rotation.keep_bytes > 0 && all_bytes > rotation.keep_bytes;
  if (!is_old && !is_much) return Ok();
  const std::string name = SegmentName(options_.path, oldest.number);
  WARD_CHECK(Commit([&](Draft& draft) -> Status {
    WARD_CHECK(InsertStartIfNeeded(draft));
    RecordFields fields = Plain("retire", fmt::format("the file {} is removed", name));
    fields.Set("run", draft.run);
    fields.Set("covers_sequence", chain.head_sequence);
    fields.Set("covers_hash", ToHex(chain.head_hash));
    return Insert(fields, draft);
  }));
  if (const int code = RemoveSegment(oldest.path); code != 0)
    return std::move(Error(ErrorKind::StoreUnusable, "an old audit file cannot be removed")
                         .Private(fmt::format("{}: errno {}", oldest.path, code)));
  was_removed = true;
  return Ok();
}

}  // namespace schemaward::audit
