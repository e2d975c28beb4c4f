#pragma once

// Vectors of a source's tables, made by an embedder and kept in the store.

#include <cstdint>
#include <string>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "llm/embedder.h"
#include "privacy/policy.h"
#include "store/store.h"

namespace schemaward::index {

/// Raise it when EmbeddedText makes other texts: every vector is then made again.
inline constexpr std::int64_t kEmbeddedTextVersion = 1;
inline constexpr std::size_t kEmbeddedTextMax = 2'000;  ///< bytes

struct EmbedSummary {
  std::string model;
  std::int64_t tables = 0;     ///< that the source has
  std::int64_t embedded = 0;   ///< by this run
  std::int64_t unchanged = 0;  ///< whose vectors are as they were
  std::int64_t tokens = 0;     ///< that the embedder counted
  void Bind(json::Fields& f);
};

/// What is told of a table to an embedder: its name, comment and columns with their comments, as
/// far as kEmbeddedTextMax reaches; no value. Names that `policy` hides are left out. Pure.
std::string EmbeddedText(const privacy::Policy& policy, const catalog::Table& table);

/// Makes the vectors of tables whose text is new, and forgets those of other models. What was made
/// is kept batch by batch: a run that breaks off is taken up by the next. Progress: the tables
/// looked at, of all. Errors: as Embedder::Embed and Store; Cancelled, DeadlineExceeded. Thread:
/// any; the embedder's calls: one at a time.
Result<EmbedSummary> EmbedTables(store::Store& store, const store::Source& source,
                                 const privacy::Policy& policy, llm::Embedder& embedder,
                                 CallContext& ctx);

}  // namespace schemaward::index
