// tools/list.

#include <nlohmann/json.hpp>

#include "mcp/method.h"

namespace schemaward::mcp {

// All tools fit one page, so no cursor is ever given out and none can be right.
MethodResult ListTools(Parts& parts, Call& call) {
  const json::Value& params = call.params();
  const auto cursor = params.is_object() ? params.find("cursor") : params.end();
  if (cursor != params.end() && !cursor->is_null())
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.cursor was not given out by this server; the first page holds "
                        "every tool");
  return ResultOf(parts, call.revision,
                  R"("tools":)" + parts.ToolsJson(call.revision) + CacheMembers(call.revision));
}

}  // namespace schemaward::mcp
