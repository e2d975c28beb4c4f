#pragma once

// What a run will come to, before it begins: its own loop, with a model and results that are made
// up.

#include <cstdint>

#include "base/result.h"
#include "explore/explorer.h"
#include "explore/warehouse.h"
#include "llm/model.h"

namespace schemaward::explore {

/// A step of usual size: a reply of so many tokens, its thinking included; of ten steps two are
/// lookups, one is a search, the others are queries whose results take about 1,200 bytes.
inline constexpr std::int64_t kUsualReplyTokens = 600;
inline constexpr std::size_t kUsualLookupTables = 3;

struct Forecast {
  CatalogText catalog;
  std::int64_t base_tokens = 0;  ///< of each prompt: rules, catalog, question
  /// A run of all its steps, each of usual size. cache_read_tokens: what a provider that keeps
  /// prompts finds in its cache.
  llm::Usage usual;
  std::int64_t usual_requests = 0;
  std::int64_t largest_prompt_tokens = 0;  ///< of those
  /// What no run within the limits can pass: every prompt and every reply as large as may be, and
  /// as many unparsable replies as are borne. Rewrites of failing statements, and the analysis of a
  /// domain pack, come on top of both.
  llm::Usage most;
  std::int64_t most_requests = 0;
};

/// Returns what `request` comes to with a model of that window. Lookups read the index through
/// `warehouse`; nothing is searched, queried, or sent. Errors: as MakePromptBase and the index.
/// Thread: any.
Result<Forecast> Rehearse(const RunRequest& request, Warehouse& warehouse,
                          const llm::ModelInfo& model, CallContext& ctx);

}  // namespace schemaward::explore
