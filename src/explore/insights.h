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

inline constexpr std::size_t kRecommendationsMax = 8;  ///< of a run

/// What a model proposes to do about insights. Of all that it says only they were verified.
struct Recommendation {
  std::string title, description;
  std::int64_t priority = 1;          ///< 1 goes first
  std::vector<std::string> insights;  ///< ids; one at least
  std::vector<std::string> actions;
};

struct Recommendations {
  std::string status;                  ///< done | no_insights | failed; empty: not asked for
  std::string why;                     ///< of what failed
  std::vector<Recommendation> list;    ///< by priority, at most kRecommendationsMax
  std::int64_t dropped = 0;            ///< rest on no insight that was shown, or are too many
  std::int64_t insights_left_out = 0;  ///< did not fit the model's window
};

struct Analysis {
  std::string pack;             ///< its name; empty: there was no analysis
  std::int64_t steps_seen = 0;  ///< steps of the run that it is about
  std::vector<AreaResult> areas;
  std::vector<RunInsight> insights;                ///< at most kRunInsightsMax
  std::int64_t verification_budget_exhausted = 0;  ///< insights for which no query came
  Recommendations recommendations;
};

/// An insight as every answer and report has it: with "validation", null where it has no verdict.
json::Value ToValue(const RunInsight& insight);
json::Value ToValue(const Recommendation& recommendation);
json::Value ToValue(const Analysis& analysis);
/// The same as text.
std::string ToJson(const RunInsight& insight);
std::string ToJson(const Recommendation& recommendation);
std::string ToJson(const Analysis& analysis);
/// Back; what is not there stays empty.
Analysis AnalysisOf(const json::Value& value);

}  // namespace schemaward::explore
