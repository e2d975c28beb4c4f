#pragma once

// The tokens file while the server runs: read again when it changes, so that a token can be given
// and taken back without a new start.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/http_tokens.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace schemaward::app {

/// How often at most the file is looked at, when somebody calls.
inline constexpr std::chrono::milliseconds kTokensLookEvery{1'000};

/// Where the file has changed and cannot be read, the list of before stays and the log says so,
/// once for each change. Thread: any. Lifetime: the clock outlives it.
class HttpTokenFile {
 public:
  /// Errors: as HttpTokens::Read.
  static Result<std::unique_ptr<HttpTokenFile>> Open(std::string path, const Clock& clock);

  /// Returns whose token it is, or nothing, as the file says; it is looked at where that was not
  /// done for kTokensLookEvery. May block on the disk where the file has changed.
  std::optional<Principal> Admit(std::string_view token) EXCLUDES(mutex_);

 private:
  /// What tells one state of a file from another. The time of change cannot be set back.
  struct Stamp {
    bool is_there = false;
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = 0, modified_ns = 0, changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp StampOf(const std::string& path);

  HttpTokenFile(std::string path, const Clock& clock, Stamp stamp, HttpTokens tokens);
  void Look() REQUIRES(mutex_);

  const std::string path_;
  const Clock& clock_;
  Mutex mutex_;
  Stamp stamp_ GUARDED_BY(mutex_);
  HttpTokens tokens_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point looked_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::app
