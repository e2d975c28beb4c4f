#pragma once

// Claims as JSON: those that a model ends its run with, and what came of them.

#include <string>
#include <string_view>
#include <vector>

#include "explore/verify.h"

namespace schemaward::explore {

inline constexpr std::size_t kClaimsOfModelMax = 50;  ///< at the end of a run
inline constexpr std::size_t kFiguresMax = 20;        ///< of a claim

/// Reads a list of {"claim", "figures": [{"label", "value", "kind", "of": {"step", "column",
/// "where": [{"column", "value"}]}, "base"}]}; the parts of a ratio and a difference have a "kind"
/// of their own. Errors: InputUnreadable, with the claim's index; ByteCap past a bound. Thread:
/// any; pure.
Result<std::vector<Claim>> ReadClaims(std::string_view json);

/// Returns {"claim", "verdict", "figures": [{"label", "claimed", "verdict", "right", "reason",
/// "step", "base_step"}]}. Thread: any; pure.
std::string ToJson(const VerifiedClaim& verified);

/// Lines about a kept claim, for reports: the claim with its verdict, then each figure. Thread:
/// any; pure.
std::vector<std::string> TellClaim(std::string_view json);

}  // namespace schemaward::explore
