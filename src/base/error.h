#pragma once

// Failures as data: a kind from one closed table, words for people, and the next call for a
// program. [R-FAM-3]

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward {

/// One value per row of error_kinds.def.
enum class ErrorKind : std::uint8_t {
#define WARD_ERROR(Id, ...) Id,
#include "base/error_kinds.def"
#undef WARD_ERROR
};

/// Who can mend a failure.
enum class Fixer : std::uint8_t { Caller, Policy, Environment, Bug };

/// The two failing statuses of the charter envelope.
enum class FailStatus : std::uint8_t { Error, Refused };

/// A row of error_kinds.def. Lifetime: static.
struct ErrorRow {
  ErrorKind id;
  std::string_view kind;    ///< charter word, one of 26
  std::string_view reason;  ///< finer word
  Fixer fixer;
  FailStatus status;
  bool retryable;
  std::string_view pattern_code;    ///< toolError:v1 code, one of six
  int pattern_status;               ///< the statusCode in its details; 0: the code has none
  std::string_view workspace_code;  ///< error_code where the tool has no word of its own
  int rpc_code;
  int http_status;
  int exit_code;
  std::string_view meaning;
};

/// Returns the row of `kind`. Thread: any.
const ErrorRow& RowOf(ErrorKind kind);

/// Returns every row in the order of the file. Thread: any.
const std::vector<ErrorRow>& AllErrorRows();

/// A call that can be made as it stands.
struct SuggestedCall {
  std::string tool;
  std::string args_json;  ///< one JSON object, complete for `tool`
};

/// A safe version of a refused statement.
struct Rewrite {
  std::string rewritten;
  std::string reason;
};

/// The scope that would unblock an allow-list refusal.
struct Widening {
  std::string scope_requested;
  std::string would_unblock;
  std::string reason;
};

/// What to do next. Empty members are null on the wire. [R-REC-1]
struct Recovery {
  std::optional<SuggestedCall> call;
  std::vector<std::string>
      fuzzy_matches;  ///< at most three, nearest first; each usable in place of the wrong name
  std::optional<Rewrite> rewrite;
  std::optional<Widening> widening;
};

/// A failure. Text members never hold driver text, paths, hosts, credentials or row values: those
/// go to `private_detail`, which reaches the log and nothing else. [R-REC-3] Thread: a value; no
/// shared state.
class Error {
 public:
  /// Masks secrets in `message`. `message`: one line, lower case, no full stop.
  Error(ErrorKind kind, std::string_view message);

  ErrorKind kind() const { return kind_; }
  const ErrorRow& row() const { return RowOf(kind_); }
  const std::string& message() const { return message_; }
  const std::string& detail() const { return detail_; }
  const std::string& hint() const { return hint_; }
  const std::string& private_detail() const { return private_detail_; }
  const Recovery& recovery() const { return recovery_; }
  Recovery& recovery() { return recovery_; }
  std::optional<std::int64_t> retry_after_ms() const { return retry_after_ms_; }
  const std::vector<std::string>& pii_categories() const { return pii_categories_; }
  const std::vector<std::string>& context() const { return context_; }

  /// Facts, full sentences.
  Error& Detail(std::string_view text);
  /// What to do next, full sentences.
  Error& Hint(std::string_view text);
  /// For the log only.
  Error& Private(std::string_view text);
  Error& Suggest(std::string tool, std::string args_json);
  /// Keeps the first three of `names`.
  Error& Near(std::vector<std::string> names);
  Error& RetryAfter(std::int64_t ms);
  Error& Categories(std::vector<std::string> blocked);
  /// Adds where it happened, innermost first.
  Error& In(std::string_view where);

  /// Returns all of it on one line, for logs: kind/reason: message (context...) [private].
  std::string ToLogText() const;

 private:
  ErrorKind kind_;
  std::string message_, detail_, hint_, private_detail_;
  Recovery recovery_;
  std::vector<std::string> context_, pii_categories_;
  std::optional<std::int64_t> retry_after_ms_;
};

/// Returns `text` with passwords of URLs and of key=value pairs replaced by "***". Thread: any.
std::string MaskSecrets(std::string_view text);

}  // namespace schemaward
