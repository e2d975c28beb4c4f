#pragma once

// What an index ends with where an embedder is configured: vectors of what is new.

#include <functional>
#include <memory>

#include "index/embed.h"
#include "index/run.h"
#include "llm/embedder.h"
#include "privacy/policy.h"
#include "store/store.h"

namespace schemaward::app {

/// Told what became of the vectors.
using EmbedDone = std::function<void(const store::Source&, const Result<index::EmbedSummary>&)>;

/// The policy that a source is under.
using PolicyOf = std::function<privacy::Policy(const store::Source&)>;

/// Returns what index::Run calls at its end: makes the vectors of new texts, asking again where
/// that may help. A failure is told; the index stands. Empty where `embedder` is null. Lifetime:
/// the store outlives what is returned.
index::AfterIndex EmbedAfter(store::Store& store, std::shared_ptr<llm::Embedder> embedder,
                             PolicyOf policy_of, EmbedDone done);

/// Returns what is called where a look found the catalog unchanged: makes vectors where some are
/// missing, as after an embedder that was away or is new. `done` is called then alone. Empty and
/// lifetime: as above.
index::WhenUnchanged EmbedWhenMissing(store::Store& store, std::shared_ptr<llm::Embedder> embedder,
                                      PolicyOf policy_of, EmbedDone done);

/// Returns one that calls both, each where it is not empty.
index::AfterIndex InTurn(index::AfterIndex first, index::AfterIndex second);
index::WhenUnchanged InTurn(index::WhenUnchanged first, index::WhenUnchanged second);

/// Tells the program's log what became of vectors.
void LogEmbedding(const store::Source& source, const Result<index::EmbedSummary>& made);

}  // namespace schemaward::app
