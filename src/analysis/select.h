#pragma once

// Which steps of a run belong to an area.

#include <cstdint>
#include <string>
#include <vector>

#include "explore/state.h"
#include "llm/embedder.h"
#include "packs/pack.h"

namespace schemaward::analysis {

inline constexpr std::size_t kStepsOfAreaMax = 24;
inline constexpr double kScoreMin = 0.30;      ///< of a cosine: below, a step says nothing of it
inline constexpr double kKeywordScore = 0.55;  ///< a step that names a keyword has at least this

/// A step and how near it is to an area.
struct Ranked {
  const explore::Step* step = nullptr;
  double score = 0;
};

struct Ranking {
  std::vector<Ranked> steps;  ///< best first, ties by number; at most kStepsOfAreaMax
  std::string ranker;         ///< hybrid | keywords | keywords, degraded
  llm::Usage usage;           ///< of the embedder
};

/// Ranks the queries that ran. Keywords are looked for in purpose, SQL and thinking, case folded;
/// with an embedder the nearness of meaning counts, and a keyword lifts a step to kKeywordScore.
/// Without one, or where it fails (degraded), the share of the area's keywords counts alone.
/// Errors: Cancelled, DeadlineExceeded. Lifetime: the steps'.
Result<Ranking> RankSteps(const packs::Area& area, const std::vector<explore::Step>& steps,
                          llm::Embedder* embedder, CallContext& ctx);

/// As many of them as fit, as text in the order of the run.
struct Shown {
  std::string text;
  std::vector<std::int64_t> steps;  ///< ascending
  std::int64_t left_out = 0;
};

/// Returns the best ones whose texts have at most `tokens_max` tokens together, each with its
/// number, what it was for, the SQL that ran and its digest. Thread: any; pure.
Shown ShowSteps(const std::vector<Ranked>& ranked, std::int64_t tokens_max);

}  // namespace schemaward::analysis
