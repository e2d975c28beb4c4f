#pragma once

// How names that a statement writes meet those of the catalog.

#include <string>
#include <string_view>
#include <vector>

#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// True when the two are equal but for the case of ASCII letters.
bool FoldsTo(std::string_view a, std::string_view b);

/// True when `written` means the object that the catalog calls `real`: PostgreSQL folds what is not
/// quoted and compares bytes, the others fold both; MySQL not only letters of ASCII. What the
/// engine takes for the same must be here too; that some more is does no harm, since names are
/// printed as the catalog spells them.
bool Means(const sql::query::Name& written, std::string_view real, const sql::Dialect& dialect);

/// At most three of `names` that are near to `name`, nearest first.
std::vector<std::string> NearestOf(std::string_view name, const std::vector<std::string>& names);

}  // namespace schemaward::guard
