#pragma once

// Members that occur twice: the parser keeps the last and says nothing, so they are looked for in
// the text.

#include <string>
#include <string_view>

namespace schemaward::rpc {

/// Returns the first member name (with its quotes, as written) that occurs twice in the message's
/// own object, or in one of the batch's; empty where there is none. Members of params are not
/// looked at. Requires: `text` is valid JSON. Thread: any.
std::string DuplicateMember(std::string_view text);

}  // namespace schemaward::rpc
