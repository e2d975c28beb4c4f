#pragma once

// Drafts of the tables that changed, where those of the others are as another run would make them.

#include <cstdint>
#include <optional>
#include <vector>

#include "suggest/drafts.h"
#include "suggest/made_before.h"

namespace schemaward::suggest {

/// Drafts of some tables, beside those that stay.
struct ChangedDrafts {
  Drafts made;
  std::vector<TableDrafts> gone;  ///< of the tables made again, and of those that are no more
  MadeBody all;                   ///< what came of each table now
};

/// Makes the drafts of the tables whose inputs are not those of `before`, or returns nothing where
/// all have to be made again: a name that one of them has, had or asked for is one that a draft of
/// an unchanged table tried too, so who has it depends on all of them; or most of them changed.
/// `tables`: sorted by schema and name. Requires: `drafter` is fresh, and the definitions that are
/// no drafts are those of `before`. Thread: any.
std::optional<ChangedDrafts> MakeChanged(Drafter& drafter,
                                         const std::vector<catalog::Table>& tables,
                                         MadeBody before);

}  // namespace schemaward::suggest
