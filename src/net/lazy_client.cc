#include "net/lazy_client.h"

#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "net/module.h"
#include "net/url.h"

namespace schemaward::net {
namespace {

namespace fs = std::filesystem;

Error Unavailable(std::string_view message, std::string_view why) {
  return std::move(Error(ErrorKind::EngineUnavailable, message)
                       .Hint("ward_http.so belongs into lib/schemaward beside the program's "
                             "folder; it needs the package libcurl4.")
                       .Private(why));
}

template <class Function>
Function* Symbol(void* module, const char* name) {
  return reinterpret_cast<Function*>(dlsym(module, name));
}

Result<std::unique_ptr<HttpClient>> Load(const fs::path& path) {
  // Never closed: clients may outlive any moment at which it could be.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) {
    const char* why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
    return Unavailable("the module of the HTTP client could not be loaded",
                       why == nullptr ? "" : why);
  }
  auto* abi = Symbol<HttpAbiFunction>(module, kHttpAbiSymbol);
  auto* make = Symbol<HttpMakeFunction>(module, kHttpMakeSymbol);
  static constexpr HttpAbi kOurs = ThisHttpAbi();
  if (abi == nullptr || make == nullptr || !(*abi() == kOurs))
    return Unavailable("the module of the HTTP client is of another build", path.string());
  return std::unique_ptr<HttpClient>(make());
}

}  // namespace

Result<HttpClient*> LazyHttpClient::Loaded() {
  // Loading is rare and short; under the lock it happens once.
  MutexLock lock(mutex_);
  if (client_ != nullptr) return client_.get();
  std::error_code ignored;
  for (const fs::path& folder : folders_) {
    if (!fs::is_regular_file(folder / "ward_http.so", ignored)) continue;
    WARD_TRY(client_, Load(folder / "ward_http.so"));
    return client_.get();
  }
  return Unavailable("the module of the HTTP client is not installed", "");
}

Result<HttpResponse> LazyHttpClient::Send(const HttpRequest& request, CallContext& ctx) {
  if (!IsSafeUrl(request.url))
    return Error(ErrorKind::InvalidArgument,
                 "a service must be asked by https, or by http on this machine");
  WARD_TRY(HttpClient * client, Loaded());
  return client->Send(request, ctx);
}

}  // namespace schemaward::net
