#pragma once

// HTTP as other modules see it: one request, one answer, whole or piece by piece, bounded in bytes
// and time.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::net {

/// Takes a body piece by piece; an error ends the transfer.
using OnPiece = std::function<Status(std::string_view piece)>;

/// A request. Headers may hold secrets: no error and no log line repeats them.
struct HttpRequest {
  std::string method = "GET";
  std::string url;  ///< https, or http to this very machine
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::string authority{};  ///< path of a PEM file of certificates to trust; empty: the system's
  std::chrono::milliseconds time_max{20'000};
  std::size_t bytes_max = 4U << 20U;  ///< of the answer's body
  /// Where given, the body of a 2xx answer goes here as it arrives, and not into the answer. Called
  /// by the thread that waits.
  OnPiece on_piece{};
};

/// What the server answered, whatever its status. Redirects are not followed: a token would follow.
struct HttpResponse {
  int status = 0;
  std::string content_type;  ///< without parameters
  std::string body;
  std::optional<std::int64_t> retry_after_ms{};  ///< of the header Retry-After in seconds
};

/// Sends requests. Thread: any.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  /// Returns the answer. Errors: SourceUnreachable when there is none (name, connection, TLS,
  /// time_max) or it breaks off; ByteCap; those of on_piece; Cancelled and DeadlineExceeded as ctx
  /// says; InvalidArgument for a URL that is neither https nor http to this machine;
  /// EngineUnavailable when the module is not there.
  virtual Result<HttpResponse> Send(const HttpRequest& request, CallContext& ctx) = 0;
};

}  // namespace schemaward::net
