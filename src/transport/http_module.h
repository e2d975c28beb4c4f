#pragma once

// What the module of the HTTP server (lib/schemaward/ward_listen.so) exports, and how builds that
// do not fit are told apart. As for engines: nothing but three names is shared, and it writes no
// log.

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "transport/http_server.h"

namespace schemaward::transport {

/// Compared before anything else of the module is used.
struct ListenAbi {
  std::array<std::size_t, 6> sizes;
  std::array<char, 64> compiler;
  std::array<char, 32> version;
  bool operator==(const ListenAbi&) const = default;
};

constexpr ListenAbi ThisListenAbi() {
  ListenAbi abi{{sizeof(HttpOptions), sizeof(HttpServer), sizeof(Handler), sizeof(Peer),
                 sizeof(Error), sizeof(TlsFacts)},
                {},
                {}};
  constexpr std::string_view kCompiler = __VERSION__
#ifdef _GLIBCXX_ASSERTIONS
      "+assertions"
#endif
      ;
  constexpr std::string_view kVersion = WARD_VERSION;
  for (std::size_t i = 0; i < kCompiler.size() && i + 1 < abi.compiler.size(); ++i)
    abi.compiler[i] = kCompiler[i];
  for (std::size_t i = 0; i < kVersion.size() && i + 1 < abi.version.size(); ++i)
    abi.version[i] = kVersion[i];
  return abi;
}

inline constexpr char kListenAbiSymbol[] = "ward_listen_abi";
inline constexpr char kListenSymbol[] = "ward_listen";
inline constexpr char kTlsFactsSymbol[] = "ward_tls_facts";

using ListenAbiFunction = const ListenAbi*();
/// Listens as `options` say and puts the server, or why there is none, into `made`.
using ListenFunction = void(HttpOptions& options, Result<std::unique_ptr<HttpServer>>& made);
/// Puts what is known of the certificate, or what is wrong with the pair, into `facts`.
using TlsFactsFunction = void(const TlsFiles& files, Result<TlsFacts>& facts);

}  // namespace schemaward::transport
