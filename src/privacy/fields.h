#pragma once

// The name of a type that the database made, and the fields of one that is a row: a column holds
// what these tell too.

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

/// Returns the name of the column's type, or of the elements', where the database made it: a domain
/// or an enum of PostgreSQL, which it gives with their schema; else nothing. What a row holds, its
/// fields tell. Thread: any.
std::string OwnTypeName(const catalog::Column& column);

}  // namespace schemaward::privacy
