#pragma once

// `schemaward policy test`: what a policy makes of callers and calls, beside what was expected.
// docs/policy.md has the format.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "json/value.h"
#include "privacy/policy.h"

namespace schemaward::app {

inline constexpr std::size_t kPolicyCasesMax = 10'000;

/// One case and what came of it.
struct PolicyCase {
  std::int64_t line = 0;
  std::string name;      ///< the case's own, or what it asks
  std::string expected;  ///< a word, or several parted by |
  std::string got;
  bool passed = false;
};

/// Makes a call as `principal` and returns the word for its answer: its status, or the kind of its
/// error.
using MakeCall = std::function<Result<std::string>(const Principal& principal,
                                                   std::string_view tool, const json::Value& args)>;

/// Runs the cases of `text`, one JSON object a line; # starts a line that is passed over. `call` is
/// used for cases that hold a call alone. Errors: InputUnreadable with the line's number, or where
/// there is no case.
Result<std::vector<PolicyCase>> RunPolicyCases(std::string_view text, const privacy::Policy& policy,
                                               const MakeCall& call);

}  // namespace schemaward::app
