#pragma once

// What the tests of several formats share.

#include <string_view>
#include <vector>

#include "interchange/document.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// The text as the only file of a folder. Throws std::runtime_error where it cannot be read.
std::vector<SourceFile> FileOf(std::string_view text);

/// Every type of metric, and joins with roles, bridges and each cardinality.
semantic::Definitions EveryDefinition();

}  // namespace schemaward::interchange
