#pragma once

// What the store keeps of definitions. The bodies are texts to it: src/semantic knows what is in
// them.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace schemaward::store {

enum class DefinitionKind : std::uint8_t { Entity, Join, Metric };

/// One definition of a source. (source_id, kind, name) is unique.
struct DefinitionRow {
  std::int64_t source_id = 0;
  DefinitionKind kind = DefinitionKind::Entity;
  std::string name;
  std::string body_json;    ///< canonical JSON of the definition
  bool from_files = false;  ///< written by `apply`; `suggest` never touches it
};

/// Writes of one apply, confirm or suggest: all or none.
struct DefinitionChanges {
  std::vector<DefinitionRow> put;
  std::vector<DefinitionRow> remove;  ///< bodies are ignored
};

/// All definitions of `source_id`, sorted by kind, then name.
Result<std::vector<DefinitionRow>> ListDefinitions(Store& store, std::int64_t source_id);

/// Makes the changes in one transaction; the source's definition generation grows by one where
/// there are any. Errors: UnknownSource; as Store.
Status ChangeDefinitions(Store& store, std::int64_t source_id, const DefinitionChanges& changes);

/// Grows with each change of the source's definitions; 0 where there never was one.
Result<std::int64_t> DefinitionGeneration(Store& store, std::int64_t source_id);

}  // namespace schemaward::store
