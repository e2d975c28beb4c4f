// logging/setLevel: which messages a session of the older eras hears. Those that the fixtures send
// are their own.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "mcp/later.h"
#include "mcp/method.h"

namespace schemaward::mcp {

MethodResult SetLogLevel(Parts& parts, Call& call) {
  const std::string level = TextIn(call.params(), "level");
  const auto* const found = std::find(kLogLevelNames.begin(), kLogLevelNames.end(), level);
  if (found == kLogLevelNames.end())
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.level must be one of debug, info, notice, warning, error, "
                        "critical, alert, emergency");
  parts.listeners.SetLog({call.session.get(), {}},
                         static_cast<LogLevel>(found - kLogLevelNames.begin()));
  if (parts.options().when_listened_to) parts.options().when_listened_to();
  return ResultOf(parts, call.revision, {});
}

}  // namespace schemaward::mcp
