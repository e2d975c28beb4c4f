#pragma once

// Tags that introspection gives to columns: that the type's values run code of the database.

#include <string_view>

namespace schemaward::catalog {

/// A cast from or to the type, or one that it is made of, runs a routine of the database.
inline constexpr std::string_view kConvertedTag = "type:cast-by-routine";
/// A check of the domain runs one, wherever a value is cast to it.
inline constexpr std::string_view kCheckedTag = "type:checked-by-routine";

}  // namespace schemaward::catalog
