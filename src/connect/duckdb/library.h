#pragma once

// DuckDB's library, found and loaded at the first use of the engine.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "connect/duckdb/c_api.h"

namespace schemaward::connect::duckdb {

/// Returns where the library is looked for, in order: `configured` (an absolute path) and nothing
/// else where it is given; else lib/schemaward/ beside the program's folder, then by its name,
/// which leaves it to the system's loader. Never the current folder.
std::vector<std::filesystem::path> LibraryCandidates(const std::filesystem::path& configured,
                                                     const std::filesystem::path& binary_folder);

/// True where `version` ("v1.5.6") is one whose functions this engine uses.
bool IsSupported(std::string_view version);

/// Thread: any. Lifetime: the library stays in the process once it is loaded.
class Library {
 public:
  /// Loads the first candidate that is there. Errors: EngineUnavailable when none is there or can
  /// be loaded, or the one found is too old.
  static Result<std::shared_ptr<const Library>> Load(
      const std::vector<std::filesystem::path>& candidates);

  const Api& api() const { return api_; }
  const std::string& version() const { return version_; }

 private:
  Library() = default;
  Status Resolve(void* handle);
  Api api_;
  std::string version_;
};

}  // namespace schemaward::connect::duckdb
