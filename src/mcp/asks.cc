#include "mcp/asks.h"

#include <utility>

#include <fmt/format.h>

#include "mcp/client_wait.h"

namespace schemaward::mcp {

Result<std::string> Asks::Begin() {
  const MutexLock lock(mutex_);
  if (waiting_.size() >= kAsksWaitingMax)
    return Error(ErrorKind::PoolFull, "the client is already asked too many things");
  // A text, so that it never equals the id of a request of the client's.
  std::string id = fmt::format("\"ward-{}\"", ++last_);
  waiting_.emplace(id, std::nullopt);
  return id;
}

Result<rpc::Response> Asks::Await(const std::string& id, CallContext& ctx) {
  ClientWait wait(mutex_, changed_, ctx);
  const MutexLock lock(mutex_);
  while (true) {
    const auto found = waiting_.find(id);
    if (found->second) {
      rpc::Response answer = *std::move(found->second);
      waiting_.erase(found);
      return answer;
    }
    const Status alive = is_closed_ ? Status(ClientHasGone()) : wait.Next(mutex_);
    if (!alive) {
      waiting_.erase(id);
      return alive.error();
    }
  }
}

Result<std::string> Asks::Ask(std::string_view method, std::string_view params_json,
                              const Send& send, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(const std::string id, Begin());
  send(rpc::EncodeRequest(id, method, params_json));
  auto answer = Await(id, ctx);
  if (!answer) {
    send(rpc::EncodeNotification("notifications/cancelled",
                                 fmt::format(R"({{"requestId":{}}})", id)));
    return std::move(answer).error();
  }
  if (!answer->failure) return json::Canonical(answer->result.value());
  return std::move(
      Error(ErrorKind::PermissionDenied, "the client did not do what it was asked for")
          .Private(fmt::format("{}: {}", answer->failure->code, answer->failure->message)));
}

void Asks::Close() {
  {
    const MutexLock lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

void Asks::Take(rpc::Response response) {
  {
    const MutexLock lock(mutex_);
    const auto found = waiting_.find(response.id);
    if (found == waiting_.end() || found->second) return;
    found->second = std::move(response);
  }
  changed_.notify_all();
}

}  // namespace schemaward::mcp
