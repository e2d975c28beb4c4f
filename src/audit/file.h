#pragma once

// The log for writing: appends batches, each in one transaction that reads the chain's head, so
// that two processes cannot fork the chain; signs checkpoints; goes on in a next file and removes
// old ones. Private to audit/.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/chain_file.h"
#include "audit/checkpoint.h"
#include "audit/keys.h"
#include "audit/log.h"
#include "audit/record.h"
#include "audit/segments.h"
#include "audit/sink.h"
#include "base/result.h"

namespace schemaward::audit {

/// A record on its way to the file. The sequence of a begin is written through `own`; that of the
/// begin which an end names is read through `begin`.
struct Pending {
  RecordFields fields;
  std::shared_ptr<std::int64_t> own;
  std::shared_ptr<std::int64_t> begin;
};

/// Thread: owner (the log's writer). Errors of every call: those of sqlite::Database.
class AuditFile {
 public:
  /// `key`, `sink`: may be null.
  AuditFile(Options options, std::optional<SigningKey> key, std::unique_ptr<Sink> sink);

  /// Opens the log if need be and appends `batch` in its order, after a start record where this is
  /// the first batch in this file, the chain was cut or the file was replaced; and a checkpoint
  /// where one is due. An empty batch proves that the file can be written. Nothing is appended on
  /// an error. What then keeps the files in order may fail without one.
  Status Append(const std::vector<Pending*>& batch);

  /// True when records were committed that no checkpoint covers, and there is a key.
  bool HasUnsigned() const;
  /// Appends what is still to be said: failures of the sink, and a checkpoint.
  Status Sign();

  /// Mode off: records that it is off where the log exists and says otherwise.
  Status RecordOff();

 private:
  /// What a transaction makes; taken over when it is committed.
  struct Draft {
    Head head;
    std::int64_t run = 0;
    std::vector<std::string> lines;  // for the sink
    std::optional<Checkpoint> signed_now;
    std::vector<std::string> notes;  // that were recorded
  };
  using Body = std::function<Status(Draft&)>;

  Status Commit(const Body& body);
  Result<bool> TryCommit(const Body& body);
  bool IsGone() const;
  bool IsStray() const;
  Status OpenIfNeeded();
  Status OpenLast();
  Status OpenSegment(std::int64_t number, ChainFile::Make make);
  Status Follow(const Head& closed);
  Result<ChainFile> PrepareNext(std::int64_t number, const Head& base);
  void TakeOver(Draft draft);
  std::string PathOf(std::int64_t number) const { return SegmentPath(options_.path, number); }

  Status Insert(RecordFields& fields, Draft& draft);
  Status InsertStartIfNeeded(Draft& draft);
  Status InsertStart(Draft& draft);
  Status InsertNotes(Draft& draft);
  Status InsertCheckpoint(Draft& draft);
  std::string StartDetail(const Head& head) const;
  RecordFields Plain(std::string_view kind, std::string_view detail) const;

  void KeepInOrder();
  void NoteSinkFailures();
  bool IsRotationDue(const Head& head) const;
  Status Rotate();
  Status Retire();
  Status RetireOldest(const Segment& oldest, std::int64_t all_bytes, bool& was_removed);
  bool IsClockSteady() const;

  const Options options_;
  const std::optional<SigningKey> key_;
  const std::unique_ptr<Sink> sink_;
  const std::int64_t calendar_offset_;  // of the calendar to the steady clock, microseconds
  std::unique_ptr<ChainFile> file_;
  std::int64_t number_ = 0;  // of the file that is open
  std::int64_t wanted_ = 0;  // of the file that was opened last, or could not be
  std::optional<std::int64_t> first_at_;
  std::optional<Head> last_;  // what this process committed last
  std::int64_t run_ = 0;      // sequence of its start record in this file
  bool replaced_ = false;
  std::string gone_;  // name of a file that should have been there
  std::vector<std::string> notes_;
  std::int64_t sink_failures_noted_ = 0;
  std::optional<std::chrono::steady_clock::time_point> notes_at_, rotate_at_, retire_at_;
};

}  // namespace schemaward::audit
