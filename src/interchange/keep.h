#pragma once

// Imported definitions into the store.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "interchange/report.h"
#include "store/definitions.h"
#include "store/store.h"

namespace schemaward::interchange {

struct KeepOptions {
  bool force = false;  ///< replaces what files or other methods made under the same name
  bool prune = false;  ///< removes what an earlier import of dbt made and this one has not
  bool dry_run = false;
};

/// What became of an import, each as "metric revenue", sorted.
struct Kept {
  std::vector<std::string> added, changed, removed, unchanged;
  std::vector<Loss> losses;  ///< of the import, and what does not fit the index or gives way
};

/// Spells columns as the index of `source` does, leaves out what does not fit it, and keeps the
/// rest in one transaction. What people wrote or confirmed under the same name stays, unless
/// forced; drafts give way. Errors: as Store.
Result<Kept> Keep(store::Store& store, const store::Source& source, Imported imported,
                  const KeepOptions& options);

}  // namespace schemaward::interchange
