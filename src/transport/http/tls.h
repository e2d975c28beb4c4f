#pragma once

// The certificate that the server shows, and its key: read from two files, and again when they
// change. Included by the server alone, since it needs Boost and OpenSSL.

#include <chrono>
#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "base/clock.h"
#include "base/file_watch.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace schemaward::transport::http {

/// Shared: a connection keeps the pair that it began with.
using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

/// Reads a pair. Errors: InputUnreadable where a file cannot be read or is not what it should be,
/// the key is another certificate's or may be read by others. Thread: any.
Result<TlsContext> ReadTls(const TlsFiles& files);

/// Says what is known of the certificate of a pair: until when it is good and for which names.
/// Errors: as ReadTls; InputUnreadable where it has expired or is not good yet. Thread: any.
Result<TlsFacts> FactsOf(const TlsFiles& files);

/// Thread: the server's.
class Tls {
 public:
  /// Errors: as ReadTls.
  static Result<std::unique_ptr<Tls>> Open(TlsFiles files);

  /// Returns the pair for a new connection; looks at the files where that was not done for
  /// `look_every`. A pair that cannot be read leaves the one of before, and `said` hears why.
  TlsContext Now();

 private:
  Tls(TlsFiles files, std::unique_ptr<Clock> clock);

  const TlsFiles files_;
  const std::unique_ptr<Clock> clock_;
  FileWatch watch_;
  TlsContext context_;
};

}  // namespace schemaward::transport::http
