#pragma once

// The fields of a column whose type is a row of its own: it holds what their names tell too.

#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::privacy {

inline constexpr std::size_t kFieldsMax = 256;  ///< looked at of one column

/// A field and what holds it: the column, or the field around.
struct FieldName {
  std::string holder;
  std::string name;
  bool operator==(const FieldName&) const = default;
};

/// Returns the fields at any depth, in order, as the type's text (STRUCT and UNION of DuckDB) and
/// the tags of catalog/type_tags.h name them. A type whose text cannot be followed gives those
/// before. Thread: any.
std::vector<FieldName> FieldsOf(const catalog::Column& column);

}  // namespace schemaward::privacy
