#include "workspaces/oauth.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/sha256.h"
#include "json/value.h"
#include "net/url.h"
#include "workspaces/loopback.h"
#include "workspaces/read.h"

namespace schemaward::workspaces {
namespace {

constexpr int kOk = 200;
constexpr std::int64_t kMicros = 1'000'000;

// Base64 for URLs, without padding. Source: RFC 4648 section 5.
std::string Base64Url(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string out(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  out.pop_back();  // the library ends it with a zero
  return out;
}

Result<std::string> RandomWord() {
  constexpr std::size_t kBytes = 32;
  if (sodium_init() < 0) return Error(ErrorKind::Internal, "the machine gives no random bytes");
  std::string bytes(kBytes, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return Base64Url(bytes);
}

struct Endpoints {
  std::string authorization, token;
};

Result<Endpoints> Discover(const LoginSettings& settings, net::HttpClient& client,
                           CallContext& ctx) {
  std::string base = settings.issuer;
  while (base.ends_with('/')) base.pop_back();
  net::HttpRequest request;
  request.url = base + "/.well-known/openid-configuration";
  request.authority = settings.authority;
  WARD_TRY(const net::HttpResponse answer, client.Send(request, ctx));
  const auto read = json::Parse(answer.body);
  Endpoints endpoints;
  if (answer.status == kOk && read)
    endpoints = {TextIn(read->value(), "authorization_endpoint"),
                 TextIn(read->value(), "token_endpoint")};
  if (!net::IsSafeUrl(endpoints.authorization) || !net::IsSafeUrl(endpoints.token))
    return Error(ErrorKind::SourceUnreachable,
                 "the login service does not say where logins and tokens are");
  return endpoints;
}

std::string LoginUrl(const Endpoints& endpoints, const LoginSettings& settings,
                     const std::string& redirect, const std::string& state,
                     const std::string& verifier) {
  const bool has_query = endpoints.authorization.find('?') != std::string::npos;
  return fmt::format(
      "{}{}response_type=code&client_id={}&redirect_uri={}&scope={}&state={}&code_challenge={}"
      "&code_challenge_method=S256",
      endpoints.authorization, has_query ? '&' : '?', net::UrlEncode(settings.client_id),
      net::UrlEncode(redirect), net::UrlEncode(settings.scopes), state, ChallengeOf(verifier));
}

Result<Tokens> Exchange(const Endpoints& endpoints, const LoginSettings& settings,
                        const std::string& redirect, const std::string& code,
                        const std::string& verifier, net::HttpClient& client, CallContext& ctx) {
  net::HttpRequest request;
  request.method = "POST";
  request.url = endpoints.token;
  request.authority = settings.authority;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                     {"Accept", "application/json"}};
  request.body = fmt::format(
      "grant_type=authorization_code&code={}&redirect_uri={}&client_id={}&code_verifier={}",
      net::UrlEncode(code), net::UrlEncode(redirect), net::UrlEncode(settings.client_id), verifier);
  WARD_TRY(const net::HttpResponse answer, client.Send(request, ctx));
  if (answer.status != kOk)
    return Error(
        ErrorKind::SourceUnreachable,
        fmt::format("the login service answered the exchange with HTTP {}", answer.status));
  Tokens tokens;
  tokens.token_endpoint = endpoints.token;
  tokens.client_id = settings.client_id;
  return TokensOf(answer.body, std::move(tokens), ctx.clock.UnixMicros() / kMicros);
}

// The browser's return. Anything else that knocks (an icon, another state) is answered and let be;
// another state alone never ends the wait, since any page could send one.
Result<std::string> AwaitCode(Loopback& listener, const std::string& state, Deadline until,
                              CallContext& ctx) {
  constexpr int kKnocksMax = 100;
  for (int i = 0; i < kKnocksMax; ++i) {
    WARD_TRY(const std::string request, listener.Next(until, ctx));
    const Callback back = ReadCallback(request);
    if (back.state != state) {
      listener.Answer("400 Bad Request", "This is not the login that was begun.");
      continue;
    }
    if (!back.error.empty() || back.code.empty()) {
      listener.Answer("400 Bad Request", "The login was refused. You may close this window.");
      return Error(ErrorKind::SourceAuthFailed, "the login was refused");
    }
    listener.Answer("200 OK", "You are logged in. You may close this window.");
    return back.code;
  }
  return Error(ErrorKind::SourceAuthFailed, "no answer to the login came that belongs to it");
}

}  // namespace

std::string ChallengeOf(std::string_view verifier) {
  const Digest digest = Sha256().Update(verifier).Finish();
  return Base64Url(BytesOf(digest));
}

Callback ReadCallback(std::string_view request) {
  constexpr std::string_view kGet = "GET /callback?";
  Callback back;
  if (!request.starts_with(kGet)) return back;
  request.remove_prefix(kGet.size());
  std::string_view query = request.substr(0, request.find_first_of(" \r\n"));
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view name = pair.substr(0, equals);
    const std::string value = net::UrlDecode(pair.substr(std::min(equals + 1, pair.size())));
    if (name == "code") back.code = value;
    if (name == "state") back.state = value;
    if (name == "error") back.error = value;
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return back;
}

Result<Tokens> LogIn(const LoginSettings& settings, net::HttpClient& client,
                     const std::function<void(const std::string& url)>& show, CallContext& ctx) {
  if (settings.client_id.empty())
    return std::move(Error(ErrorKind::MissingCredential,
                           "a login needs the id of an OAuth client, and none is configured")
                         .Hint("Set workspaces.oauth_client_id to a public client's id."));
  WARD_TRY(const Endpoints endpoints, Discover(settings, client, ctx));
  WARD_TRY(const std::string verifier, RandomWord());
  WARD_TRY(const std::string state, RandomWord());
  WARD_TRY(const std::unique_ptr<Loopback> listener, Loopback::Open());
  const std::string redirect = fmt::format("http://127.0.0.1:{}/callback", listener->port());
  show(LoginUrl(endpoints, settings, redirect, state, verifier));
  const Deadline until = Deadline::After(ctx.clock, settings.wait_max);
  WARD_TRY(const std::string code, AwaitCode(*listener, state, until, ctx));
  return Exchange(endpoints, settings, redirect, code, verifier, client, ctx);
}

}  // namespace schemaward::workspaces
