// logging/setLevel. No log message is ever sent to a client, so every level is kept by doing
// nothing.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "mcp/method.h"

namespace schemaward::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

}  // namespace

MethodResult SetLogLevel(Parts& parts, Call& call) {
  const json::Value& params = call.params();
  const auto level = params.is_object() ? params.find("level") : params.end();
  const bool known = level != params.end() && level->is_string() &&
                     std::find(kLevels.begin(), kLevels.end(),
                               level->get_ref<const std::string&>()) != kLevels.end();
  if (!known)
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.level must be one of debug, info, notice, warning, error, "
                        "critical, alert, emergency");
  return ResultOf(parts, call.revision, {});
}

}  // namespace schemaward::mcp
