#pragma once

// A tool's answer as the members of a result.

#include <string>

#include "mcp/version.h"
#include "tool/invoke.h"

namespace schemaward::mcp {

/// Returns the members content, structuredContent where `revision` has it, and isError. The text is
/// the structured bytes, escaped once, but where the family has texts of its own. [R-ENV-5]
/// Thread: any.
std::string MembersOf(const tool::Answer& answer, Revision revision);

}  // namespace schemaward::mcp
