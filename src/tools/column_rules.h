#pragma once

// What a policy says of the columns of a table as answers describe it.

#include <vector>

#include "catalog/catalog.h"
#include "privacy/policy.h"
#include "tools/names.h"
#include "tools/services.h"

namespace schemaward::tools {

/// Returns the rule of each column of `described`, which is `found` with hidden names where the
/// policy hides them. A column of a view is as personal as what its text makes it of, the same as
/// in a statement. Reads the tables behind a view from the store. Thread: any.
std::vector<privacy::ColumnRule> RulesOf(const Services& services, const FoundTable& found,
                                         const catalog::Table& described);

}  // namespace schemaward::tools
