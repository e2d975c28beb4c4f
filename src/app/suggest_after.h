#pragma once

// What an index ends with: drafts of what it means.

#include <functional>

#include "app/query_logs.h"
#include "index/run.h"
#include "privacy/policy.h"
#include "store/store.h"
#include "suggest/run.h"

namespace schemaward::app {

/// Told what became of the drafts, and of the query logs that they rest on.
using SuggestDone = std::function<void(const store::Source&, const Result<suggest::Suggestion>&)>;

struct SuggestAfterOptions {
  privacy::Policy policy{};
  bool check_values = false;  ///< inferred joins are checked on values too
  QueryLogOptions logs{};     ///< read before drafts are made
};

/// Returns what index::Run calls at its end: reads query logs, makes and keeps the drafts of the
/// source. A failure is told; the index stands. Lifetime: the store outlives what is returned.
index::AfterIndex SuggestAfter(store::Store& store, SuggestAfterOptions options, SuggestDone done);

/// Returns what is called where the catalog is unchanged: reads query logs, and where they say
/// something new makes the drafts again. `done` is called then alone. Lifetime: as above.
index::WhenUnchanged SuggestWhenUnchanged(store::Store& store, SuggestAfterOptions options,
                                          SuggestDone done);

/// Tells the program's log what became of drafts.
void LogSuggestion(const store::Source& source, const Result<suggest::Suggestion>& made);

}  // namespace schemaward::app
