#pragma once

// Holds the checkpoints of a log and those kept elsewhere against the chain. Private to audit/.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "audit/checkpoint.h"
#include "audit/keys.h"
#include "audit/merkle.h"
#include "audit/reader.h"
#include "audit/verify.h"
#include "base/result.h"

namespace schemaward::audit {

/// Fed with the records in order, then asked what does not fit. Thread: owner.
class CheckpointCheck {
 public:
  using Found = std::function<void(std::int64_t, std::string_view, std::string)>;

  /// Errors: InputUnreadable.
  static Result<CheckpointCheck> Create(const VerifyOptions& options);

  /// A file begins, whose records follow the record `base_sequence` with `base_hash`.
  void StartFile(std::int64_t base_sequence, std::string_view base_hash);
  /// The next record of the file. `previous_hash`: of the record before.
  void Take(const Reader& record, std::string_view previous_hash);
  /// Says what is wrong and counts what is right. `last`: sequence of the last record.
  void Finish(std::int64_t last, VerifyReport& report, const Found& found);

 private:
  /// The first place at which something is wrong.
  struct Place {
    std::int64_t sequence = 0;
    std::string what;
  };
  void CompareElsewhere(std::int64_t sequence, std::string_view hash);
  void CheckRecord(const Reader& record, std::string_view previous_hash);
  void ReadElsewhere(const CheckpointFile& file);
  bool IsSigned(const Checkpoint& checkpoint) const;

  std::optional<TrustedKeys> keys_;
  bool has_elsewhere_ = false;
  std::int64_t broken_lines_ = 0;
  std::multimap<std::int64_t, Checkpoint> elsewhere_;
  Frontier tree_;
  std::int64_t base_ = 0;
  std::int64_t fitting_ = 0;
  std::int64_t signed_through_ = 0;  // by checkpoints in the log or elsewhere
  std::int64_t log_signed_ = 0;      // by checkpoints in the log
  std::int64_t last_fitting_ = 0;    // before the first that differs, of those from elsewhere
  std::optional<Place> wrong_;       // checkpoint
  std::optional<Place> stranger_;    // resigned
  std::optional<Place> different_;   // forked or rewritten
};

}  // namespace schemaward::audit
