#include "connect/duckdb/library.h"

#include <charconv>

#include <dlfcn.h>

namespace schemaward::connect::duckdb {
namespace {

namespace fs = std::filesystem;

constexpr char kFileName[] = "libduckdb.so";
constexpr int kMajorMin = 1, kMinorMin = 4;

Error Unavailable(std::string_view message, std::string_view private_text) {
  return std::move(
      Error(ErrorKind::EngineUnavailable, message)
          .Hint("Take libduckdb.so, version 1.4 or later, out of the npm package "
                "@duckdb/node-bindings-linux-x64 or DuckDB's own release, and set "
                "SCHEMAWARD_DUCKDB (or engines.duckdb.library) to its path, or put it into "
                "lib/schemaward beside the program's folder.")
          .Private(private_text));
}

std::string LoaderText() {
  const char* text = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
  return text == nullptr ? "" : text;
}

template <class Function>
void Find(void* handle, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(dlsym(handle, name));
}

int NumberAt(std::string_view& text) {
  int number = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return failed == std::errc() ? number : -1;
}

}  // namespace

std::vector<fs::path> LibraryCandidates(const fs::path& configured, const fs::path& binary_folder) {
  if (!configured.empty()) return {configured};
  std::vector<fs::path> candidates;
  if (binary_folder.is_absolute())
    candidates.push_back(
        (binary_folder / ".." / "lib" / "schemaward" / kFileName).lexically_normal());
  candidates.emplace_back(kFileName);
  return candidates;
}

bool IsSupported(std::string_view version) {
  if (!version.starts_with('v')) return false;
  version.remove_prefix(1);
  const int major = NumberAt(version);
  if (!version.starts_with('.')) return false;
  version.remove_prefix(1);
  const int minor = NumberAt(version);
  return major > kMajorMin || (major == kMajorMin && minor >= kMinorMin);
}

Status Library::Resolve(void* handle) {
  const char* missing = nullptr;
#define WARD_DUCKDB_FIND(result, name, arguments) \
  Find(handle, "duckdb_" #name, api_.name);       \
  if (api_.name == nullptr && missing == nullptr) missing = "duckdb_" #name;
  WARD_DUCKDB_API(WARD_DUCKDB_FIND)
#undef WARD_DUCKDB_FIND
  Find(handle, "duckdb_pending_prepared_streaming", api_.pending_prepared_streaming);
  if (api_.library_version == nullptr)
    return Unavailable("what is configured as DuckDB's library is another one", "");
  version_ = api_.library_version();
  if (!IsSupported(version_) || missing != nullptr)
    return Unavailable("the DuckDB library is not of a version that can be used",
                       version_ + (missing == nullptr ? "" : std::string(" lacks ") + missing));
  return Ok();
}

Result<std::shared_ptr<const Library>> Library::Load(const std::vector<fs::path>& candidates) {
  std::string tried;
  for (const fs::path& path : candidates) {
    // A bare name is the system's to find; any other must say where it is.
    if (path.has_parent_path() && !path.is_absolute()) continue;
    // Never closed: DuckDB keeps threads and static objects.
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) {
      tried += LoaderText() + "; ";
      continue;
    }
    std::shared_ptr<Library> library(new Library());  // its constructor is private
    WARD_CHECK(library->Resolve(handle));
    return std::shared_ptr<const Library>(std::move(library));
  }
  return Unavailable("DuckDB's library could not be loaded", tried);
}

}  // namespace schemaward::connect::duckdb
