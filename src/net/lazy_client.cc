#include "net/lazy_client.h"

#include <memory>
#include <string_view>

#include "base/module_file.h"
#include "net/module.h"
#include "net/url.h"

namespace schemaward::net {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHint =
    "ward_http.so belongs into lib/schemaward beside the program's folder; it needs the package "
    "libcurl4.";

Result<std::unique_ptr<HttpClient>> Load(const std::vector<fs::path>& folders) {
  static constexpr BuildStamp kStamp = HttpStamp();
  const ModuleSpec spec{"the HTTP client",
                        "ward_http.so",
                        kHttpStampSymbol,
                        kStamp,
                        {kHttpMakeSymbol},
                        kHint,
                        kHint,
                        kHint};
  WARD_TRY(const Module module, Module::Load(spec, folders));
  return std::unique_ptr<HttpClient>(module.Symbol<HttpMakeFunction>(kHttpMakeSymbol)());
}

}  // namespace

Result<HttpClient*> LazyHttpClient::Loaded() {
  // Loading is rare and short; under the lock it happens once.
  MutexLock lock(mutex_);
  if (client_ != nullptr) return client_.get();
  WARD_TRY(client_, Load(folders_));
  return client_.get();
}

Result<HttpResponse> LazyHttpClient::Send(const HttpRequest& request, CallContext& ctx) {
  if (!IsSafeUrl(request.url))
    return Error(ErrorKind::InvalidArgument,
                 "a service must be asked by https, or by http on this machine");
  WARD_TRY(HttpClient * client, Loaded());
  return client->Send(request, ctx);
}

}  // namespace schemaward::net
