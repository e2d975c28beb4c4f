#pragma once

// What the module of the HTTP client (lib/schemaward/ward_http.so) exports, and how builds that do
// not fit are told apart. As for engines: nothing but two names is shared.

#include <array>
#include <cstddef>
#include <string_view>

#include "net/http.h"

namespace schemaward::net {

/// Compared before anything else of the module is used.
struct HttpAbi {
  std::array<std::size_t, 4> sizes;
  std::array<char, 64> compiler;
  std::array<char, 32> version;
  bool operator==(const HttpAbi&) const = default;
};

constexpr HttpAbi ThisHttpAbi() {
  HttpAbi abi{
      {sizeof(HttpRequest), sizeof(HttpResponse), sizeof(Error), sizeof(CallContext)}, {}, {}};
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

inline constexpr char kHttpAbiSymbol[] = "ward_http_abi";
inline constexpr char kHttpMakeSymbol[] = "ward_http_make";

using HttpAbiFunction = const HttpAbi*();
/// Returns a new client that the caller owns.
using HttpMakeFunction = HttpClient*();

}  // namespace schemaward::net
