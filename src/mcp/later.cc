#include "mcp/later.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "mcp/head.h"
#include "mcp/trace.h"

namespace schemaward::mcp {
namespace {

class Job {
 public:
  Job(Parts& parts, Call call, std::stop_token stop, Work work)
      : parts_(parts),
        call_(std::move(call)),
        work_(std::move(work)),
        ctx_(ContextOf(parts, call_, std::move(stop))) {}

  void Run() {
    const MethodResult result = work_(parts_, call_, ctx_);
    if (const auto* failure = std::get_if<rpc::Failure>(&result)) return Fail(*failure);
    SendLast(call_, rpc::EncodeResult(call_.request.id, std::get<std::string>(result)));
  }
  void Fail(const rpc::Failure& failure) {
    SendLast(call_, rpc::EncodeFailure(call_.request.id, failure),
             StatusOf(failure, call_.session->negotiated().has_value()));
  }

 private:
  Parts& parts_;
  Call call_;
  Work work_;
  CallContext ctx_;
};

}  // namespace

MethodResult RunLater(Parts& parts, Call& call, Work work) {
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return NotBegun();
  StopWhenGone(call);
  const Reply reply = call.reply;
  // Shared, since what the pool holds must be copyable.
  const auto job = std::make_shared<Job>(parts, std::move(call), *std::move(stop), std::move(work));
  if (reply.TakesOver([job] { job->Run(); })) return Later{};
  if (const Status queued = parts.pool.Submit([job] { job->Run(); }); !queued)
    job->Fail(rpc::FailureOf(queued.error()));
  return Later{};
}

void SendLast(const Call& call, const std::string& message, int status) {
  if (call.session->Finish(call.request.id)) {
    call.reply.Send(message, status);
  } else {
    call.reply.Drop();
  }
  call.session->Left();
}

void StopWhenGone(const Call& call) {
  const bool closing_cancels = IsModern(call.revision);
  call.reply.WhenGone(
      [session = call.session, id = call.request.id, closing_cancels](transport::Gone why) {
        if (why == transport::Gone::Stopping) return session->Stop(id);
        if (why == transport::Gone::Closed && closing_cancels) session->Cancel(id);
      });
}

rpc::Failure NotBegun() {
  return rpc::Failure(rpc::Code::InvalidRequest,
                      "a request with this id still runs, or too many requests do");
}

CallContext ContextOf(const Parts& parts, const Call& call, std::stop_token stop) {
  CallContext ctx(parts.clock);
  ctx.request_id = call.request.id;
  if (const std::string trace = TraceParentIn(call.params()); !trace.empty())
    ctx.request_id += " traceparent=" + trace;
  ctx.principal = call.reply.peer().principal();
  ctx.principal.client = call.client;
  ctx.stop = std::move(stop);
  return ctx;
}

std::string TextIn(const json::Value& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace schemaward::mcp
