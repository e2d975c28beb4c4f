// subscriptions/listen: a request of the newest era that stays open, so that the client hears of
// changes. It is acknowledged first, holds no thread, and is answered when it ends.

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/head.h"
#include "mcp/later.h"
#include "mcp/method.h"
#include "mcp/task_json.h"

namespace schemaward::mcp {
namespace {

// A request that listens. Shared by the list of listeners and whoever stops it.
struct Listening {
  Listening(Parts& all, Call own, std::stop_token token)
      : parts(all), call(std::move(own)), stop(std::move(token)) {}

  Parts& parts;
  const Call call;
  const std::stop_token stop;
  std::vector<std::string> asked;  // uris
  Interests interests{};
  std::optional<std::stop_callback<std::function<void()>>> when_stopped{};

  Listeners::Key key() const { return {call.session.get(), call.request.id}; }
};
using ListeningPtr = std::shared_ptr<Listening>;

// Reads what the client asks for. Kinds of lists that never change are not honoured.
std::optional<rpc::Failure> ReadFilter(const json::Value& params, Listening& listening) {
  const auto wrong = [] {
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.notifications must be an object of booleans and a list "
                        "resourceSubscriptions of texts");
  };
  const auto filter = params.find("notifications");
  if (filter == params.end() || !filter->is_object()) return wrong();
  for (const auto& [name, value] : filter->items()) {
    // Of tasks nothing is told: who holds one asks. Who cannot hold any must be told so.
    if (name == "taskIds" && !listening.call.takes_tasks) return LacksTasks();
    const bool is_uris = name == "resourceSubscriptions";
    if (is_uris ? !value.is_array() : name.ends_with("ListChanged") && !value.is_boolean())
      return wrong();
    if (name == "resourcesListChanged") listening.interests.lists = value.get<bool>();
    if (!is_uris) continue;
    for (const json::Value& uri : value) {
      if (!uri.is_string()) return wrong();
      if (listening.asked.size() < kSubscriptionsMax)
        listening.asked.push_back(uri.get<std::string>());
    }
  }
  return std::nullopt;
}

// What is honoured, as the acknowledgement says it.
std::string FilterJson(const Interests& interests) {
  std::string uris;
  for (const std::string& uri : interests.uris)
    uris += (uris.empty() ? "" : ",") + json::Quote(uri);
  std::string members;
  if (interests.lists) members = R"("resourcesListChanged":true)";
  if (!uris.empty())
    members += fmt::format(R"({}"resourceSubscriptions":[{}])", members.empty() ? "" : ",", uris);
  return '{' + members + '}';
}

std::string EndJson(const Parts& parts, const Call& call) {
  return fmt::format(
      R"({{"resultType":"complete","_meta":{{"io.modelcontextprotocol/subscriptionId":{},"io.modelcontextprotocol/serverInfo":{}}}}})",
      call.request.id, parts.ServerInfo(call.revision));
}

// Enters the request among the listeners; from then on each way to its end goes through them.
void Begin(const ListeningPtr& listening) {
  Parts& parts = listening->parts;
  const Call& call = listening->call;
  const auto may_speak = [session = call.session, id = call.request.id] {
    return session->MaySpeak(id);
  };
  const auto end = [listening] {
    const Call& ended = listening->call;
    SendLast(ended, rpc::EncodeResult(ended.request.id, EndJson(listening->parts, ended)));
  };
  parts.listeners.Add(listening->key(),
                      {call.reply.shared_peer(), listening->interests, may_speak, end});
  if (parts.options().when_listened_to) parts.options().when_listened_to();
  call.reply.shared_peer()->StaysOpen();
  if (may_speak())
    call.reply.Notify(rpc::EncodeNotification(
        "notifications/subscriptions/acknowledged",
        fmt::format(R"({{"notifications":{},{}}})", FilterJson(listening->interests),
                    SubscriptionMeta(call.request.id))));
  parts.listeners.Open(listening->key());
  // Copied out first: the end may be the end of this very function.
  listening->when_stopped.emplace(listening->stop, [all = &parts, key = listening->key()] {
    Listeners& listeners = all->listeners;
    const Listeners::Key own = key;  // NOLINT(performance-unnecessary-copy-initialization)
    listeners.End(own);
  });
}

// A resource that its caller may not read is not honoured, as one that is not there.
void ReadAndBegin(const ListeningPtr& listening) {
  CallContext ctx = ContextOf(listening->parts, listening->call, listening->stop);
  for (const std::string& uri : listening->asked)
    if (std::holds_alternative<std::string>(ReadAt(listening->parts, listening->call, uri, ctx)))
      listening->interests.uris.insert(uri);
  Begin(listening);
}

}  // namespace

MethodResult ListenForChanges(Parts& parts, Call& call) {
  if (!call.reply.peer().CanSend())
    return rpc::Failure(rpc::Code::InvalidRequest, "who listens must accept text/event-stream");
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return NotBegun();
  const auto listening = std::make_shared<Listening>(parts, std::move(call), *std::move(stop));
  const Call& own = listening->call;
  if (const auto failure = ReadFilter(own.params(), *listening)) {
    SendLast(own, rpc::EncodeFailure(own.request.id, *failure), StatusOf(*failure, false));
    return Later{};
  }
  own.reply.WhenGone([session = own.session, id = own.request.id](transport::Gone why) {
    why == transport::Gone::Closed ? session->Cancel(id) : session->Stop(id);
  });
  if (listening->asked.empty()) {
    Begin(listening);
    return Later{};
  }
  if (const Status queued = parts.pool.Submit([listening] { ReadAndBegin(listening); }); !queued)
    SendLast(own, rpc::EncodeFailure(own.request.id, rpc::FailureOf(queued.error())));
  return Later{};
}

}  // namespace schemaward::mcp
