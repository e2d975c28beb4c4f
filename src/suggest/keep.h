#pragma once

// Keeping drafts in the store: what people wrote or confirmed stays, what no longer follows goes.

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "json/fields.h"
#include "semantic/definitions.h"
#include "store/definitions.h"
#include "store/store.h"
#include "suggest/changed.h"
#include "suggest/drafts.h"

namespace schemaward::suggest {

/// What became of a source's drafts.
struct KeepSummary {
  std::int64_t entities = 0;  ///< drafts there are now
  std::int64_t joins = 0;
  std::int64_t metrics = 0;
  std::int64_t added = 0;
  std::int64_t changed = 0;
  std::int64_t removed = 0;
  std::int64_t unchanged = 0;
  std::int64_t tables_left_out = 0;  ///< past the bound of entities
  void Bind(json::Fields& f);
};

/// Returns the summary for people, one line.
std::string ToText(const KeepSummary& summary);

/// Returns the definitions of a source that `suggest` leaves alone: those that files wrote, that
/// are applied or confirmed, or that another way of making them left. Errors: as Store.
Result<semantic::Definitions> KeptDefinitions(store::Store& store, std::int64_t source_id);

/// Makes the source's drafts those of `drafts`, in one transaction; no draft is written where they
/// are the same. `state`: kept with them. Errors: UnknownSource; as Store.
Result<KeepSummary> KeepDrafts(store::Store& store, std::int64_t source_id, const Drafts& drafts,
                               std::optional<store::DraftState> state = std::nullopt);

/// As KeepDrafts, of the tables that changed; drafts of others stay unread.
Result<KeepSummary> KeepChanged(store::Store& store, std::int64_t source_id,
                                const ChangedDrafts& changed,
                                std::optional<store::DraftState> state);

/// How many definitions there are.
std::int64_t CountOf(const semantic::Definitions& definitions);

}  // namespace schemaward::suggest
