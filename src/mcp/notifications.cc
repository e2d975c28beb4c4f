// What a client says without wanting an answer.

#include <nlohmann/json.hpp>

#include "mcp/method.h"

namespace schemaward::mcp {

void Notice(Parts& parts, const rpc::Notification& notification, Session& session) {
  if (notification.method == "notifications/initialized") {
    if (parts.options().when_listened_to) parts.options().when_listened_to();
    return parts.listeners.Open({&session, {}});
  }
  if (notification.method != "notifications/cancelled") return;
  const json::Value& params = notification.params.value();
  const auto id = params.is_object() ? params.find("requestId") : params.end();
  if (id == params.end()) return;
  if (const std::string text = rpc::IdOf(*id); !text.empty()) session.Cancel(text);
}

}  // namespace schemaward::mcp
