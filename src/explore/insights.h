#pragma once

// What the analysis of a run came to, as the run's record keeps it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace schemaward::explore {

inline constexpr std::size_t kRunInsightsMax = 200;  ///< of a run

/// An area of a pack, and the steps that were read for it.
struct AreaResult {
  std::string id, name;
  std::string status;               ///< done | no_steps | failed
  std::string why;                  ///< of one that failed; what was left aside of one that is done
  std::string ranker;               ///< hybrid | keywords | keywords, degraded
  std::vector<std::int64_t> steps;  ///< that the model was shown
  std::int64_t steps_left_out = 0;  ///< belong to the area, but did not fit
};

/// An insight with its verdict.
struct RunInsight {
  std::string id, area, name, description, severity, claimed_metric;
  std::optional<std::string> claimed;  ///< the number, as a decimal text
  std::vector<std::int64_t> source_steps;
  std::string status;  ///< a word of verify::ValidationStatus; empty: it was not verified
  std::vector<std::string> reasons;
  std::optional<std::string> verified;  ///< the recomputed number
  std::string statement;                ///< that recomputed it
};

struct Analysis {
  std::string pack;             ///< its name; empty: there was no analysis
  std::int64_t steps_seen = 0;  ///< steps of the run that it is about
  std::vector<AreaResult> areas;
  std::vector<RunInsight> insights;                ///< at most kRunInsightsMax
  std::int64_t verification_budget_exhausted = 0;  ///< insights for which no query came
};

/// An insight as every answer and report has it: with "validation", null where it has no verdict.
json::Value ToValue(const RunInsight& insight);
json::Value ToValue(const Analysis& analysis);
/// The same as text.
std::string ToJson(const RunInsight& insight);
std::string ToJson(const Analysis& analysis);
/// Back; what is not there stays empty.
Analysis AnalysisOf(const json::Value& value);

}  // namespace schemaward::explore
