#pragma once

// Small looks at nodes of a SELECT.

#include <string>

#include "pgparse/parse.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's own names
struct PgQuery__Alias;
struct PgQuery__ColumnRef;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace schemaward::querylog {

/// Returns the reference that `node` is, or null.
const PgQuery__ColumnRef* ReferenceOf(const pgparse::Node* node);

/// Returns the reference that `node` is where it ends in a *, or null.
const PgQuery__ColumnRef* StarOf(const pgparse::Node* node);

/// Returns the parts of a reference's name, a * left out.
std::vector<std::string> PartsOf(const PgQuery__ColumnRef& reference);

/// Returns the name that a result column without AS has as far as it is a column's or a function's.
std::string LastName(const pgparse::Node* node);

/// Returns `node` without the casts and collations around it.
const pgparse::Node* WithoutCasts(const pgparse::Node* node);

std::string AliasName(const PgQuery__Alias* alias);
std::vector<std::string> AliasColumns(const PgQuery__Alias* alias);

}  // namespace schemaward::querylog
