#pragma once

// The allowed values that a CHECK constraint lists.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::postgres {

/// Returns the values of  column = ANY (ARRAY[...]),  column = ANY ('{...}')  or  column = v OR
/// column = w ...,  each maybe with  OR column IS NULL,  in their order, whatever casts and
/// brackets the server prints around them; nothing for any other condition. `expression` is a
/// condition over one column or over VALUE, as pg_get_expr prints it.
std::vector<std::string> LabelsOfCheck(std::string_view expression);

}  // namespace schemaward::connect::postgres
