#pragma once

// What the tests of several formats share.

#include <string_view>
#include <vector>

#include "interchange/document.h"
#include "json/value.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// The text as the only file of a folder. Throws std::runtime_error where it cannot be read.
std::vector<SourceFile> FileOf(std::string_view text);

/// The member of a list of objects that has this name. Throws std::runtime_error where there is
/// none.
const json::Value& Named(const json::Value& list, std::string_view name);

/// The definitions of examples/shop. Throws std::runtime_error where they cannot be read.
semantic::Definitions ExampleShop();

/// Every type of metric, and joins with roles, bridges and each cardinality.
semantic::Definitions EveryDefinition();

}  // namespace schemaward::interchange
