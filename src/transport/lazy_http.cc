#include "transport/lazy_http.h"

#include <string_view>

#include "base/module_file.h"
#include "transport/http_module.h"

namespace schemaward::transport {
namespace {

namespace fs = std::filesystem;
using Made = Result<std::unique_ptr<HttpServer>>;

constexpr std::string_view kHint =
    "ward_listen.so belongs into lib/schemaward beside the program's folder; it needs the package "
    "libssl3.";

Result<Module> Load(const std::vector<fs::path>& folders) {
  static constexpr BuildStamp kStamp = ListenStamp();
  return Module::Load({"the HTTP server",
                       "ward_listen.so",
                       kListenStampSymbol,
                       kStamp,
                       {kListenSymbol, kTlsFactsSymbol},
                       kHint,
                       kHint,
                       kHint},
                      folders);
}

}  // namespace

Made ListenOnHttp(const std::vector<fs::path>& folders, HttpOptions options) {
  WARD_TRY(const Module module, Load(folders));
  Made made(nullptr);
  auto* const listen = module.Symbol<ListenFunction>(kListenSymbol);
  listen(options, made);
  return made;
}

Result<TlsFacts> TlsFactsOf(const std::vector<fs::path>& folders, const TlsFiles& files) {
  WARD_TRY(const Module module, Load(folders));
  Result<TlsFacts> facts;
  module.Symbol<TlsFactsFunction>(kTlsFactsSymbol)(files, facts);
  return facts;
}

}  // namespace schemaward::transport
