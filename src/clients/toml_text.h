#pragma once

// Changes one table of a TOML text and leaves every other line, comments too, as it was.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace schemaward::clients {

/// Keys of a table and their values as JSON: text or list of texts.
using TomlMembers = std::vector<std::pair<std::string, std::string>>;

/// Returns the table [group.name] as a JSON object (texts, lists of texts and tables of texts;
/// anything else is left out), or null where there is none. Errors: InputUnreadable with line and
/// column when `text` is not TOML. Thread: any, as all below.
Result<json::Value> ReadTomlTable(std::string_view text, const std::string& group,
                                  const std::string& name);

/// Returns `text` with the members set in the table [group.name], which is added at the end where
/// it is absent. Errors: as ReadTomlTable; InputUnreadable when the table is written in another
/// form than under a header of its own.
Result<std::string> SetTomlTable(std::string_view text, const std::string& group,
                                 const std::string& name, const TomlMembers& members);

/// Returns `text` without the table [group.name] and those below it. Errors: as SetTomlTable.
Result<std::string> RemoveTomlTable(std::string_view text, const std::string& group,
                                    const std::string& name);

}  // namespace schemaward::clients
