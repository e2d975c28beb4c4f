#pragma once

// Result types of PostgreSQL's own functions, where they hold for every call.

#include <string_view>

namespace schemaward::connect::ddl {

/// Returns the type that `function` returns whatever it is given, or an empty view.
std::string_view FixedResult(std::string_view function);

/// Returns the type that `function` returns for a first argument of that type, or an empty view.
std::string_view ResultFor(std::string_view function, std::string_view argument);

/// True for min, max, lag, first_value and others that return a value of their argument.
bool KeepsType(std::string_view function);

}  // namespace schemaward::connect::ddl
