#pragma once

// Measures a search by questions whose tables are known.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace schemaward::retrieve {

/// A question and the tables that answer it.
struct GoldQuestion {
  std::string question;
  std::vector<std::string> gold_tables;  ///< schema.table; compared folded
};

/// Reads one JSON object a line: `question`, `gold_tables`; other members are ignored, and so are
/// blank lines. Errors: InvalidArgument naming the line that cannot be read, or where there are no
/// questions or more than kQuestionsMax.
Result<std::vector<GoldQuestion>> ReadQuestions(std::string_view jsonl);
inline constexpr std::size_t kQuestionsMax = 1'000'000;

/// The depths that are reported.
inline constexpr std::size_t kDepths[] = {1, 3, 5, 10, 15};
inline constexpr std::size_t kDepthMax = 15;

struct DepthScore {
  std::size_t depth = 0;
  double recall = 0;  ///< percent: share of a question's tables within the first `depth`, averaged
  double all_gold = 0;  ///< percent of questions whose tables all are
};

struct EvalReport {
  std::size_t questions = 0;
  std::vector<DepthScore> depths;
  double right_schema_first = 0;  ///< percent of questions whose first hit is of a gold schema
  double mean_ms = 0, p50_ms = 0, p95_ms = 0;
};

/// Returns the names of the first tables found for a question, best first.
using SearchFunction =
    std::function<Result<std::vector<std::string>>(const std::string& question, std::size_t limit)>;

/// Runs every question. Errors: as `search`.
Result<EvalReport> EvaluateRetrieval(const std::vector<GoldQuestion>& questions,
                                     const SearchFunction& search, const Clock& clock);

/// A table for people; ends with a line break.
std::string ToText(const EvalReport& report);
/// One JSON object.
std::string ToJson(const EvalReport& report);

}  // namespace schemaward::retrieve
