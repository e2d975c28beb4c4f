#pragma once

// Types as PostgreSQL's format_type prints them.

#include <string>

#include "connect/ddl/state.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
struct PgQuery__TypeName;

namespace schemaward::connect::ddl {

/// Returns the type a parsed type name means; types of the script are found in `state`.
TypeRef ReadType(const PgQuery__TypeName* name, SchemaState& state);

/// Returns the built-in type of that internal or printed name, without modifier: int4 is integer.
TypeRef BuiltinType(std::string_view name);

/// Returns the type as PostgreSQL prints it when no schema of the user's is in the search path, as
/// in pg_dump: a type of the script's has its schema before it.
std::string PrintType(const TypeRef& type);

/// Fills type, domain, is_array and labels of a column; a domain that is NOT NULL makes it so too.
void SetColumnType(const TypeRef& type, catalog::Column& column);

/// What SERIAL stands for, or an empty text.
std::string_view SerialBase(const PgQuery__TypeName* name);

}  // namespace schemaward::connect::ddl
