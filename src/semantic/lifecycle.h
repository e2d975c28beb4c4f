#pragma once

// The life of definitions in the store: applied from files, compared with them, confirmed,
// exported.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/files.h"
#include "semantic/model.h"
#include "store/definitions.h"
#include "store/store.h"

namespace schemaward::semantic {

/// What differs between files and store, as "entity order", sorted.
struct Difference {
  std::vector<std::string> added, changed, removed, unchanged;
  bool Any() const { return !added.empty() || !changed.empty() || !removed.empty(); }
};

/// What applying would do.
struct ApplyPlan {
  Difference difference;
  store::DefinitionChanges changes;
  std::vector<FileError> errors;  ///< nothing is applied where there are any
};

/// Compares `loaded` with what is kept of `source` and checks it against the index. Definitions
/// that a file no longer holds are removed with `prune`, else kept; what inference made is replaced
/// by a file of the same name and never removed. What was confirmed
/// stays so while its file says the same. A definition that names a source is applied to no
/// other. Errors: as Store.
Result<ApplyPlan> PlanApply(store::Store& store, const store::Source& source,
                            const LoadedFiles& loaded, bool prune);

/// Returns the rows that the definitions are kept as, sorted by kind and name.
std::vector<store::DefinitionRow> RowsOf(std::int64_t source_id, const Definitions& definitions,
                                         bool from_files);

/// Sets the state of the named definitions (all of the kind where no name is given) to confirmed.
/// Returns the number changed. Errors: UnknownEntity, UnknownMetric, UnknownJoinName with the
/// nearest names.
Result<std::size_t> Confirm(store::Store& store, std::int64_t source_id, store::DefinitionKind kind,
                            const std::vector<std::string>& names);

/// Returns the model that `definitions` make over the index of a source.
Result<std::shared_ptr<const Model>> BuildModel(store::Store& store, std::int64_t source_id,
                                                Definitions definitions);

}  // namespace schemaward::semantic
