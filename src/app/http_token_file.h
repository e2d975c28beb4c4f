#pragma once

// The tokens file while the server runs: read again when it changes, so that a token can be given
// and taken back without a new start.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/http_tokens.h"
#include "base/clock.h"
#include "base/file_watch.h"
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
  /// Returns whether a token of the file has this principal. Does not look.
  bool HasId(const std::string& id) const EXCLUDES(mutex_);

 private:
  HttpTokenFile(std::string path, FileWatch watch, HttpTokens tokens);
  void Look() REQUIRES(mutex_);

  const std::string path_;
  mutable Mutex mutex_;
  FileWatch watch_ GUARDED_BY(mutex_);
  HttpTokens tokens_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::app
