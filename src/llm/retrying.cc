#include "llm/retrying.h"

#include <utility>

#include <fmt/format.h>

namespace schemaward::llm {
namespace {

bool MayHelp(const Error& error, const CallContext& ctx) {
  const ErrorKind kind = error.kind();
  if (kind == ErrorKind::Cancelled || kind == ErrorKind::MoneyCap) return false;
  return error.row().retryable && ctx.Check();
}

}  // namespace

RetryingLlm::RetryingLlm(std::shared_ptr<Llm> inner, const RetryPolicy& policy, Pause pause,
                         Random random)
    : inner_(std::move(inner)),
      policy_(policy),
      pause_(std::move(pause)),
      random_(std::move(random)) {}

Result<Reply> RetryingLlm::Complete(const Request& request, const OnWords& on_text,
                                    CallContext& ctx) {
  for (int tries = 1;; ++tries) {
    auto reply = inner_->Complete(request, on_text, ctx);
    if (reply) {
      reply->tries = tries;
      return reply;
    }
    Error& error = reply.error();
    if (!MayHelp(error, ctx)) return reply;
    std::optional<std::chrono::milliseconds> asked;
    if (const auto ms = error.retry_after_ms()) asked = std::chrono::milliseconds(*ms);
    const auto delay = DelayBefore(policy_, tries, asked, random_());
    if (!delay) {
      error.Detail(fmt::format("It was asked {} times.", tries));
      return reply;
    }
    ctx.Warn(fmt::format("model {} is asked again in {} ms: {}", info().name, delay->count(),
                         error.message()));
    WARD_CHECK(pause_(*delay, ctx));
    if (on_text) on_text({});
  }
}

}  // namespace schemaward::llm
