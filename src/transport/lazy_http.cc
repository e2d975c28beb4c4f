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
          .Hint("ward_listen.so belongs into lib/schemaward beside the program's folder; it needs "
                "the package libssl3.")
          .Private(why));
}

template <class Function>
Function* Symbol(void* module, const char* name) {
  return reinterpret_cast<Function*>(dlsym(module, name));
}

// What the module shows. Never closed: calls may outlive the server.
struct Module {
  ListenFunction* listen = nullptr;
  TlsFactsFunction* tls_facts = nullptr;
};

Result<Module> Open(const fs::path& path) {
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) {
    const char* why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
    return Unavailable("the module of the HTTP server could not be loaded",
                       why == nullptr ? "" : why);
  }
  auto* abi = Symbol<ListenAbiFunction>(module, kListenAbiSymbol);
  const Module shown{Symbol<ListenFunction>(module, kListenSymbol),
                     Symbol<TlsFactsFunction>(module, kTlsFactsSymbol)};
  static constexpr ListenAbi kOurs = ThisListenAbi();
  if (abi == nullptr || shown.listen == nullptr || shown.tls_facts == nullptr || !(*abi() == kOurs))
    return Unavailable("the module of the HTTP server is of another build", path.string());
  return shown;
}

Result<Module> Find(const std::vector<fs::path>& folders) {
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / "ward_listen.so", ignored))
      return Open(folder / "ward_listen.so");
  return Unavailable("the module of the HTTP server is not installed", "");
}

}  // namespace

Made ListenOnHttp(const std::vector<fs::path>& folders, HttpOptions options) {
  WARD_TRY(const Module module, Find(folders));
  Made made(nullptr);
  module.listen(options, made);
  return made;
}

Result<TlsFacts> TlsFactsOf(const std::vector<fs::path>& folders, const TlsFiles& files) {
  WARD_TRY(const Module module, Find(folders));
  Result<TlsFacts> facts;
  module.tls_facts(files, facts);
  return facts;
}

}  // namespace schemaward::transport
