#pragma once

// Callers that make the same failing call again and again: a model that does not read its errors.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::audit {

/// The same call of one caller, with the same arguments, failing for the same reason.
struct Loop {
  std::string principal, client, tool, reason;
  json::Raw args;  ///< redacted
  std::int64_t times = 0;
  std::string first_at, last_at;  ///< UTC, ISO 8601
  std::string recovery_tool;      ///< what each answer suggested
  void Bind(json::Fields& f) {
    f("principal", principal, "who called");
    f("client", client, "with which program");
    f("tool", tool, "the tool");
    f("reason", reason, "why it failed");
    f("args", args, "the arguments, redacted");
    f("times", times, "how often");
    f("first_at", first_at, "first time, UTC");
    f("last_at", last_at, "last time, UTC");
    f("recovery_tool", recovery_tool, "the tool that the answers suggested", {.omit_empty = true});
  }
};

inline constexpr std::size_t kLoopsMax = 100;  ///< given, the most repeated first
inline constexpr std::size_t kLoopCallsMax =
    1'000'000;  ///< different failing calls that are counted

/// Returns the calls that failed at least `times_min` times, most first. Errors: as List's;
/// ByteCap where more than kLoopCallsMax different calls failed. Thread: any.
Result<std::vector<Loop>> FindLoops(const std::string& path, std::int64_t times_min);

}  // namespace schemaward::audit
