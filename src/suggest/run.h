#pragma once

// From an index to its drafts: what `index` ends with and `suggest` does.

#include <cstdint>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/connector.h"
#include "privacy/policy.h"
#include "store/store.h"
#include "suggest/drafts.h"
#include "suggest/keep.h"
#include "suggest/queries.h"
#include "suggest/values.h"

namespace schemaward::suggest {

struct SuggestOptions {
  privacy::Policy policy{};
  connect::Connector* check_values_with = nullptr;  ///< null: values are not looked at
  std::vector<std::int64_t> shapes{};  ///< store::HashOf of each table; empty: made here
  bool all_anew = false;               ///< make all drafts, whatever was made before
};

/// How much of the drafts was made.
enum class Extent : std::uint8_t {
  Nothing,  ///< all they follow from is as it was
  Changed,  ///< those of the tables that changed, or that what changed says something else of
  All
};

struct Suggestion {
  Extent extent = Extent::All;
  Drafts drafts;  ///< those that were made
  KeepSummary summary;
  ValueCheck values;           ///< zeros where values were not looked at
  std::vector<MinedLog> logs;  ///< what became of query logs that the caller had read
};

/// Makes the drafts of `source` from its tables, and from what the store keeps of its query logs,
/// and keeps them in the store: of the tables only whose inputs changed since they were last made,
/// which leaves the store as if all were made. `tables`: all of the index, sorted by schema and
/// name. Errors: as Store and CheckValues; Cancelled, DeadlineExceeded.
/// Thread: any.
Result<Suggestion> Suggest(store::Store& store, const store::Source& source,
                           const std::vector<catalog::Table>& tables, const SuggestOptions& options,
                           CallContext& ctx);

/// Returns all tables of a source's index, sorted by schema and name. Errors: as Store; Cancelled,
/// DeadlineExceeded.
Result<std::vector<catalog::Table>> LoadTables(store::Store& store, std::int64_t source_id,
                                               CallContext& ctx);

/// How strictly types agree in an engine.
InferOptions InferOptionsOf(const store::Source& source);

}  // namespace schemaward::suggest
