#pragma once

// Asks again where a service says that it is busy or failed, and only what can be asked twice.

#include <chrono>
#include <functional>

#include "net/http.h"

namespace schemaward::net {

/// How often and how long. Times beyond what the call's deadline leaves are not waited.
struct RetryRules {
  int tries_max = 3;                          ///< requests in all
  std::chrono::milliseconds first_wait{200};  ///< doubled each time where the service names none
  std::chrono::milliseconds wait_max{2'000};  ///< a longer Retry-After is the caller's to wait
  std::function<double()> jitter{};           ///< in [0, 1); empty: the machine's
  std::function<void(std::chrono::milliseconds, CallContext&)> wait{};  ///< empty: the thread waits
};

/// Sends a GET that was answered with 429, 500, 502, 503 or 504 again: after Retry-After where the
/// service names it, else after half to all of a wait that doubles. What is no GET, or was not
/// answered at all, is sent once. Thread: any. Lifetime: `client` outlives it.
class RetryingClient final : public HttpClient {
 public:
  explicit RetryingClient(HttpClient& client, RetryRules rules = {});
  /// Errors: as the client's; Cancelled and DeadlineExceeded while it waits.
  Result<HttpResponse> Send(const HttpRequest& request, CallContext& ctx) override;

 private:
  std::chrono::milliseconds WaitBefore(int again, const HttpResponse& answer) const;

  HttpClient& client_;
  const RetryRules rules_;
};

}  // namespace schemaward::net
