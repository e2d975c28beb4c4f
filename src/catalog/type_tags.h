#pragma once

// Tags that introspection gives to columns: what is told of a type that the database made.

#include <string_view>

namespace schemaward::catalog {

/// A cast from or to the type, or one that it is made of, runs a routine of the database.
inline constexpr std::string_view kConvertedTag = "type:cast-by-routine";
/// A check of the domain runs one, wherever a value is cast to it.
inline constexpr std::string_view kCheckedTag = "type:checked-by-routine";

/// Followed by holder.field, as QualifiedName gives it: the type is a row with that field, or a
/// list of such rows. The holder is the column, or the field that holds the row.
inline constexpr std::string_view kFieldTag = "type:field:";

}  // namespace schemaward::catalog
