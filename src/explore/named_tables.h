#pragma once

// Which tables a statement names, found without parsing it: a statement that is to be mended need
// not parse.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::explore {

/// Returns what stands where a SELECT names its tables (after FROM, JOIN and the commas of a FROM),
/// each once, in order, without its quotes; at most kRepairTablesMax. Texts, comments and calls of
/// functions are passed over. Names of common tables of the statement are among them. Linear in the
/// length. Thread: any; pure.
std::vector<std::string> NamedTables(std::string_view sql);

}  // namespace schemaward::explore
