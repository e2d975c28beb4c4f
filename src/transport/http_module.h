#pragma once

// What the module of the HTTP server (lib/schemaward/ward_listen.so) exports; base/module_file.h
// says what a module is. It writes no log.

#include <memory>

#include "base/build_stamp.h"
#include "transport/http_server.h"

namespace schemaward::transport {

constexpr BuildStamp ListenStamp() {
  return MakeBuildStamp(ShapeOf({sizeof(HttpOptions), sizeof(HttpServer), sizeof(Handler),
                                 sizeof(Peer), sizeof(Error), sizeof(TlsFacts)}),
                        WARD_VERSION);
}

inline constexpr char kListenStampSymbol[] = "ward_listen_abi";
inline constexpr char kListenSymbol[] = "ward_listen";
inline constexpr char kTlsFactsSymbol[] = "ward_tls_facts";

/// Listens as `options` say and puts the server, or why there is none, into `made`.
using ListenFunction = void(HttpOptions& options, Result<std::unique_ptr<HttpServer>>& made);
/// Puts what is known of the certificate, or what is wrong with the pair, into `facts`.
using TlsFactsFunction = void(const TlsFiles& files, Result<TlsFacts>& facts);

}  // namespace schemaward::transport
