#pragma once

// Who we are to the managed service: an API key, a JWT, or a login by OAuth that is renewed. The
// secret is resolved at each use and is never part of an error.

#include <cstdint>
#include <string>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"
#include "connect/secret.h"
#include "net/http.h"
#include "workspaces/token_file.h"

namespace schemaward::workspaces {

enum class AuthKind : std::uint8_t { None, ApiKey, Jwt, OAuth };

/// Where secrets are found. References as connect::ParseSecretRef reads them.
struct CredentialSettings {
  std::string api_key = "env:SCHEMAWARD_WORKSPACES_API_KEY";
  std::string jwt = "env:SCHEMAWARD_WORKSPACES_JWT";
  std::string token_file{};  ///< path of what a login left; it need not be there
  std::string authority{};   ///< PEM file of certificates to trust; empty: the system's
};

/// A secret and what kind it is of.
struct Credential {
  AuthKind kind = AuthKind::None;
  std::string token;
};

/// Thread: any. Lifetime: the client outlives it.
class Credentials {
 public:
  Credentials(CredentialSettings settings, connect::Environment environment,
              net::HttpClient& client);

  /// Returns the first that is there: API key, JWT, the token of a login. A token that ends within
  /// the minute is renewed first. Kind None: there is none. Errors: as ResolveSecret for a
  /// reference that is set and cannot be followed (a variable that is not set counts as absent),
  /// as Renew.
  Result<Credential> Get(CallContext& ctx);

  /// Renews the token of a login after the service refused `refused`; another call may have done so
  /// meanwhile. Errors: SourceAuthFailed when there is nothing to renew or the service will not; as
  /// HttpClient.
  Result<Credential> Renew(const Credential& refused, CallContext& ctx);

 private:
  Result<std::string> Resolve(const std::string& reference, CallContext& ctx) const;
  Result<Tokens> Refreshed(const Tokens& old, CallContext& ctx);

  const CredentialSettings settings_;
  const connect::Environment environment_;
  net::HttpClient& client_;
  // Held over a renewal, on purpose: two renewals with one refresh token would cost the login.
  Mutex renewing_;
};

/// Returns the error of a call that has no credential; `what` is what it needs one for.
Error NoCredential(std::string_view what);

}  // namespace schemaward::workspaces
