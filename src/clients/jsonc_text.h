#pragma once

// Changes one member of a JSON text and leaves every other byte, comments too, where it was.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace schemaward::clients {

/// Whether comments and trailing commas are part of the format.
enum class Comments : bool { No, Yes };

/// Names of members from the root down. Not empty.
using MemberPath = std::vector<std::string>;

/// Returns the document in `text`; blanks alone are an empty object. Errors: InputUnreadable with
/// line and column when it is not JSON, or its root is no object. Thread: any, as all below.
Result<json::Value> ReadJsonc(std::string_view text, Comments comments);

/// Returns `text` with the member at `path` set to `value_json`, in the text's own indentation;
/// objects on the way that are absent are made. Errors: as ReadJsonc; InputUnreadable when
/// something on the way is no object.
Result<std::string> SetMember(std::string_view text, Comments comments, const MemberPath& path,
                              std::string_view value_json);

/// Returns `text` without the member at `path`, or as it is where there is none. Errors: as
/// SetMember.
Result<std::string> RemoveMember(std::string_view text, Comments comments, const MemberPath& path);

}  // namespace schemaward::clients
