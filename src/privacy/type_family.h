#pragma once

// The family of a column's type, as the name rules ask for it.

#include <cstdint>
#include <string_view>

namespace schemaward::privacy {

/// Returns the bit (name_rules.h) of a type as an engine prints it (any dialect, any case); all
/// bits where the type is empty or not known. Thread: any.
std::uint8_t FamilyOf(std::string_view type);

}  // namespace schemaward::privacy
