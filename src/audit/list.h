#pragma once

// Reads calls and records out of an audit file.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::audit {

/// Which calls to list. Members that are empty let everything pass.
struct Filter {
  std::optional<std::int64_t> since_micros{};    ///< begun at or after
  std::optional<std::int64_t> after_sequence{};  ///< begin's sequence greater than
  std::string tool{};
  std::string status{};
  std::string principal{};
  std::string reason{};
  std::size_t limit = 100;  ///< the newest that fit, at most kLimitMax
  static constexpr std::size_t kLimitMax = 10'000;
};

/// One call: its begin and, where there is one, its end.
struct Call {
  std::int64_t sequence = 0;
  std::string occurred_at{};  ///< UTC, ISO 8601
  std::string principal{};
  std::string client{};
  std::string transport{};
  std::string tool{};
  std::string source{};
  json::Raw args;                     ///< redacted
  std::optional<std::string> status;  ///< null: no end was recorded
  std::optional<std::string> error_kind;
  std::optional<std::string> reason;
  std::optional<std::string> recovery_tool;
  std::optional<std::int64_t> rows{};
  std::optional<std::int64_t> duration_us{};
  void Bind(json::Fields& f) {
    f("sequence", sequence, "sequence of the begin record");
    f("occurred_at", occurred_at, "when it began, UTC");
    f("principal", principal, "who called");
    f("client", client, "with which program");
    f("transport", transport, "over which transport");
    f("tool", tool, "the tool");
    f("source", source, "the source, where known");
    f("args", args, "the arguments, redacted");
    f("status", status, "how it ended, null where no end is recorded");
    f("error_kind", error_kind, "the kind of failure");
    f("reason", reason, "the finer word");
    f("recovery_tool", recovery_tool, "the tool that the answer suggested");
    f("rows", rows, "rows in the answer");
    f("duration_us", duration_us, "microseconds");
  }
};

/// Returns the newest calls that pass `filter`, oldest first. Errors: as Verify's, and
/// StoreUnusable where the file is damaged. Thread: any.
Result<std::vector<Call>> List(const std::string& path, const Filter& filter);

/// Hands each record to `sink` as one JSON object without a line end, in order. The same records
/// give the same bytes. Errors: as List's; what `sink` returns. Thread: any.
Status Export(const std::string& path, const std::function<Status(std::string_view)>& sink);

}  // namespace schemaward::audit
