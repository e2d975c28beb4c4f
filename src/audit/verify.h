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
///   missing      records before this one are gone, or a file of the series is
///   unreadable   the file is damaged here; what follows cannot be read
///   begin        an end that names no open begin
///   head         the last record is not the one that was written last: the tail was cut
///   base         the chain does not start where it says
///   unprotected  a trigger that refuses changes is gone
///   checkpoint   a checkpoint in the log does not say what the log holds, or has a wrong signature
///   cut          a checkpoint kept elsewhere covers records that are gone
///   forked       two histories were signed with the trusted key: this one is not the one that a
///                checkpoint kept elsewhere covers
///   rewritten    the log is not the one that a checkpoint kept elsewhere covers, and no trusted
///                key signed it since
///   resigned     a checkpoint is signed with a key that is not trusted
///   unsigned     a public key was given, and no checkpoint of the log is signed with it
struct Mismatch {
  std::int64_t sequence = 0;  ///< the record; 0 where it is the file
  std::string fault;
  std::string what;  ///< one sentence for people
  void Bind(json::Fields& f) {
    f("sequence", sequence, "the record that is wrong, 0 for the file as a whole");
    f("fault", fault,
      "content, missing, unreadable, begin, head, base, unprotected, checkpoint, cut, forked, "
      "rewritten, resigned or unsigned");
    f("what", what, "the same in words");
  }
};

struct VerifyOptions {
  bool full = false;               ///< go on after the first mismatch
  std::string public_key_path{};   ///< PEM; empty: signatures are not checked
  std::string checkpoints_path{};  ///< the checkpoints kept elsewhere; empty: there are none
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
  std::int64_t files = 0;
  std::int64_t first_sequence = 0;  ///< above 1 where older files were removed
  std::int64_t signed_through = 0;  ///< last record that a checkpoint of a trusted key covers
  std::int64_t checkpoints = 0;     ///< in the log and elsewhere, that fit
  std::int64_t broken_lines = 0;    ///< of the checkpoints kept elsewhere; no fault
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
    f("files", files, "how many files the log has");
    f("first_sequence", first_sequence, "sequence of the first record; older ones were removed");
    f("signed_through", signed_through, "the last record that a trusted signature covers");
    f("checkpoints", checkpoints, "how many checkpoints fit");
    f("broken_lines", broken_lines, "lines of the checkpoints' file that are none");
  }
};

/// True when the log at `path` has a file.
bool IsThere(const std::string& path);

/// Reads the log at `path`, all its files, each in one snapshot, and checks it. What it cannot see
/// without checkpoints kept elsewhere: the newest records cut together with the chain's row, and a
/// whole new chain. Errors: InputUnreadable when there is no audit log at `path`, or the key or the
/// checkpoints cannot be read; StoreLocked, StoreUnusable when it cannot be opened. Thread: any.
Result<VerifyReport> Verify(const std::string& path, const VerifyOptions& options = {});

}  // namespace schemaward::audit
