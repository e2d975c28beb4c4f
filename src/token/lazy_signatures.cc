#include "token/lazy_signatures.h"

#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "token/module.h"

namespace schemaward::token {
namespace {

namespace fs = std::filesystem;

Error Unavailable(std::string_view message, std::string_view why) {
  return std::move(Error(ErrorKind::EngineUnavailable, message)
                       .Hint("ward_token.so belongs into lib/schemaward beside the program's "
                             "folder; it needs the package libssl3.")
                       .Private(why));
}

template <class Function>
Function* Symbol(void* module, const char* name) {
  return reinterpret_cast<Function*>(dlsym(module, name));
}

Result<std::unique_ptr<Signatures>> Load(const fs::path& path) {
  // Never closed: checkers may outlive any moment at which it could be.
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) {
    const char* why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
    return Unavailable("the module of signatures could not be loaded", why == nullptr ? "" : why);
  }
  auto* abi = Symbol<TokenAbiFunction>(module, kTokenAbiSymbol);
  auto* make = Symbol<TokenMakeFunction>(module, kTokenMakeSymbol);
  static constexpr TokenAbi kOurs = ThisTokenAbi();
  if (abi == nullptr || make == nullptr || !(*abi() == kOurs))
    return Unavailable("the module of signatures is of another build", path.string());
  return std::unique_ptr<Signatures>(make());
}

}  // namespace

Result<std::unique_ptr<Signatures>> LoadSignatures(const std::vector<fs::path>& folders) {
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / "ward_token.so", ignored))
      return Load(folder / "ward_token.so");
  return Unavailable("the module of signatures is not installed", "");
}

}  // namespace schemaward::token
