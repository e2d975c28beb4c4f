#include "net/retrying_client.h"

#include <algorithm>
#include <mutex>
#include <random>
#include <utility>

#include "base/mutex.h"

namespace schemaward::net {
namespace {

using std::chrono::milliseconds;

bool MayPass(int status) {
  constexpr int kTooMany = 429, kFailed = 500, kBadGateway = 502, kBusy = 503, kLate = 504;
  return status == kTooMany || status == kFailed || status == kBadGateway || status == kBusy ||
         status == kLate;
}

double MachineJitter() {
  std::random_device device;
  constexpr double kRange = 1.0 + std::random_device::max();
  return device() / kRange;
}

// A stop wakes it at once.
void WaitHere(milliseconds span, CallContext& ctx) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, ctx.stop, span, [] { return false; });
}

}  // namespace

RetryingClient::RetryingClient(HttpClient& client, RetryRules rules)
    : client_(client), rules_(std::move(rules)) {}

milliseconds RetryingClient::WaitBefore(int again, const HttpResponse& answer) const {
  if (answer.retry_after_ms) return milliseconds(std::max<std::int64_t>(*answer.retry_after_ms, 0));
  const milliseconds longest = std::min(rules_.first_wait * (1 << (again - 1)), rules_.wait_max);
  const double part = rules_.jitter ? rules_.jitter() : MachineJitter();
  return longest / 2 +
         milliseconds(static_cast<std::int64_t>(part * static_cast<double>((longest / 2).count())));
}

Result<HttpResponse> RetryingClient::Send(const HttpRequest& request, CallContext& ctx) {
  const int tries = request.method == "GET" ? rules_.tries_max : 1;
  for (int again = 1;; ++again) {
    WARD_TRY(HttpResponse answer, client_.Send(request, ctx));
    if (again >= tries || !MayPass(answer.status)) return answer;
    const milliseconds span = WaitBefore(again, answer);
    const bool has_time = ctx.deadline.Left(ctx.clock, span + milliseconds(1)) > span;
    if (span > rules_.wait_max || !has_time) return answer;
    if (rules_.wait)
      rules_.wait(span, ctx);
    else
      WaitHere(span, ctx);
    WARD_CHECK(ctx.Check());
  }
}

}  // namespace schemaward::net
