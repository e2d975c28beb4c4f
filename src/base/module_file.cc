#include "base/module_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <dlfcn.h>

namespace schemaward {
namespace {

namespace fs = std::filesystem;

Error Unavailable(const ModuleSpec& spec, std::string_view state, std::string_view hint,
                  std::string_view why) {
  return std::move(
      Error(ErrorKind::EngineUnavailable, "the module of " + spec.what + ' ' + std::string(state))
          .Hint(hint)
          .Private(why));
}

std::string LoaderText() {
  const char* text = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
  return text == nullptr ? "" : text;
}

}  // namespace

fs::path FindModule(const std::vector<fs::path>& folders, std::string_view file) {
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / file, ignored)) return folder / file;
  return {};
}

void* Module::Find(const char* name) const { return dlsym(handle_, name); }

bool Module::Fits(const ModuleSpec& spec) const {
  const auto stamp = Symbol<BuildStampFunction>(spec.stamp_symbol);
  return stamp != nullptr && *stamp() == spec.stamp &&
         std::all_of(spec.symbols.begin(), spec.symbols.end(),
                     [&](const char* name) { return Find(name) != nullptr; });
}

Result<Module> Module::Load(const ModuleSpec& spec, const std::vector<fs::path>& folders) {
  const fs::path path = FindModule(folders, spec.file);
  if (path.empty()) return Unavailable(spec, "is not installed", spec.absent_hint, "");
  const Module module(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
  if (module.handle_ == nullptr)
    return Unavailable(spec, "could not be loaded", spec.unloadable_hint, LoaderText());
  if (!module.Fits(spec))
    return Unavailable(spec, "is of another build", spec.other_build_hint, path.string());
  return module;
}

}  // namespace schemaward
