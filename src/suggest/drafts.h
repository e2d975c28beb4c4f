#pragma once

// Drafts: the entities, joins and metrics that a catalog and its queries suggest.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "privacy/policy.h"
#include "semantic/definitions.h"
#include "suggest/links.h"
#include "suggest/made_before.h"
#include "suggest/names.h"

namespace schemaward::suggest {

struct Drafts {
  semantic::Definitions definitions;  ///< each list sorted by name; all in state draft
  std::int64_t tables_left_out = 0;   ///< past kEntitiesMax
  std::vector<TableDrafts> tables;    ///< what came of each table that was asked for, in order
};

/// Names that drafts of other tables have.
struct OtherNames {
  std::set<std::string> joins, metrics;
};

/// Makes drafts of one source, of all tables or of some. `kept`: definitions that are no drafts of
/// ours; a table that one of their entities covers goes by that name, and what they already say is
/// not said again. `links`: as FindLinks gives them for `tables`. `shapes`: as TableDigest gives
/// them, one a table. The same input gives the same drafts. Thread: owner.  Lifetime: keeps its
/// arguments.
class Drafter {
 public:
  Drafter(const std::vector<catalog::Table>& tables, const std::vector<std::int64_t>& digests,
          const std::vector<Link>& links, const semantic::Definitions& kept,
          const privacy::Policy& policy, ColumnNames& names);
  ~Drafter();
  Drafter(const Drafter&) = delete;
  Drafter& operator=(const Drafter&) = delete;

  /// Digest of all that the drafts of a table follow from, but for `kept`, policy and the names
  /// that others have.
  std::int64_t InputsOf(std::size_t table) const;
  /// Makes the drafts of the tables that `wanted` marks, beside `others`. Call it once.
  Drafts Make(const std::vector<bool>& wanted, const OtherNames& others);

 private:
  class Drafting;
  std::unique_ptr<Drafting> drafting_;
};

/// Makes the drafts of all tables.
Drafts MakeDrafts(const std::vector<catalog::Table>& tables, const std::vector<Link>& links,
                  const semantic::Definitions& kept, const privacy::Policy& policy,
                  ColumnNames& names);

}  // namespace schemaward::suggest
