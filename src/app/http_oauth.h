#pragma once

// OAuth over HTTP: this server as a resource whose access tokens another server issues.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "base/clock.h"
#include "base/result.h"
#include "token/key_source.h"
#include "token/verifier.h"
#include "transport/http_server.h"

namespace schemaward::app {

/// The settings http.oauth.*, read and checked.
struct OAuthSettings {
  token::Rules rules;
  std::string resource;  ///< the address that clients know this server by
  std::string keys;      ///< path of the issuer's key set, or its address
  std::string ca_file;   ///< to trust where the keys are fetched; empty: the system's

  /// Errors: InputUnreadable naming the setting that is missing or cannot be.
  static Result<OAuthSettings> Read(const Config& config);
};

/// Thread: any. Lifetime: the clock outlives it.
class OAuth {
 public:
  OAuth(OAuthSettings settings, std::shared_ptr<token::Signatures> signatures,
        std::unique_ptr<token::KeySource> keys, const Clock& clock);

  /// Judges an access token and calls `then`: at once, or when keys were fetched that may be its.
  void Admit(std::string_view token, std::function<void(transport::Admission)> then);
  /// Returns the refusal of a request that brings no token.
  transport::Admission Ask() const;
  /// Returns the challenge for a token that is good, but was not granted `scopes`.
  std::string ScopeChallenge(const std::vector<std::string>& scopes) const;
  /// The documents that tell clients where to get a token, by path.
  /// Source: RFC 9728 sections 2 and 3.
  std::map<std::string, std::string, std::less<>> Documents() const;

 private:
  using Then = std::function<void(transport::Admission)>;
  transport::Admission AdmissionOf(token::Verdict verdict) const;
  std::string Challenge(std::string_view error, std::string_view why,
                        const std::vector<std::string>& more = {}) const;
  void JudgeAgain(const std::string& token, const Then& then);

  const OAuthSettings settings_;
  const token::Verifier verifier_;
  // Last: where it goes, those who wait for it are told nothing any more.
  const std::unique_ptr<token::KeySource> keys_;
};

/// Opens what the settings name. folders: where the modules are. Errors: as FileKeys::Open and
/// LoadSignatures; an address that does not answer is no error, since it may later.
Result<std::unique_ptr<OAuth>> OpenOAuth(const Config& config, const Clock& clock,
                                         const std::vector<std::filesystem::path>& folders);

}  // namespace schemaward::app
