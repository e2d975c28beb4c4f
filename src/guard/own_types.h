#pragma once

// The types that a source's owner made, as far as the catalog knows them: enums and domains that
// columns are declared with. A statement may cast to these and to what the reader lists.

#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::guard {

struct OwnType {
  std::string schema;
  std::string name;
  bool operator==(const OwnType&) const = default;
};

/// True where a value of the column that is converted can run a routine of the database, by an
/// implicit cast too.
bool RunsRoutines(const catalog::Column& column);

/// True for a column of a domain, or a list of it, whose check runs a routine of the database.
bool IsCheckedByRoutine(const catalog::Column& column);

/// Returns the enums and domains of the table's columns, sorted, each once, but for those that run
/// routines of the database. A type whose labels may come from a check instead is left out: it need
/// not be an enum. Thread: any.
std::vector<OwnType> OwnTypesOf(const catalog::Table& table);

/// True for a column of a type that the database made and that is no domain or enum, as rows are,
/// or of a list of them. Thread: any.
bool IsOwnRow(const catalog::Column& column);

}  // namespace schemaward::guard
