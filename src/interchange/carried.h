#pragma once

// Our definitions within files of other programs: in the member that a format keeps for notes of
// tools (meta), beside what was written of them. Where nobody changed what was written, an import
// takes the definition as it was; else what is written counts, and the note gives only what the
// format has no words for.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "interchange/report.h"
#include "json/access.h"
#include "json/read.h"
#include "json/write.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

inline constexpr std::string_view kNote = "schemaward";  ///< the member of meta that is ours

/// A note on `written`, which was made of the definition that is `definition` as JSON.
nlohmann::ordered_json NoteOn(const nlohmann::ordered_json& written, const std::string& definition);

/// The part that an object's note is on: the object without the members of `apart`, which have
/// notes of their own, and without its notes.
json::Value NotedPart(const json::Value& object, std::span<const std::string_view> apart);

/// True where the note is on this very part.
bool IsUnchanged(const json::Value& note, const json::Value& part);

/// The definition of a note as it was; nothing where the part was changed, or it cannot be read.
template <class T>
std::optional<T> Noted(const json::Value& note, const json::Value& part) {
  T definition;
  if (!IsUnchanged(note, part) || !json::Read(json::Member(note, "definition"), definition).ok() ||
      !semantic::IsDefinitionName(definition.name))
    return std::nullopt;
  return definition;
}

/// Definitions that a format has no form for, kept whole in a note.
template <class T>
void ReadHidden(const json::Value& list, std::vector<T>& into) {
  for (const json::Value* one : json::ItemsOf(list)) {
    T definition;
    if (json::Read(*one, definition).ok() && semantic::IsDefinitionName(definition.name))
      into.push_back(std::move(definition));
  }
}

/// What formats have no words for, out of the note into what was read.
void TakeWordless(const json::Value& note, semantic::Entity& entity);
void TakeWordless(const json::Value& note, semantic::Metric& metric);

}  // namespace schemaward::interchange
