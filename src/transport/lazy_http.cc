#include "transport/lazy_http.h"

#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "transport/http_module.h"

namespace schemaward::transport {
namespace {

namespace fs = std::filesystem;
using Made = Result<std::unique_ptr<HttpServer>>;

Error Unavailable(std::string_view message, std::string_view why) {
  return std::move(
      Error(ErrorKind::EngineUnavailable, message)
          .Hint("ward_listen.so belongs into lib/schemaward beside the program's folder.")
          .Private(why));
}

template <class Function>
Function* Symbol(void* module, const char* name) {
  return reinterpret_cast<Function*>(dlsym(module, name));
}

Made Load(const fs::path& path, HttpOptions& options) {
  // Never closed: calls may outlive the server.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) {
    const char* why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
    return Unavailable("the module of the HTTP server could not be loaded",
                       why == nullptr ? "" : why);
  }
  auto* abi = Symbol<ListenAbiFunction>(module, kListenAbiSymbol);
  auto* listen = Symbol<ListenFunction>(module, kListenSymbol);
  static constexpr ListenAbi kOurs = ThisListenAbi();
  if (abi == nullptr || listen == nullptr || !(*abi() == kOurs))
    return Unavailable("the module of the HTTP server is of another build", path.string());
  Made made(nullptr);
  listen(options, made);
  return made;
}

}  // namespace

Made ListenOnHttp(const std::vector<fs::path>& folders, HttpOptions options) {
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / "ward_listen.so", ignored))
      return Load(folder / "ward_listen.so", options);
  return Unavailable("the module of the HTTP server is not installed", "");
}

}  // namespace schemaward::transport
