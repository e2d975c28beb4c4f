#pragma once

// The models of the sources, kept until an index or a change of definitions makes them old.

#include <cstdint>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "base/result.h"
#include "semantic/model.h"
#include "store/store.h"

namespace schemaward::semantic {

/// Thread: any. Lifetime: the store outlives it.
class ModelCache {
 public:
  explicit ModelCache(store::Store& store) : store_(store) {}

  /// Returns the model of `source` as the store has it now; built at the first call after a change.
  /// Errors: those of the store; Internal when a definition in it cannot be read.
  Result<std::shared_ptr<const Model>> Get(const store::Source& source);

 private:
  struct Entry {
    std::int64_t index_generation = 0;
    std::int64_t definition_generation = 0;
    std::shared_ptr<const Model> model;
  };

  store::Store& store_;
  Mutex mutex_;
  std::map<std::int64_t, Entry> entries_ GUARDED_BY(mutex_);  // by source
};

/// Reads the tables that definitions name; those that the index does not have are left out.
Result<std::vector<catalog::Table>> LoadTables(store::Store& store, std::int64_t source_id,
                                               const Definitions& definitions);

/// Reads the definitions of a source from the store. Errors: as Get.
Result<Definitions> LoadDefinitions(store::Store& store, std::int64_t source_id);

}  // namespace schemaward::semantic
