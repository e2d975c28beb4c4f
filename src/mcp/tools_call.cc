// tools/call: the call leaves the protocol here. The thread that took its message runs it where
// another listens meanwhile, else it runs on the pool, beside others.

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/ask_by_result.h"
#include "mcp/confirm.h"
#include "mcp/head.h"
#include "mcp/later.h"
#include "mcp/method.h"

namespace schemaward::mcp {
namespace {

constexpr std::chrono::milliseconds kProgressEvery{100};  // least time between two notifications

// Tells the client how far a call has come. `progress` grows with each notification, as the
// protocol asks.
class ProgressTeller {
 public:
  ProgressTeller(const Call& call, const Clock& clock, std::string token)
      : id_(call.request.id),
        session_(call.session),
        reply_(call.reply),
        has_message_(HasProgressMessage(call.revision)),
        clock_(clock),
        token_(std::move(token)) {}

  void Tell(const Progress& progress) {
    const auto now = clock_.Now();
    const bool is_last = progress.total > 0 && progress.done >= progress.total;
    if (told_ && (progress.done <= told_->done || (!is_last && now < told_->at + kProgressEvery)))
      return;
    if (!session_->MaySpeak(id_)) return;
    told_ = Told{progress.done, now};
    std::string params =
        fmt::format(R"({{"progressToken":{},"progress":{})", token_, progress.done);
    if (progress.total > 0) params += fmt::format(R"(,"total":{})", progress.total);
    if (has_message_ && !progress.message.empty())
      params += R"(,"message":)" + json::Quote(progress.message);
    reply_.Notify(rpc::EncodeNotification("notifications/progress", params + '}'));
  }

 private:
  struct Told {
    std::int64_t done;
    std::chrono::steady_clock::time_point at;
  };
  const std::string id_;
  const SessionPtr session_;
  const Reply reply_;
  const bool has_message_;
  const Clock& clock_;
  const std::string token_;
  std::optional<Told> told_;
};

// Returns the progress token as JSON text; empty where there is none.
std::string ProgressToken(const json::Value& params) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return {};
  const auto token = meta->find("progressToken");
  return token == meta->end() ? std::string() : rpc::IdOf(*token);
}

void AppendText(std::string& out, std::string_view text, std::string_view mime_type) {
  out += R"({"type":"text","text":)";
  json::AppendQuoted(out, text);
  if (!mime_type.empty()) {
    out += R"(,"mimeType":)";
    json::AppendQuoted(out, mime_type);
  }
  out += '}';
}

// Returns the result's members. The text is the structured bytes, escaped once, but where the
// family has texts of its own. [R-ENV-5]
std::string MembersOf(const tool::Answer& answer, Revision revision) {
  std::string out;
  constexpr std::size_t kFrame = 128;  // what stands around the two
  out.reserve(answer.structured.size() + answer.text.size() + answer.text.size() / 4 + kFrame);
  out += R"("content":[)";
  if (answer.blocks.empty()) AppendText(out, answer.text, {});
  for (const tool::TextBlock& block : answer.blocks) {
    if (&block != &answer.blocks.front()) out += ',';
    AppendText(out, block.text, block.mime_type);
  }
  out += ']';
  if (HasStructuredContent(revision) && !answer.structured.empty()) {
    out += R"(,"structuredContent":)";
    out += answer.structured;
  }
  out += answer.is_error ? R"(,"isError":true)" : R"(,"isError":false)";
  return out;
}

// A call that waits for a worker or has one.
class Job {
 public:
  Job(Parts& parts, Call call, std::stop_token stop)
      : parts_(parts),
        requests_(parts, std::move(call), std::move(stop)),
        ctx_(ContextOf(parts, requests_.now(), requests_.stop())),
        place_(parts.callers.Enter(ctx_.principal.id)) {
    if (MayBeAsked())
      ctx_.ask_client = [this](std::string_view method, std::string_view params, CallContext& ctx) {
        return Ask(method, params, ctx);
      };
    SetTeller();
    if (teller_ || ctx_.ask_client)
      ctx_.progress = [this](const Progress& progress) {
        if (teller_) teller_->Tell(progress);
      };
  }
  // What it gives away refers to it.
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Whether its caller may have a further call.
  bool HasPlace() const { return place_ != nullptr; }

  void Run() {
    const Outcome outcome = CallWithConsent(parts_, requests_.first(), Arguments(), ctx_);
    const Call& call = requests_.now();
    if (const auto* question = std::get_if<Question>(&outcome))
      return Send(rpc::EncodeResult(call.request.id, question->result_json));
    if (const auto* failure = std::get_if<rpc::Failure>(&outcome))
      return Send(rpc::EncodeFailure(call.request.id, *failure),
                  StatusOf(*failure, call.session->negotiated().has_value()));
    Answer(std::get<tool::Answer>(outcome));
  }
  void Refuse(Error why, int status = transport::kStatusOk) {
    Answer(parts_.invoker.Refuse(Name(), Arguments(), std::move(why), ctx_), status);
  }

 private:
  bool MayBeAsked() const {
    const Call& call = requests_.now();
    return call.offers_model && (IsModern(call.revision) || call.reply.peer().CanSend());
  }
  Result<std::string> Ask(std::string_view method, std::string_view params, CallContext& ctx) {
    // Kept until the call is over, so that one that has begun can go on.
    if (!asking_) {
      auto place = parts_.consents.Wait();
      if (place) asking_ = std::make_unique<ConsentBook::Place>(*std::move(place));
    }
    if (!asking_)
      return Error(ErrorKind::PoolFull, "half of the workers wait for clients, as many as may");
    const Call& call = requests_.now();
    if (!IsModern(call.revision))
      return call.session->asks().Ask(
          method, params, [&](std::string_view message) { call.reply.Notify(message); }, ctx);
    WARD_TRY(std::string answer, requests_.Ask(method, params, ctx));
    SetTeller();  // each request has a token of its own
    return answer;
  }
  void SetTeller() {
    std::string token = ProgressToken(requests_.now().params());
    teller_.reset();
    if (!token.empty()) teller_.emplace(requests_.now(), parts_.clock, std::move(token));
  }
  const std::string& Name() const {
    return requests_.first().params().find("name")->get_ref<const std::string&>();
  }
  json::Value Arguments() const {
    const json::Value& params = requests_.first().params();
    const auto found = params.find("arguments");
    return found == params.end() ? json::Value() : *found;
  }

  void Answer(const tool::Answer& answer, int status = transport::kStatusOk) {
    const Call& call = requests_.now();
    if (!answer.scopes_needed.empty()) call.reply.LacksScopes(answer.scopes_needed);
    Send(rpc::EncodeResult(call.request.id,
                           ResultOf(parts_, call.revision, MembersOf(answer, call.revision))),
         status);
  }

  void Send(const std::string& message, int status = transport::kStatusOk) {
    place_.reset();  // first: who reads the answer may call again
    asking_.reset();
    requests_.Answer(message, status);
  }

  Parts& parts_;
  Requests requests_;
  CallContext ctx_;
  std::optional<ProgressTeller> teller_;
  std::unique_ptr<CallerLimit::Place> place_;
  std::unique_ptr<ConsentBook::Place> asking_;  // since its client was first asked
};

Error TooManyCalls() {
  return std::move(
      Error(ErrorKind::RateLimited, "this caller has as many calls under way as it may")
          .RetryAfter(std::chrono::milliseconds(transport::kRetryAfter).count()));
}

}  // namespace

// What is wrong with the arguments, or the tool's name, is the tool's answer and not a failure of
// the protocol: a model reads the one and never sees the other. [R-ARG-2]
MethodResult CallTool(Parts& parts, Call& call) {
  const json::Value& params = call.params();
  const auto name = params.is_object() ? params.find("name") : params.end();
  if (name == params.end() || !name->is_string())
    return rpc::Failure(rpc::Code::InvalidParams, "tools/call needs params.name");
  if (const auto ticket = TicketOf(parts, call)) return ReturnTo(parts, call, *ticket);
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return NotBegun();
  StopWhenGone(call);
  const Reply reply = call.reply;
  const auto job = std::make_shared<Job>(parts, std::move(call), *std::move(stop));
  if (!job->HasPlace()) {
    job->Refuse(TooManyCalls(), transport::kStatusTooMany);
    return Later{};
  }
  if (reply.TakesOver([job] { job->Run(); })) return Later{};
  if (const Status queued = parts.pool.Submit([job] { job->Run(); }); !queued)
    job->Refuse(queued.error(), queued.error().row().http_status);
  return Later{};
}

}  // namespace schemaward::mcp
