#pragma once

// Drafts: the entities, joins and metrics that a catalog and its queries suggest.

#include <cstdint>
#include <vector>

#include "catalog/catalog.h"
#include "privacy/policy.h"
#include "semantic/definitions.h"
#include "suggest/links.h"
#include "suggest/names.h"

namespace schemaward::suggest {

struct Drafts {
  semantic::Definitions definitions;  ///< each list sorted by name; all in state draft
  std::int64_t tables_left_out = 0;   ///< past kEntitiesMax
};

/// Makes the drafts of one source. `kept`: definitions that are no drafts of ours; a table that one
/// of their entities covers goes by that name, and what they already say is not said again.
/// `links`: as FindLinks gives them for `tables`. The same input gives the same drafts. Thread:
/// any.
Drafts MakeDrafts(const std::vector<catalog::Table>& tables, const std::vector<Link>& links,
                  const semantic::Definitions& kept, const privacy::Policy& policy,
                  ColumnNames& names);

}  // namespace schemaward::suggest
