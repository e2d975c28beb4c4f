#pragma once

// Checks an audit file: every record against its hash, the chain against its head, every end
// against its begin.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::audit {

/// What is wrong at one place. `fault`:
///   content      the record, or its hash, is not what was written
///   missing      records before this one are gone
///   unreadable   the file is damaged here; what follows cannot be read
///   begin        an end that names no open begin
///   head         the last record is not the one that was written last: the tail was cut
///   base         the chain does not start where it says
///   unprotected  a trigger that refuses changes is gone
struct Mismatch {
  std::int64_t sequence = 0;  ///< the record; 0 where it is the file
  std::string fault;
  std::string what;  ///< one sentence for people
  void Bind(json::Fields& f) {
    f("sequence", sequence, "the record that is wrong, 0 for the file as a whole");
    f("fault", fault, "content, missing, unreadable, begin, head, base or unprotected");
    f("what", what, "the same in words");
  }
};

struct VerifyOptions {
  bool full = false;  ///< go on after the first mismatch
};

struct VerifyReport {
  std::int64_t records = 0;
  std::int64_t last_sequence = 0;
  std::string head_hash;  ///< hexadecimal; keep it elsewhere, and a cut tail shows
  std::int64_t mismatch_count = 0;
  std::vector<Mismatch> mismatches;  ///< the first; with full at most kListedMax
  std::int64_t open_begin_count = 0;
  std::vector<std::int64_t> open_begins;  ///< begins without an end, at most kListedMax
  std::int64_t clock_steps_back = 0;      ///< records earlier than the one before them; no fault
  static constexpr std::size_t kListedMax = 1000;

  bool IsIntact() const { return mismatch_count == 0; }
  /// 0 intact, 1 not. (2 is for a log that cannot be read: an Error.)
  int ExitCode() const { return IsIntact() ? 0 : 1; }
  void Bind(json::Fields& f) {
    f("records", records, "how many records were read");
    f("last_sequence", last_sequence, "sequence of the last record");
    f("head_hash", head_hash, "hash of the last record");
    f("mismatch_count", mismatch_count, "how many places are wrong");
    f("mismatches", mismatches, "the first wrong place, or all with full");
    f("open_begin_count", open_begin_count, "calls that began and have no end");
    f("open_begins", open_begins, "sequences of those calls' begins");
    f("clock_steps_back", clock_steps_back, "records that are earlier than the one before");
  }
};

/// Reads all of `path` in one snapshot and checks it. What it cannot see: the newest records cut
/// together with the chain's row; compare head_hash with one kept elsewhere. Errors:
/// InputUnreadable when there is no audit log at `path`; StoreLocked, StoreUnusable when it cannot
/// be opened. Thread: any.
Result<VerifyReport> Verify(const std::string& path, const VerifyOptions& options = {});

}  // namespace schemaward::audit
