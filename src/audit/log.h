#pragma once

// The audit log: an SQLite file of its own in which every call leaves two records, chained by
// hashes so that a change shows. The record's layout stands in audit/record.h and
// docs/formats/audit.md.
//
//   begin  before the call does anything   who, tool, arguments
//   end    when the answer is made         names its begin; outcome, tables, rows, duration
//
// Records are never updated. A begin without an end is a call that died: audit/verify.h reports it.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace schemaward::audit {

/// What happens to a call that cannot be recorded. Required: it is refused. BestEffort: it runs and
/// the log line says so. Off: nothing is recorded but the change to Off itself.
enum class Mode : std::uint8_t { Required, BestEffort, Off };

/// Returns the configuration's word: required, best-effort, off.
std::string_view NameOf(Mode mode);

/// When a record must be on its way to the disk. Now: before the call goes on (a call that touches
/// a source). Soon: with its neighbours within 50 ms (a call that reads the index only).
enum class Durability : std::uint8_t { Now, Soon };

/// What one process run says of itself in its `start` record. Hashes are 64 hexadecimal digits.
struct StartInfo {
  std::string program_version{};
  std::string config_hash{};
  std::string policy_hash{};
  std::string tools_hash{};
  std::string profile{};                  ///< dev | team | strict, or empty
  std::vector<std::string> exemptions{};  ///< from the floor, in force: "table.column: reason"
};

/// Signed checkpoints. Off where key_path is empty.
struct SigningOptions {
  std::string key_path{};          ///< Ed25519 private key, PEM, mode 0600, not in the log's folder
  std::string checkpoints_path{};  ///< also appended here, not in the log's folder; may be empty
  std::int64_t records = 1000;     ///< a checkpoint after so many records
  std::chrono::milliseconds interval{300'000};  ///< and so long after a record
};

/// When a file is closed and the next one goes on, and when closed files are removed. 0: never.
struct RotationOptions {
  std::int64_t size_bytes = 0;
  std::int64_t age_micros = 0;
  std::int64_t keep_bytes = 0;   ///< of all files together; the oldest are removed
  std::int64_t keep_micros = 0;  ///< since a file's last record
};

struct Options {
  std::string path{};  ///< the first audit file; its folder exists
  Mode mode = Mode::Required;
  const Clock* clock = nullptr;  ///< outlives the log
  StartInfo start{};
  SigningOptions signing{};
  RotationOptions rotation{};
  std::string sink{};  ///< where each record goes too, as audit/sink.h reads it; empty: nowhere
};

/// Names a begin to its end, within one Log. The default names none. Opaque: the number is set and
/// read by the log's writer alone.
struct RecordId {
  std::shared_ptr<std::int64_t> sequence;
};

/// A call as it arrives. Texts may be empty where they are not known.
struct BeginRecord {
  std::string request_id{};
  std::string principal{};
  std::string client{};
  std::string transport{};
  std::string source{};
  std::string tool{};
  std::string args_json{};  ///< as received; kept as a hash and in redacted form only
  std::string profile{};
};

/// How a call ended.
struct EndRecord {
  RecordId begin{};
  std::string status{};  ///< the envelope's word
  std::string error_kind{};
  std::string reason{};
  std::string recovery_tool{};
  std::string recovery_args_json{};  ///< kept as a hash only
  std::string source{};
  std::string metric{};
  std::string statement{};  ///< what ran in the engine; kept as a hash only
  std::vector<std::string> tables{};
  std::vector<std::string> pii_categories{};
  std::vector<std::string> exemptions{};  ///< columns that were read although of the floor by name
  std::optional<std::int64_t> rows{};
  std::optional<std::int64_t> bytes{};
  std::int64_t duration_us = 0;
  std::string profile{};
  std::string detail{};  ///< for operators; secrets are masked
};

/// Appends records. The file is opened and the one writer thread started by the first append, so
/// that a program that answers nothing pays nothing. Several processes may write one file.
/// Thread: any. Destruction commits what is pending; kill -9 loses at most the last 50 ms of
/// index-only calls.
class Log {
 public:
  /// Errors: InvalidArgument where options lack a path (but for Off) or a clock, or name no sink;
  /// InputUnreadable where the key cannot be used, or the checkpoints have none or lie in the log's
  /// folder.
  static Result<std::unique_ptr<Log>> Create(Options options);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Records that a call begins. With Now it is committed when this returns; with Soon it is
  /// queued, and waited for room where the queue is full (Required only). Errors (Required only):
  /// AuditUnavailable when it cannot be written, when the last write failed and none has succeeded
  /// since (Soon), or when the queue stays full. A failed log tries the file again by itself and
  /// heals.
  Result<RecordId> Begin(const BeginRecord& record, Durability durability);

  /// Records how a call ended. Accepted in the failed state too, while the queue has room: such
  /// records are written when the file heals. Errors: as Begin's.
  Status End(const EndRecord& record, Durability durability = Durability::Soon);

  /// Commits what is pending now. Errors: AuditUnavailable.
  Status Flush();

  /// Says whether records are written: the last attempt succeeded, or there was none yet. Where it
  /// failed the file is tried again soon, as a call would have it, so that a server that gets no
  /// calls meanwhile heals too. Does not wait. Errors: AuditUnavailable.
  Status Standing();

  Mode mode() const;

 private:
  class Writer;
  explicit Log(std::unique_ptr<Writer> writer);
  std::unique_ptr<Writer> writer_;
};

}  // namespace schemaward::audit
