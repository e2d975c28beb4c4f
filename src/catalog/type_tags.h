#pragma once

// Tags that introspection gives to columns: what is told of a type that the database made, and of
// indexes.

#include <algorithm>
#include <string_view>

#include "catalog/catalog.h"

namespace schemaward::catalog {

/// A cast from or to the type, or one that it is made of, runs a routine of the database.
inline constexpr std::string_view kConvertedTag = "type:cast-by-routine";
/// A check of the domain runs one, wherever a value is cast to it.
inline constexpr std::string_view kCheckedTag = "type:checked-by-routine";

/// Followed by holder.field, as QualifiedName gives it: the type is a row with that field, or a
/// list of such rows. The holder is the column, or the field that holds the row.
inline constexpr std::string_view kFieldTag = "type:field:";

/// Followed by the name of an index that the column is a member of, where the table's list of
/// indexes does not tell so: it is only carried along, or the index is one of a partition alone.
inline constexpr std::string_view kIndexTag = "index:member:";
/// It is a member of an index beside a column that may not be read.
inline constexpr std::string_view kBesideHiddenTag = "index:beside-hidden";
/// The table was put into the order of an index that the column is a member of.
inline constexpr std::string_view kClusteredTag = "index:clustered";
/// On any column: the table was put into the order of one with a column that may not be read.
inline constexpr std::string_view kClusteredByHiddenTag = "index:clustered-by-hidden";

/// True where introspection gave `tag`, as it stands, to the column. Thread: any.
inline bool HasTag(const Column& column, std::string_view tag) {
  return std::find(column.tags.begin(), column.tags.end(), tag) != column.tags.end();
}

}  // namespace schemaward::catalog
