#pragma once

// What an engine says of a statement that failed, without the values that it names.

#include <string>
#include <string_view>

namespace schemaward {

/// Returns `text` with what stands in quotes, to the last quote of the kind, and every number of
/// more than three digits as ***. Thread: any; a pure function.
std::string WithoutValues(std::string_view text);

}  // namespace schemaward
