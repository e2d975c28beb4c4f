#pragma once

// Who may call over HTTP: bearers of the tokens of a file, of tokens of an OAuth issuer, or
// anybody.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/config.h"
#include "app/http_oauth.h"
#include "app/http_rate.h"
#include "app/http_token_file.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace schemaward::app {

/// Thread: any. Lifetime: the clock outlives it.
class HttpAccess {
 public:
  /// folders: where the modules are. Errors: as HttpTokenFile::Open and OpenOAuth.
  static Result<std::unique_ptr<HttpAccess>> Open(
      const Config& config, const Clock& clock, const std::vector<std::filesystem::path>& folders);
  /// Each may be null.
  HttpAccess(std::unique_ptr<HttpTokenFile> tokens, std::unique_ptr<OAuth> oauth,
             std::unique_ptr<HttpRate> rate)
      : tokens_(std::move(tokens)), rate_(std::move(rate)), oauth_(std::move(oauth)) {}

  /// False where nobody is asked who they are.
  bool AsksWho() const { return tokens_ != nullptr || oauth_ != nullptr; }
  /// False where everybody is let in, and as often as they like.
  bool Judges() const { return AsksWho() || rate_ != nullptr; }
  /// As transport::Admit. A caller that sends too much is refused whoever it is.
  void Admit(std::string_view token, std::function<void(transport::Admission)> then);
  /// Returns the lines of /metrics that count who was let in and who was not.
  std::string MetricsText() const EXCLUDES(mutex_);
  /// Returns the challenge for whoever may come in, but was not granted `scopes`.
  std::string ScopeChallenge(const std::vector<std::string>& scopes) const;
  /// The documents that anybody may read.
  std::map<std::string, std::string, std::less<>> Documents() const;

 private:
  using Then = std::function<void(transport::Admission)>;
  void Identify(std::string_view token, Then then);
  transport::Admission Limited(transport::Admission admission) const;
  void Count(const transport::Admission& admission) EXCLUDES(mutex_);

  const std::unique_ptr<HttpTokenFile> tokens_;
  const std::unique_ptr<HttpRate> rate_;
  mutable Mutex mutex_;
  std::map<std::string_view, std::uint64_t> counts_ GUARDED_BY(mutex_);  // by how it came out
  // Last: where it goes, those who wait for it are told nothing any more.
  const std::unique_ptr<OAuth> oauth_;
};

}  // namespace schemaward::app
