#include "mcp/ask_by_result.h"

#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/client_wait.h"
#include "mcp/head.h"
#include "mcp/later.h"
#include "tool/cursor.h"

namespace schemaward::mcp {
namespace {

std::string_view KeyOf(const Parts& parts) {
  return {reinterpret_cast<const char*>(parts.state_key().data()), parts.state_key().size()};
}

// What a state is made for. Neither a list's cursor nor a state of confirm.h is one.
tool::CursorState StateOf(const Call& call, std::string ticket) {
  const auto found = call.params().find("arguments");
  const bool has_arguments = found != call.params().end() && !found->is_null();
  return {"ask:" + TextIn(call.params(), "name"),
          tool::HashArguments(has_arguments ? json::Canonical(*found) : "{}"), 0, std::move(ticket),
          call.reply.peer().principal().id};
}

// The client's answer as JSON; empty where it brings none.
std::string AnswerIn(const Call& call) {
  const auto answers = call.params().find("inputResponses");
  if (answers == call.params().end() || !answers->is_object()) return {};
  const auto found = answers->find(std::string(kAskKey));
  return found == answers->end() ? std::string() : json::Canonical(*found);
}

}  // namespace

Requests::Requests(Parts& parts, Call first, std::stop_token stop)
    : parts_(parts), first_(std::move(first)) {
  Hear(std::move(stop));
}

void Requests::Hear(std::stop_token stop) {
  heard_.emplace(std::move(stop), [this] { whole_.request_stop(); });
}

void Requests::Question(std::string_view method, std::string_view params_json,
                        const std::string& ticket) {
  const std::string members = fmt::format(
      R"("inputRequests":{{"{}":{{"method":"{}","params":{}}}}},"requestState":{})", kAskKey,
      method, params_json, json::Quote(tool::SealCursor(KeyOf(parts_), StateOf(first_, ticket))));
  heard_.reset();
  is_open_ = false;
  SendLast(now(), rpc::EncodeResult(now().request.id,
                                    ResultOf(parts_, now().revision, members, "input_required")));
}

Result<std::string> Requests::Ask(std::string_view method, std::string_view params_json,
                                  CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  if (!is_open_) return ClientHasGone();
  WARD_TRY(const std::string ticket, parts_.parked.Enter(now().session.get()));
  while (true) {
    Question(method, params_json, ticket);
    WARD_TRY(ComeBack back, parts_.parked.Await(ticket, ctx));
    later_.emplace(std::move(*back.call));
    is_open_ = true;
    Hear(std::move(back.stop));
    if (!back.answer_json.empty()) return std::move(back.answer_json);
  }
}

void Requests::Answer(const std::string& message, int status) {
  if (!std::exchange(is_open_, false)) return;
  SendLast(now(), message, status);
}

std::optional<std::string> TicketOf(const Parts& parts, const Call& call) {
  const std::string state = TextIn(call.params(), "requestState");
  if (state.empty() || !IsModern(call.revision)) return std::nullopt;
  const auto ticket = tool::OpenCursor(KeyOf(parts), state, StateOf(call, {}));
  if (!ticket) return std::nullopt;
  return *ticket;
}

MethodResult ReturnTo(Parts& parts, Call& call, const std::string& ticket) {
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return NotBegun();
  StopWhenGone(call);
  std::string answer = AnswerIn(call);
  const auto shared = std::make_shared<Call>(std::move(call));
  if (parts.parked.Take(ticket, {shared, *std::move(stop), std::move(answer)})) return Later{};
  const rpc::Failure failure(rpc::Code::InvalidParams,
                             "the call that params.requestState belongs to waits for nothing");
  SendLast(*shared, rpc::EncodeFailure(shared->request.id, failure),
           StatusOf(failure, shared->session->negotiated().has_value()));
  return Later{};
}

}  // namespace schemaward::mcp
