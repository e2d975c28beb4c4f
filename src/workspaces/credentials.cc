#include "workspaces/credentials.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "net/url.h"

namespace schemaward::workspaces {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kSkewSeconds = 60;  // a token that ends within it is renewed first

std::int64_t NowSeconds(const CallContext& ctx) { return ctx.clock.UnixMicros() / kMicros; }

Error LoginEnded() {
  return std::move(Error(ErrorKind::SourceAuthFailed,
                         "the login at the managed service has ended and cannot be renewed")
                       .Hint("Run `schemaward login` again."));
}

}  // namespace

Error NoCredential(std::string_view what) {
  return std::move(
      Error(ErrorKind::MissingCredential,
            fmt::format("there is no credential for the managed service, which {} needs", what))
          .Hint("Set SCHEMAWARD_WORKSPACES_API_KEY or SCHEMAWARD_WORKSPACES_JWT in the server's "
                "environment, or run `schemaward login`."));
}

Credentials::Credentials(CredentialSettings settings, connect::Environment environment,
                         net::HttpClient& client)
    : settings_(std::move(settings)), environment_(std::move(environment)), client_(client) {}

Result<std::string> Credentials::Resolve(const std::string& reference, CallContext& ctx) const {
  if (reference.empty()) return std::string();
  WARD_TRY(const connect::SecretRef ref, connect::ParseSecretRef(reference));
  // A variable that is not set is the usual way to say that there is none.
  if (ref.kind == connect::SecretKind::Env && !environment_(ref.text)) return std::string();
  return connect::ResolveSecret(ref, environment_, ctx);
}

Result<Credential> Credentials::Get(CallContext& ctx) {
  WARD_TRY(std::string key, Resolve(settings_.api_key, ctx));
  if (!key.empty()) return Credential{AuthKind::ApiKey, std::move(key)};
  WARD_TRY(std::string jwt, Resolve(settings_.jwt, ctx));
  if (!jwt.empty()) return Credential{AuthKind::Jwt, std::move(jwt)};
  WARD_TRY(const std::optional<Tokens> tokens, ReadTokens(settings_.token_file));
  if (!tokens || tokens->access_token.empty()) return Credential{};
  Credential login{AuthKind::OAuth, tokens->access_token};
  const bool has_ended =
      tokens->expires_at_s != 0 && tokens->expires_at_s - kSkewSeconds <= NowSeconds(ctx);
  if (has_ended) return Renew(login, ctx);
  return login;
}

Result<Credential> Credentials::Renew(const Credential& refused, CallContext& ctx) {
  if (refused.kind != AuthKind::OAuth)
    return std::move(
        Error(ErrorKind::SourceAuthFailed, "the managed service refused the credential")
            .Hint("Check the API key or the JWT in the server's environment."));
  MutexLock lock(renewing_);
  WARD_TRY(const std::optional<Tokens> tokens, ReadTokens(settings_.token_file));
  if (!tokens) return LoginEnded();
  if (tokens->access_token != refused.token)
    return Credential{AuthKind::OAuth, tokens->access_token};
  WARD_TRY(const Tokens fresh, Refreshed(*tokens, ctx));
  WARD_CHECK(WriteTokens(settings_.token_file, fresh));
  return Credential{AuthKind::OAuth, fresh.access_token};
}

Result<Tokens> Credentials::Refreshed(const Tokens& old, CallContext& ctx) {
  constexpr int kOk = 200, kClientFault = 400, kServerFault = 500;
  if (old.refresh_token.empty() || old.token_endpoint.empty()) return LoginEnded();
  net::HttpRequest request;
  request.method = "POST";
  request.url = old.token_endpoint;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                     {"Accept", "application/json"}};
  request.body = "grant_type=refresh_token&refresh_token=" + net::UrlEncode(old.refresh_token) +
                 "&client_id=" + net::UrlEncode(old.client_id);
  request.authority = settings_.authority;
  WARD_TRY(const net::HttpResponse answer, client_.Send(request, ctx));
  if (answer.status >= kClientFault && answer.status < kServerFault) return LoginEnded();
  if (answer.status != kOk)
    return Error(ErrorKind::SourceUnreachable,
                 fmt::format("the login service answered with HTTP {}", answer.status));
  return TokensOf(answer.body, old, NowSeconds(ctx));
}

}  // namespace schemaward::workspaces
