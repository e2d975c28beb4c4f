#pragma once

// A folder for what a verb needs while it runs.

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace schemaward::cli {

/// An empty folder that no other user may enter; removed, with all that is in it, with its owner.
class ScratchFolder {
 public:
  /// Errors: DiskFull where the system's folder of temporary files takes none.
  static Result<ScratchFolder> Make();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace schemaward::cli
