#pragma once

// Files that people change while the program runs: whether they have, and who else may.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"

namespace schemaward {

/// True where the file is there and its group or others may write it. Thread: any.
bool IsWritableByOthers(const std::string& path);

/// Thread: owner. Lifetime: the clock outlives it.
class FileWatch {
 public:
  /// Looks at the files now: what changes from here on is noticed, so that whoever reads them after
  /// this misses nothing. `every`: how often at most they are looked at later.
  FileWatch(std::vector<std::string> paths, const Clock& clock, std::chrono::milliseconds every);

  /// Returns whether a file has changed, come or gone since the last time that this was said; looks
  /// where that was not done for `every`. May block on the disk.
  bool HasChanged();

 private:
  /// What tells one state of a file from another. The time of change cannot be set back.
  struct Stamp {
    bool is_there = false;
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = 0, modified_ns = 0, changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp StampOf(const std::string& path);
  std::vector<Stamp> Look() const;

  const std::vector<std::string> paths_;
  const Clock& clock_;
  const std::chrono::milliseconds every_;
  std::vector<Stamp> stamps_;
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace schemaward
