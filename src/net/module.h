#pragma once

// What the module of the HTTP client (lib/schemaward/ward_http.so) exports; base/module_file.h says
// what a module is.

#include "base/build_stamp.h"
#include "net/http.h"

namespace schemaward::net {

constexpr BuildStamp HttpStamp() {
  return MakeBuildStamp(
      ShapeOf({sizeof(HttpRequest), sizeof(HttpResponse), sizeof(Error), sizeof(CallContext)}),
      WARD_VERSION);
}

inline constexpr char kHttpStampSymbol[] = "ward_http_abi";
inline constexpr char kHttpMakeSymbol[] = "ward_http_make";

/// Returns a new client that the caller owns.
using HttpMakeFunction = HttpClient*();

}  // namespace schemaward::net
