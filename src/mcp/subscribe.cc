// resources/subscribe and resources/unsubscribe of the older eras. A client subscribes to what it
// may read: the resource is read for it, under its policy, and the read is recorded.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/later.h"
#include "mcp/method.h"

namespace schemaward::mcp {
namespace {

rpc::Failure NoUri(std::string_view method) {
  return rpc::Failure(rpc::Code::InvalidParams, fmt::format("{} needs params.uri", method));
}

MethodResult ReadAndSubscribe(Parts& parts, const Call& call, CallContext& ctx) {
  const std::string uri = TextIn(call.params(), "uri");
  const MethodResult read = ReadAt(parts, call, uri, ctx);
  if (const auto* failure = std::get_if<rpc::Failure>(&read)) return *failure;
  if (parts.listeners.Subscribe({call.session.get(), {}}, uri))
    return ResultOf(parts, call.revision, {});
  return rpc::Failure(rpc::Code::InvalidRequest,
                      fmt::format("a session that began with initialize may subscribe to {} "
                                  "resources at once",
                                  kSubscriptionsMax));
}

}  // namespace

MethodResult Subscribe(Parts& parts, Call& call) {
  if (TextIn(call.params(), "uri").empty()) return NoUri(call.request.method);
  return RunLater(parts, call, ReadAndSubscribe);
}

MethodResult Unsubscribe(Parts& parts, Call& call) {
  const std::string uri = TextIn(call.params(), "uri");
  if (uri.empty()) return NoUri(call.request.method);
  parts.listeners.Unsubscribe({call.session.get(), {}}, uri);
  return ResultOf(parts, call.revision, {});
}

}  // namespace schemaward::mcp
