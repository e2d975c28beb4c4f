#pragma once

// What the store keeps of definitions. The bodies are texts to it: src/semantic knows what is in
// them.

#include <cstdint>
#include <functional>
#include <optional>
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

/// What drafts were made of, in the words of src/suggest.
struct DraftState {
  std::int64_t generation = 0;  ///< of the definitions that they were made beside
  std::string stamp;            ///< short, looked at first
  std::string body;
};

/// Writes of one apply, confirm or suggest: all or none.
struct DefinitionChanges {
  std::vector<DefinitionRow> put;
  std::vector<DefinitionRow> remove;  ///< bodies are ignored
  /// Kept as of the generation after these changes where nobody changed a definition since
  /// `drafts->generation`; else what is kept is forgotten.
  std::optional<DraftState> drafts{};
};

/// All definitions of `source_id`, sorted by kind, then name.
Result<std::vector<DefinitionRow>> ListDefinitions(Store& store, std::int64_t source_id);

/// Makes the changes in one transaction; the source's definition generation grows by one where
/// there are any. Errors: UnknownSource; as Store.
Status ChangeDefinitions(Store& store, std::int64_t source_id, const DefinitionChanges& changes);

/// The definition of a source, kind and name, or nothing.
Result<std::optional<DefinitionRow>> FindDefinition(Store& store, std::int64_t source_id,
                                                    DefinitionKind kind, std::string_view name);

/// What the drafts of a source were made of, or nothing. `with_body`: false leaves `body` empty.
Result<std::optional<DraftState>> GetDraftState(Store& store, std::int64_t source_id,
                                                bool with_body);

/// Grows with each change of the source's definitions; 0 where there never was one.
Result<std::int64_t> DefinitionGeneration(Store& store, std::int64_t source_id);

}  // namespace schemaward::store
