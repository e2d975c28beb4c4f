#include "mcp/server.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/cut.h"
#include "mcp/era.h"
#include "mcp/fixtures.h"
#include "mcp/head.h"

namespace schemaward::mcp {
namespace {

constexpr std::size_t kSessionsMax = 10'000;  // legacy sessions that are remembered
constexpr int kStatusBadRequest = 400;
constexpr int kStatusTooLarge = 413;

static_assert(transport::kMessageBytesMax == rpc::kMessageBytesMax);

const Method* FindIn(std::span<const Method> methods, std::string_view name) {
  for (const Method& method : methods)
    if (method.name == name) return &method;
  return nullptr;
}

const Method* FindMethod(std::string_view name, bool with_fixtures) {
  const Method* fixture = with_fixtures ? FindIn(FixtureMethods(), name) : nullptr;
  return fixture != nullptr ? fixture : FindIn(Methods(), name);
}

rpc::Failure NoSuchMethod(std::string_view name, std::string_view where) {
  constexpr std::size_t kNameMax = 64;  // of a name that is said back
  return rpc::Failure(rpc::Code::MethodNotFound,
                      fmt::format("there is no method \"{}\"{}", HeadOf(name, kNameMax), where));
}

}  // namespace

Server::Server(const tool::Invoker& invoker, ThreadPool& pool, const Clock& clock,
               ServerOptions options)
    : parts_(invoker, pool, clock, std::move(options)) {}

SessionPtr Server::SessionOf(const std::string& name) {
  if (name.empty()) return std::make_shared<Session>();  // each request by itself
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(name);
  if (found != sessions_.end()) return found->second;
  auto session = std::make_shared<Session>();
  if (sessions_.size() < kSessionsMax) sessions_.emplace(name, session);
  return session;
}

void Server::OnMessage(std::string_view text, const transport::PeerPtr& peer) {
  parts_.tasks.Tidy();  // whoever speaks: who began a task may never come back to it
  rpc::Decoded decoded = rpc::Decode(text);
  const SessionPtr session = SessionOf(peer->session());
  if (!decoded.is_batch) return Take(decoded.messages.front(), session, Reply(peer));
  const auto negotiated = session->negotiated();
  if (!negotiated || !HasBatches(negotiated->revision))
    return peer->Answer(
        rpc::EncodeFailure("null",
                           rpc::Failure(rpc::Code::InvalidRequest,
                                        "batches are served in protocol version 2025-03-26 only")),
        kStatusBadRequest);
  const auto batch = std::make_shared<Batch>(peer, decoded.messages.size());
  for (rpc::Message& message : decoded.messages) Take(message, session, Reply(peer, batch));
}

void Server::OnOversized(std::size_t bytes_max, const transport::PeerPtr& peer) {
  const rpc::Failure failure(
      rpc::Code::InvalidRequest,
      fmt::format("the message has more than the {} bytes that are read", bytes_max));
  peer->Answer(rpc::EncodeFailure("null", failure), kStatusTooLarge);
}

void Server::Take(rpc::Message& message, const SessionPtr& session, const Reply& reply) {
  if (auto* request = std::get_if<rpc::Request>(&message))
    return Serve(std::move(*request), session, reply);
  if (const auto* rejected = std::get_if<rpc::Rejected>(&message))
    return reply.Send(rpc::EncodeFailure(rejected->id, rejected->failure),
                      StatusOf(rejected->failure, false));
  if (const auto* notification = std::get_if<rpc::Notification>(&message))
    Notice(parts_, *notification, *session);
  if (auto* response = std::get_if<rpc::Response>(&message))
    session->asks().Take(std::move(*response));
  reply.Drop();
}

void Server::Serve(rpc::Request request, const SessionPtr& session, const Reply& reply) {
  const std::string id = request.id;
  const auto fail = [&](const rpc::Failure& failure) {
    reply.Send(rpc::EncodeFailure(id, failure),
               StatusOf(failure, session->negotiated().has_value()));
  };
  const Method* method = FindMethod(request.method, parts_.options().conformance_fixtures);
  if (method == nullptr) return fail(NoSuchMethod(request.method, ""));
  auto spoken = RevisionOfRequest(request, *session, reply.peer().head());
  if (const auto* failure = std::get_if<rpc::Failure>(&spoken)) return fail(*failure);
  auto& [revision, client, can_ask_user, offers_model, takes_tasks] = std::get<Spoken>(spoken);
  if (revision < method->first || revision > method->last)
    return fail(
        NoSuchMethod(request.method, fmt::format(" in protocol version {}", NameOf(revision))));
  Call call{std::move(request), revision,     std::move(client), session, reply,
            can_ask_user,       offers_model, takes_tasks};
  const MethodResult result = method->run(parts_, call);
  if (const auto* failure = std::get_if<rpc::Failure>(&result)) return fail(*failure);
  if (method->run == Initialize) {
    if (const Status kept = Keep(session, reply); !kept)
      return reply.Send(rpc::EncodeFailure(id, rpc::FailureOf(kept.error())),
                        kept.error().row().http_status);
    if (auto channel = reply.Channel())
      parts_.listeners.Add({session.get(), {}},
                           {.channel = std::move(channel), .interests = {.lists = true}});
  }
  if (const auto* json = std::get_if<std::string>(&result))
    reply.Send(rpc::EncodeResult(id, *json));
}

Status Server::Keep(const SessionPtr& session, const Reply& reply) {
  if (!reply.peer().session().empty()) return Ok();
  WARD_TRY(const std::string name, reply.OpenSession());
  const MutexLock lock(mutex_);
  if (sessions_.size() < kSessionsMax) sessions_.emplace(name, session);
  return Ok();
}

void Server::OnMissed(const std::string& session_name) {
  SessionPtr session;
  {
    const MutexLock lock(mutex_);
    const auto found = sessions_.find(session_name);
    if (found == sessions_.end()) return;
    session = found->second;
  }
  parts_.listeners.TellAll({session.get(), {}});
}

void Server::OnClose(const std::string& session_name, transport::Ending ending) {
  SessionPtr session;
  {
    const MutexLock lock(mutex_);
    const auto found = sessions_.find(session_name);
    if (found == sessions_.end()) return;
    session = found->second;
    sessions_.erase(found);
  }
  parts_.listeners.End(*session);
  session->asks().Close();  // whoever is asked now will not answer
  parts_.parked.EndOf(session.get());
  if (ending == transport::Ending::Deleted) return session->StopAll();
  if (ending == transport::Ending::InputEnded && session->WaitIdle(parts_.options().drain_max))
    return;
  session->StopAll();
  if (!session->WaitIdle(parts_.options().stop_max)) has_leftovers_ = true;
}

void Server::Leave() {
  parts_.parked.EndAll();
  if (!parts_.tasks.Close(parts_.options().drain_max, parts_.options().stop_max))
    has_leftovers_ = true;
}

}  // namespace schemaward::mcp
