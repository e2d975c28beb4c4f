// tools/call: the call leaves the protocol here. The thread that took its message runs it where
// another listens meanwhile, else it runs on the pool, beside others; a task always does.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/answer.h"
#include "mcp/ask_by_result.h"
#include "mcp/confirm.h"
#include "mcp/head.h"
#include "mcp/later.h"
#include "mcp/method.h"
#include "mcp/task_json.h"

namespace schemaward::mcp {
namespace {

constexpr std::chrono::milliseconds kProgressEvery{100};  // least time between two notifications

// Tells the client how far a call has come. `progress` grows with each notification, as the
// protocol asks.
class ProgressTeller {
 public:
  using Say = std::function<void(std::string_view notification)>;
  /// `token`: as JSON; `related`: a member to add, or empty.
  ProgressTeller(Revision revision, const Clock& clock, std::string token, std::string related,
                 Say say)
      : has_message_(HasProgressMessage(revision)),
        clock_(clock),
        token_(std::move(token)),
        related_(std::move(related)),
        say_(std::move(say)) {}

  void Tell(const Progress& progress) {
    const auto now = clock_.Now();
    const bool is_last = progress.total > 0 && progress.done >= progress.total;
    if (told_ && (progress.done <= told_->done || (!is_last && now < told_->at + kProgressEvery)))
      return;
    told_ = Told{progress.done, now};
    std::string params =
        fmt::format(R"({{"progressToken":{},"progress":{})", token_, progress.done);
    if (progress.total > 0) params += fmt::format(R"(,"total":{})", progress.total);
    if (has_message_ && !progress.message.empty())
      params += R"(,"message":)" + json::Quote(progress.message);
    if (!related_.empty()) params += ',' + related_;
    say_(rpc::EncodeNotification("notifications/progress", params + '}'));
  }

 private:
  struct Told {
    std::int64_t done;
    std::chrono::steady_clock::time_point at;
  };
  const bool has_message_;
  const Clock& clock_;
  const std::string token_, related_;
  const Say say_;
  std::optional<Told> told_;
};

// Returns the progress token as JSON text; empty where there is none.
std::string ProgressToken(const json::Value& params) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return {};
  const auto token = meta->find("progressToken");
  return token == meta->end() ? std::string() : rpc::IdOf(*token);
}

// What a task says of itself while it works.
std::string WordsOf(const Progress& progress) {
  std::string words = progress.total > 0 ? fmt::format("{} of {}", progress.done, progress.total)
                                         : fmt::format("{}", progress.done);
  if (!progress.message.empty()) words += ": " + progress.message;
  return words;
}

// A call that waits for a worker or has one. It may become a task on its way: then its request is
// answered with that, and nobody waits for the call any more.
class Job {
 public:
  Job(Parts& parts, Call call, std::stop_token stop, const TaskWish& wish)
      : parts_(parts),
        wish_(wish),
        is_asked_for_(wish.when == TaskWish::When::Now),
        requests_(parts, std::move(call), std::move(stop)),
        ctx_(ContextOf(parts, requests_.now(), requests_.stop())),
        place_(parts.callers.Enter(ctx_.principal.id)),
        begun_(parts.clock.Now()) {
    if (MayBeAsked())
      ctx_.ask_client = [this](std::string_view method, std::string_view params, CallContext& ctx) {
        return Ask(method, params, ctx);
      };
    SetTeller();
    if (teller_ || ctx_.ask_client || wish_.when != TaskWish::When::Never)
      ctx_.progress = [this](const Progress& progress) { Hear(progress); };
  }
  // What it gives away refers to it.
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Whether its caller may have a further call.
  bool HasPlace() const { return place_ != nullptr; }

  /// Answers the request with a task, which says `words` of itself from the beginning. Errors:
  /// those of Tasks::Begin.
  Status BecomeTask(std::string_view words = {}) {
    wish_.when = TaskWish::When::Never;
    const Call& call = requests_.now();
    WARD_TRY(task_, parts_.tasks.Begin(OwnerOf(call), wish_.life));
    task_->Say(words);
    cancelled_.emplace(task_->stop(), [this] { requests_.Stop(); });
    SetTeller();
    requests_.Answer(rpc::EncodeResult(call.request.id, CreatedJson(parts_, call.revision, *task_)),
                     transport::kStatusOk);
    return Ok();
  }
  bool IsTask() const { return task_ != nullptr; }

  void Run() {
    const Outcome outcome = CallWithConsent(parts_, requests_.first(), Arguments(), ctx_);
    if (const auto* question = std::get_if<Question>(&outcome))
      return Send(rpc::EncodeResult(requests_.now().request.id, question->result_json));
    if (const auto* failure = std::get_if<rpc::Failure>(&outcome)) return Fail(*failure);
    Answer(std::get<tool::Answer>(outcome));
  }
  void Refuse(const Error& why, int status = transport::kStatusOk) {
    const tool::Answer answer = parts_.invoker.Refuse(Name(), Arguments(), why, ctx_);
    // Who asked for a task takes no other result, but a failure.
    if (is_asked_for_ && !task_) return Fail(rpc::FailureOf(why));
    Answer(answer, status);
  }

 private:
  bool MayBeAsked() const {
    const Call& call = requests_.now();
    return call.offers_model && (IsModern(call.revision) || call.reply.peer().CanSend());
  }
  void Hear(const Progress& progress) {
    const bool is_long = parts_.clock.Now() - begun_ >= parts_.options().task_after;
    if (wish_.when == TaskWish::When::IfLong && is_long)
      (void)BecomeTask(WordsOf(progress));
    else if (task_)
      task_->Say(WordsOf(progress));
    if (teller_) teller_->Tell(progress);
  }
  Result<std::string> Ask(std::string_view method, std::string_view params, CallContext& ctx) {
    // Kept until the call is over, so that one that has begun can go on.
    if (!asking_) {
      auto place = parts_.consents.Wait();
      if (place) asking_ = std::make_unique<ConsentBook::Place>(*std::move(place));
    }
    if (!asking_)
      return Error(ErrorKind::PoolFull, "half of the workers wait for clients, as many as may");
    // Where there is no room for a task, the client is asked as one that takes none.
    if (wish_.when == TaskWish::When::IfLong) (void)BecomeTask();
    if (task_) return AskByTask(method, params, ctx);
    const Call& call = requests_.now();
    if (!IsModern(call.revision))
      return call.session->asks().Ask(
          method, params, [&](std::string_view message) { call.reply.Notify(message); }, ctx);
    WARD_TRY(std::string answer, requests_.Ask(method, params, ctx));
    SetTeller();  // each request has a token of its own
    return answer;
  }
  // In the era of requests the client is asked beside its own request for the answer.
  Result<std::string> AskByTask(std::string_view method, std::string_view params,
                                CallContext& ctx) {
    if (IsModern(requests_.first().revision)) {
      WARD_TRY(std::vector<std::string> answers,
               task_->Ask({{std::string(method), std::string(params)}}, ctx));
      return std::move(answers.front());
    }
    task_->WantInput(true);
    auto answer = AskReader(method, params, ctx);
    task_->WantInput(false);
    return answer;
  }
  Result<std::string> AskReader(std::string_view method, std::string_view params,
                                CallContext& ctx) {
    WARD_TRY(const std::shared_ptr<const Call> reader, task_->AwaitReader(ctx));
    const std::string_view rest = params.substr(1);  // behind the brace
    const std::string related =
        fmt::format("{{{}{}{}", RelatedTask(*task_), rest == "}" ? "" : ",", rest);
    return reader->session->asks().Ask(
        method, related, [&](std::string_view message) { reader->reply.Notify(message); }, ctx);
  }
  // A task tells its progress where its session listens. In the era without sessions it tells none.
  void SetTeller() {
    const Call& call = requests_.now();
    std::string token = ProgressToken(call.params());
    teller_.reset();
    if (token.empty() || (task_ && IsModern(call.revision))) return;
    ProgressTeller::Say say = [session = call.session, id = call.request.id,
                               reply = call.reply](std::string_view notification) {
      if (session->MaySpeak(id)) reply.Notify(notification);
    };
    if (task_) {
      const transport::PeerPtr channel = call.reply.Channel();
      if (channel == nullptr) return;
      say = [channel](std::string_view notification) { channel->Send(notification); };
    }
    teller_.emplace(call.revision, parts_.clock, std::move(token),
                    task_ ? RelatedTask(*task_) : std::string(), std::move(say));
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
    std::string members = MembersOf(answer, call.revision);
    if (task_) return End(TaskAnswer{std::move(members), answer.is_error, answer.failure});
    if (!answer.scopes_needed.empty()) call.reply.LacksScopes(answer.scopes_needed);
    Send(rpc::EncodeResult(call.request.id, ResultOf(parts_, call.revision, members)), status);
  }
  void Fail(const rpc::Failure& failure) {
    const Call& call = requests_.now();
    if (task_) return End(failure);
    Send(rpc::EncodeFailure(call.request.id, failure),
         StatusOf(failure, call.session->negotiated().has_value()));
  }
  void Send(const std::string& message, int status = transport::kStatusOk) {
    place_.reset();  // first: who reads the answer may call again
    asking_.reset();
    requests_.Answer(message, status);
  }
  void End(TaskEnd end) {
    place_.reset();
    asking_.reset();
    cancelled_.reset();
    task_->End(std::move(end));
  }

  Parts& parts_;
  TaskWish wish_;
  const bool is_asked_for_;  // the task
  Requests requests_;
  CallContext ctx_;
  std::optional<ProgressTeller> teller_;
  std::unique_ptr<CallerLimit::Place> place_;
  std::unique_ptr<ConsentBook::Place> asking_;  // since its client was first asked
  const std::chrono::steady_clock::time_point begun_;
  TaskPtr task_;
  std::optional<std::stop_callback<std::function<void()>>> cancelled_;  // of task_
};

Error TooManyCalls() {
  return std::move(
      Error(ErrorKind::RateLimited, "this caller has as many calls under way as it may")
          .RetryAfter(std::chrono::milliseconds(transport::kRetryAfter).count()));
}

// A call that its caller may not make, or that cannot be read, is answered at once: the one with
// HTTP's word for it, the other with the call as it should be.
std::variant<TaskWish, rpc::Failure> Wish(const Parts& parts, const Call& call,
                                          const std::string& name) {
  const tool::Tool* tool = parts.invoker.registry().Find(name);
  auto wish = WishOf(parts, call, tool);
  if (tool == nullptr || std::holds_alternative<rpc::Failure>(wish)) return wish;
  if (!parts.invoker.MayUse(*tool, call.reply.peer().principal())) return TaskWish{};
  return wish;
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
  const auto wish = Wish(parts, call, name->get_ref<const std::string&>());
  if (const auto* failure = std::get_if<rpc::Failure>(&wish)) return *failure;
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return NotBegun();
  StopWhenGone(call);
  const Reply reply = call.reply;
  const auto job =
      std::make_shared<Job>(parts, std::move(call), *std::move(stop), std::get<TaskWish>(wish));
  if (!job->HasPlace()) {
    job->Refuse(TooManyCalls(), transport::kStatusTooMany);
    return Later{};
  }
  if (std::get<TaskWish>(wish).when == TaskWish::When::Now) {
    if (const Status begun = job->BecomeTask(); !begun) {
      job->Refuse(begun.error());
      return Later{};
    }
  }
  if (!job->IsTask() && reply.TakesOver([job] { job->Run(); })) return Later{};
  if (const Status queued = parts.pool.Submit([job] { job->Run(); }); !queued)
    job->Refuse(queued.error(), queued.error().row().http_status);
  return Later{};
}

}  // namespace schemaward::mcp
