#pragma once

// JSON Schema of bound structs, in the subset that every client accepts. [R-ENV-6]

#include <string>

#include "json/fields.h"

namespace schemaward::json {

/// Input: optional members may be absent, defaults and bounds are published, no type arrays, no
/// composition, no $ref. Output: every member is present; an empty optional is null, said by a
/// nested anyOf.
enum class SchemaUse : std::uint8_t { Input, Output };

/// Returns the schema of the object in `slot` as JSON text: type object at the top, a description
/// on every property.
std::string SchemaOfSlot(Slot slot, SchemaUse use);

template <class T>
std::string SchemaOf(SchemaUse use) {
  T prototype{};
  return SchemaOfSlot(SlotOf(prototype), use);
}

}  // namespace schemaward::json
