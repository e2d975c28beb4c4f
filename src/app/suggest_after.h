#pragma once

// What an index ends with: drafts of what it means.

#include <functional>

#include "index/run.h"
#include "privacy/policy.h"
#include "store/store.h"
#include "suggest/run.h"

namespace schemaward::app {

/// Told what became of the drafts.
using SuggestDone = std::function<void(const store::Source&, const Result<suggest::Suggestion>&)>;

/// Returns what index::Run calls at its end: makes and keeps the drafts of the source. A failure is
/// told and logged; the index stands. `check_values`: inferred joins are checked on values too.
/// Lifetime: the store outlives what is returned.
index::AfterIndex SuggestAfter(store::Store& store, privacy::Policy policy, bool check_values,
                               SuggestDone done);

/// The same, told to the log alone.
index::AfterIndex SuggestAfter(store::Store& store, privacy::Policy policy);

}  // namespace schemaward::app
