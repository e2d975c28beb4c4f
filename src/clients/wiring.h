#pragma once

// An entry of ours in the text of a client's configuration.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "clients/client.h"

namespace schemaward::clients {

/// How a client starts the server.
struct Entry {
  std::string command;                      ///< absolute
  std::vector<std::string> args;            ///< without secrets
  std::vector<std::string> env_names = {};  ///< variables that the server needs; never their values
};

/// What a client's file says of a server.
struct Wired {
  std::string command;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;     ///< as it stands there, references not followed
  std::vector<std::string> passed_variables;  ///< of the client's own environment, by their names
};

/// Returns `text` with the server `name` as `entry` has it. Members of an entry that is there and
/// that are not ours are kept, values of variables too. Errors: InputUnreadable with the place when
/// the text cannot be read or holds something else where servers stand. Thread: any, as all below.
Result<std::string> Wire(const Client& client, std::string_view text, const std::string& name,
                         const Entry& entry);

/// Returns `text` without the server `name`. Errors: as Wire.
Result<std::string> Unwire(const Client& client, std::string_view text, const std::string& name);

/// Returns the server `name`, or none where the text has none. Errors: InputUnreadable as Wire, and
/// where the entry has no command.
Result<std::optional<Wired>> ReadWired(const Client& client, std::string_view text,
                                       const std::string& name);

/// Returns the lines from the first that differs to the last that does, "-" before those of
/// `before` and "+" before those of `after`, under a line that says where; secrets masked.
std::string DiffLines(std::string_view before, std::string_view after);

}  // namespace schemaward::clients
