#pragma once

// A session with a server as a client holds it: its command started, its tools listed.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/call_context.h"
#include "base/result.h"
#include "clients/client.h"
#include "clients/wiring.h"

namespace schemaward::clients {

/// What a session showed.
struct SessionFacts {
  std::string server, version, revision;  ///< as the server says
  std::size_t tool_count = 0;
};

/// Gives the value of a variable of our own environment, or none.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;

/// Returns the environment in which a client starts the server: the few variables that every client
/// passes, and those of the entry, references followed. Errors: MissingCredential, naming a
/// variable that is not set here. Thread: any, as below.
Result<std::map<std::string, std::string>> EnvironmentOf(const Wired& wired,
                                                         const Variables& variables);

/// Starts the command in that environment, opens a session as `opening` says, lists the tools and,
/// where the era has it, pings; then ends the server, at the latest after 5 s, with all that it
/// started. Errors: InputUnreadable when the command cannot be started, ends early, or answers
/// otherwise than it should; DeadlineExceeded and Cancelled as the context has it.
Result<SessionFacts> HoldSession(const Wired& wired, Opening opening,
                                 const std::map<std::string, std::string>& environment,
                                 CallContext& ctx);

}  // namespace schemaward::clients
