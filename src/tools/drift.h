#pragma once

// What an engine's complaint says of the objects that a statement reads.

#include <vector>

#include "base/error.h"
#include "guard/approved.h"

namespace schemaward::tools {

/// Returns a drift that names the column, else the table, that the engine's own words are about:
/// the only one of those that the statement reads whose name stands in the first line of them. As
/// it was where that is none or several, since either would be a guess, and for other kinds. The
/// words themselves stay private. Thread: any.
Error NameDrift(const std::vector<guard::TableRead>& reads, const Error& error);

}  // namespace schemaward::tools
