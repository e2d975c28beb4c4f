#pragma once

// A verdict about one insight.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llm/model.h"
#include "verify/insight.h"

namespace schemaward::verify {

/// confirmed: recomputed, the number is right. adjusted: two queries agree on another number.
/// rejected: they agree that there is nothing of what is claimed, something where nothing is, or
/// the contrary: a number of the other sign.
/// unverifiable: no number is claimed, or what ran does not decide. error: nothing could be run.
enum class ValidationStatus : std::uint8_t { Confirmed, Adjusted, Rejected, Unverifiable, Error };
std::string_view NameOf(ValidationStatus status);

struct Validation {
  ValidationStatus status = ValidationStatus::Error;
  std::vector<std::string> reasons;     ///< at least one
  std::optional<std::string> claimed;   ///< as the insight says
  std::optional<std::string> verified;  ///< the recomputed number; the insight keeps its own
  std::string query;                    ///< SQL that was asked last
  std::string statement;                ///< SQL that ran
  int rounds = 0;                       ///< at most kRoundsMax, the forced one not counted
  bool was_forced = false;
  bool budget_exhausted = false;  ///< not even the forced round gave a query
  std::int64_t lookups = 0;       ///< charged calls
  std::int64_t repairs = 0;       ///< rewrites
  llm::Usage usage;               ///< repairs included
};

/// How many insights ended so.
struct Counters {
  std::int64_t confirmed = 0, adjusted = 0, rejected = 0, unverifiable = 0, error = 0;
  std::int64_t verification_budget_exhausted = 0;
  void Count(const Validation& validation);
  bool operator==(const Counters&) const = default;
};

/// Returns {"insight_id", "analysis_area", "name", "validation": {...}} and the counters as JSON
/// objects. Thread: any; pure.
std::string ToJson(const Insight& insight, const Validation& validation);
std::string ToJson(const Counters& counters);

}  // namespace schemaward::verify
