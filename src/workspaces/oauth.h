#pragma once

// A login at the managed service by a person with a browser: OAuth's code flow with PKCE (S256) and
// a listener on loopback. Source: RFC 7636, RFC 8252, OpenID Connect Discovery 1.0.

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/call_context.h"
#include "base/result.h"
#include "net/http.h"
#include "workspaces/token_file.h"

namespace schemaward::workspaces {

struct LoginSettings {
  std::string issuer;     ///< https://..., where /.well-known/openid-configuration is
  std::string client_id;  ///< of a public client; empty: MissingCredential
  std::string scopes = "openid profile email offline_access";
  std::string authority;  ///< PEM file of certificates to trust; empty: the system's
  std::chrono::milliseconds wait_max{300'000};
};

/// Runs a login to its end: discovery, listener, `show` with the URL that the person opens, the
/// browser's return, exchange. Writes nothing. Errors: MissingCredential without a client id;
/// SourceUnreachable when discovery or the exchange is not as agreed; SourceAuthFailed when the
/// browser comes back with another state or an error; DeadlineExceeded after wait_max; as
/// HttpClient. Thread: any; blocks.
Result<Tokens> LogIn(const LoginSettings& settings, net::HttpClient& client,
                     const std::function<void(const std::string& url)>& show, CallContext& ctx);

/// Returns the S256 challenge of a verifier. Source: RFC 7636 section 4.2.
std::string ChallengeOf(std::string_view verifier);

/// What a browser brought back.
struct Callback {
  std::string code, state, error;
};

/// Reads the first line of an HTTP request: GET /callback?code=...&state=... HTTP/1.1.
Callback ReadCallback(std::string_view request);

}  // namespace schemaward::workspaces
