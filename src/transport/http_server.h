#pragma once

// Streamable HTTP as the rest of the program sees it: what a server is told, and what it can be
// asked. The server itself is in the module ward_listen.so: lazy_http.h.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transport/transport.h"

namespace schemaward::transport {

/// Where a server listens.
struct HttpAddress {
  std::string host = "127.0.0.1";  ///< a numeric address, an IPv6 one without brackets
  std::uint16_t port = 0;          ///< 0: one that is free
  bool operator==(const HttpAddress&) const = default;
};

/// Reads ADDR:PORT, where ADDR is a numeric address, [IPv6] or localhost. Errors: InvalidArgument.
Result<HttpAddress> ReadHttpAddress(std::string_view text);

/// True where only this machine reaches the address.
bool IsLoopback(const HttpAddress& address);

/// The limits of one server; each has a test at the bound.
struct HttpLimits {
  std::size_t body_bytes_max = kMessageBytesMax;
  std::size_t head_bytes_max = 16u << 10;
  std::size_t connections_max = 4'096;         ///< more wait in the listener's queue
  std::size_t sessions_max = 4'096;            ///< above, one of those who have the most gives way
  std::size_t principal_sessions_max = 1'024;  ///< of one caller; above, its own oldest gives way
  std::size_t unsent_bytes_max = 8u << 20;     ///< above, what is not an answer is dropped
  std::chrono::milliseconds head_max{15'000};  ///< for a new connection to say what it wants
  std::chrono::milliseconds body_max{30'000};
  std::chrono::milliseconds idle_max{60'000};     ///< between two requests of a connection
  std::chrono::milliseconds write_max{30'000};    ///< for the other side to take what is sent
  std::chrono::milliseconds keep_alive{25'000};   ///< between two words on a stream that listens
  std::chrono::milliseconds listen_max{900'000};  ///< then it ends, and the client opens it anew
  std::chrono::milliseconds drain_max{5'000};     ///< for calls to end by themselves when we end
  std::chrono::milliseconds stop_max{2'000};      ///< and when they are stopped
};

/// Whether a request may come in.
struct Admission {
  std::optional<Principal> principal{};  ///< who sends it; none: it is refused
  int status = 401;                      ///< of the refusal
  std::string why{};                     ///< one line; needs no escapes in JSON
  std::string challenge{};               ///< the value of WWW-Authenticate; may be empty
  std::chrono::seconds retry_after{0};   ///< 0: not said
};

/// Finds out who sends a request. `token`: the bearer's; empty where there is none. Calls `then`
/// once, on any thread, at once or later; must not block. Thread: the server's.
using Admit = std::function<void(std::string_view token, std::function<void(Admission)> then)>;

/// Whether a server is ready for calls, and what /readyz says of it.
struct Readiness {
  bool is_ready = true;
  std::string json;  ///< one object
};

/// The files of a certificate and its key, in PEM; the certificate's may hold the chain above it.
struct TlsFiles {
  std::string certificate, key;
  std::chrono::milliseconds look_every{1'000};  ///< at most, where somebody connects
  /// Hears each time that changed files were read, or why they could not be: the pair of before
  /// stays then. May be empty. Thread: the server's.
  std::function<void(const Status&)> said{};
};

/// What is known of a certificate.
struct TlsFacts {
  std::int64_t good_until = 0;       ///< seconds since 1970
  std::vector<std::string> names{};  ///< that it is for; at most 16
};

struct HttpOptions {
  HttpAddress address;
  std::optional<TlsFiles> tls{};       ///< none: bytes go as they are
  std::vector<std::string> hosts{};    ///< of the Host header, beside this machine's own names
  std::vector<std::string> origins{};  ///< of the Origin header, as scheme://host[:port]
  HttpLimits limits{};
  Admit admit{};  ///< empty: whoever connects is `anybody`
  Principal anybody{.id = std::string(kAnybodyId), .client = {}, .transport = "http", .scopes = {}};
  /// Returns the value of WWW-Authenticate for whoever was not granted `scopes`; empty: none is
  /// sent. Must not block. Thread: the server's.
  std::function<std::string(const std::vector<std::string>& scopes)> scope_challenge{};
  /// Further documents in JSON that anybody may read, by their path.
  std::map<std::string, std::string, std::less<>> documents{};
  /// Asked at /readyz while the server is not ending; empty: it is ready then. Must not block.
  /// Thread: the server's.
  std::function<Readiness()> ready{};
  /// Lines of /metrics that are not the server's own; may be empty. Must not block.
  std::function<std::string()> metrics{};
};

/// One endpoint /mcp for both eras, and /healthz, /readyz and /metrics. Thread: owner, but Stop.
class HttpServer : public Transport {
 public:
  /// Returns the port that it listens on.
  virtual std::uint16_t port() const = 0;
  /// Begins to end, as SIGTERM does: takes no more requests and lets calls finish. Thread: any.
  virtual void Stop() = 0;
};

}  // namespace schemaward::transport
