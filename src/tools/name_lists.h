#pragma once

// Lists of names, for lists of resources and for completion. They are calls like any other, with
// the same policy and the same record, and are no tools that an agent sees.

#include <vector>

#include "tool/tool.h"
#include "tools/services.h"

namespace schemaward::tools {

/// Returns list_table_names (of the set catalog), list_entity_names and list_metric_names (of the
/// set semantic). Lifetime: `services` outlives them.
std::vector<tool::ToolPtr> NameLists(const Services& services);

}  // namespace schemaward::tools
