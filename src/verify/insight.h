#pragma once

// What is verified: an insight with the number that it claims and the steps that it cites.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::verify {

/// A step of the exploration that an insight may cite.
struct SourceStep {
  std::int64_t number = 0;
  std::string purpose;
  std::string statement;  ///< SQL that ran, as the guard printed it; empty where none did
  std::string error;      ///< why it failed; empty: it did not
  std::int64_t rows = 0;
};

struct Insight {
  std::string id, area, name, description;
  std::string severity{};              ///< as the analysis gave it
  std::string claimed_metric{};        ///< what the number counts
  std::optional<std::string> claimed;  ///< the number, as a decimal text
  std::vector<std::int64_t> source_steps;
};

struct InsightFile {
  std::vector<SourceStep> steps;
  std::vector<Insight> insights;
};

/// Reads {"steps": [...], "insights": [...]}: steps as `schemaward explore --json` prints them,
/// insights with id, analysis_area, name, description, severity, affected_count (a number or the
/// text of one), claimed_metric and source_steps. Other members are passed over. Errors:
/// InputUnreadable for what is not that, with the index of the insight or step; ByteCap past a
/// bound of limits.h. Thread: any; pure.
Result<InsightFile> ReadInsights(std::string_view json);

}  // namespace schemaward::verify
