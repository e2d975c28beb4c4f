#pragma once

// What an engine said of a statement that failed, as the workspace family shows it: by number, and
// in words without secrets and without values of rows. [R-WS-1]

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace schemaward::tools {

struct EngineSaid {
  std::optional<unsigned> number;  ///< of MySQL and its kin
  std::string sqlstate;
  std::string text;  ///< the engine's first line, shortened; else the error's own message
};

/// Reads what connectors keep private of a failure: "1146 (42S02) Table ..." of mysql, "42P01
/// ERROR:  relation ..." of postgres; of other engines only the error's own message is shown.
/// Whether quoted words are shown is told by the number alone: those of errors that speak of names
/// are, any others may be values and become '***'. Thread: any.
EngineSaid ReadEngineText(const Error& error, std::string_view engine);

}  // namespace schemaward::tools
