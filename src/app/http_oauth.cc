#include "app/http_oauth.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/http_scopes.h"
#include "json/value.h"
#include "net/lazy_client.h"
#include "net/url.h"
#include "token/lazy_signatures.h"

namespace schemaward::app {
namespace {

constexpr std::string_view kMetadataPath = "/.well-known/oauth-protected-resource";
constexpr std::chrono::milliseconds kFetchMax{10'000};
constexpr std::chrono::seconds kComeAgain{5};   // where the keys cannot be had now
constexpr std::string_view kSeparators = ", ";  // tokens write scopes with blanks between them
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kUnavailable = 503;

Error Wrong(std::string_view key, std::string_view what) {
  return Error(ErrorKind::InputUnreadable, fmt::format("setting \"{}\" {}", key, what));
}

bool IsAddress(std::string_view text) { return text.find("://") != std::string_view::npos; }

// Splits scheme://host[:port]/path before the path.
std::pair<std::string, std::string> SplitAddress(const std::string& address) {
  const std::size_t slash = address.find('/', address.find("://") + 3);
  std::string path = slash == std::string::npos ? std::string() : address.substr(slash);
  return {address.substr(0, slash), path == "/" ? std::string() : path};
}

std::string JsonList(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + json::Quote(word);
  return '[' + text + ']';
}

token::FetchKeys FetchFrom(const OAuthSettings& settings, const Clock& clock,
                           const std::vector<std::filesystem::path>& folders) {
  net::HttpRequest request;
  request.url = settings.keys;
  request.authority = settings.ca_file;
  request.time_max = kFetchMax;
  request.bytes_max = token::kKeySetBytesMax;
  // Shared since a function is copied.
  return [client = std::make_shared<net::LazyHttpClient>(folders), request,
          &clock](std::stop_token stop) -> Result<std::string> {
    CallContext ctx(clock);
    ctx.stop = std::move(stop);
    WARD_TRY(net::HttpResponse answer, client->Send(request, ctx));
    constexpr int kOk = 200;
    if (answer.status == kOk) return std::move(answer.body);
    return Error(ErrorKind::SourceUnreachable,
                 fmt::format("the issuer's keys were answered with status {}", answer.status));
  };
}

}  // namespace

Result<OAuthSettings> OAuthSettings::Read(const Config& config) {
  OAuthSettings settings{.rules = {.issuer = config.Get("http.oauth.issuer"), .audiences = {}},
                         .resource = config.Get("http.oauth.resource"),
                         .keys = config.Get("http.oauth.keys"),
                         .ca_file = config.Get("http.oauth.ca_file")};
  settings.rules.audiences = config.GetList("http.oauth.audience", kSeparators);
  if (settings.rules.audiences.empty()) settings.rules.audiences = {settings.resource};
  settings.rules.scopes = config.GetList("http.oauth.scopes", kSeparators);
  settings.rules.skew = std::chrono::seconds(config.GetInt("http.oauth.skew_seconds"));
  for (const std::string_view key : {"http.oauth.issuer", "http.oauth.resource"})
    if (!net::IsSafeUrl(config.Get(key)) || !IsScope(config.Get(key)) ||
        config.Get(key).find('#') != std::string::npos)
      return Wrong(key, "must be an address: https, or http on this machine");
  if (settings.keys.empty()) return Wrong("http.oauth.keys", "is missing");
  if (IsAddress(settings.keys) && !net::IsSafeUrl(settings.keys))
    return Wrong("http.oauth.keys", "must be a file, https, or http on this machine");
  for (const std::string& scope : settings.rules.scopes)
    if (!IsScope(scope)) return Wrong("http.oauth.scopes", "names what cannot be a scope");
  return settings;
}

OAuth::OAuth(OAuthSettings settings, std::shared_ptr<token::Signatures> signatures,
             std::unique_ptr<token::KeySource> keys, const Clock& clock)
    : settings_(std::move(settings)),
      verifier_(settings_.rules, std::move(signatures), clock),
      keys_(std::move(keys)) {}

void OAuth::Admit(std::string_view token, Then then) {
  const token::KeysPtr keys = keys_->Now();
  token::Verdict verdict = verifier_.Check(token, keys == nullptr ? token::Keys() : *keys);
  if (verdict.what != token::Verdict::What::KeyNotKnown)
    return then(AdmissionOf(std::move(verdict)));
  keys_->Renew(
      [this, token = std::string(token), then = std::move(then)] { JudgeAgain(token, then); });
}

void OAuth::JudgeAgain(const std::string& token, const Then& then) {
  const token::KeysPtr keys = keys_->Now();
  if (keys != nullptr) return then(AdmissionOf(verifier_.Check(token, *keys)));
  then({.status = kUnavailable,
        .why = "the keys of the issuer of tokens could not be had",
        .retry_after = kComeAgain});
}

transport::Admission OAuth::AdmissionOf(token::Verdict verdict) const {
  switch (verdict.what) {
    case token::Verdict::What::Accepted:
      return {.principal = std::move(verdict.principal)};
    case token::Verdict::What::ScopeMissing:
      return {.status = kForbidden,
              .why = verdict.why,
              .challenge = Challenge("insufficient_scope", verdict.why)};
    case token::Verdict::What::NotValid:
    case token::Verdict::What::KeyNotKnown:
      break;
  }
  return {.status = kUnauthorized,
          .why = "the token lets nobody in: " + verdict.why,
          .challenge = Challenge("invalid_token", verdict.why)};
}

transport::Admission OAuth::Ask() const {
  return {
      .status = kUnauthorized, .why = "a bearer token is needed", .challenge = Challenge({}, {})};
}

// What each token needs is named too: a client may ask for what the challenge names and no more.
std::string OAuth::ScopeChallenge(const std::vector<std::string>& scopes) const {
  return Challenge("insufficient_scope", "the tool needs a scope that was not granted", scopes);
}

// Source: RFC 6750 section 3, RFC 9728 section 5.1.
std::string OAuth::Challenge(std::string_view error, std::string_view why,
                             const std::vector<std::string>& more) const {
  const auto [origin, path] = SplitAddress(settings_.resource);
  std::string text =
      fmt::format("Bearer resource_metadata=\"{}{}{}\"", origin, kMetadataPath, path);
  std::vector<std::string> scopes = settings_.rules.scopes;
  for (const std::string& scope : more)
    if (std::find(scopes.begin(), scopes.end(), scope) == scopes.end()) scopes.push_back(scope);
  if (!scopes.empty()) text += fmt::format(", scope=\"{}\"", fmt::join(scopes, " "));
  if (!error.empty()) text += fmt::format(", error=\"{}\", error_description=\"{}\"", error, why);
  return text;
}

std::map<std::string, std::string, std::less<>> OAuth::Documents() const {
  std::string text = fmt::format(
      R"({{"resource":{},"authorization_servers":[{}],"bearer_methods_supported":["header"],)"
      R"("resource_name":"Schemaward")",
      json::Quote(settings_.resource), json::Quote(settings_.rules.issuer));
  if (!settings_.rules.scopes.empty())
    text += ",\"scopes_supported\":" + JsonList(settings_.rules.scopes);
  text += "}\n";
  std::map<std::string, std::string, std::less<>> documents;
  // A proxy may take the path before ours away, or not.
  for (const std::string& path :
       {std::string(), std::string("/mcp"), SplitAddress(settings_.resource).second})
    documents[std::string(kMetadataPath) + path] = text;
  return documents;
}

Result<std::unique_ptr<OAuth>> OpenOAuth(const Config& config, const Clock& clock,
                                         const std::vector<std::filesystem::path>& folders) {
  WARD_TRY(OAuthSettings settings, OAuthSettings::Read(config));
  WARD_TRY(std::shared_ptr<token::Signatures> signatures, token::LoadSignatures(folders));
  std::unique_ptr<token::KeySource> keys;
  if (IsAddress(settings.keys)) {
    keys = std::make_unique<token::FetchedKeys>(FetchFrom(settings, clock, folders), clock);
  } else {
    WARD_TRY(keys, token::FileKeys::Open(settings.keys, clock));
  }
  return std::make_unique<OAuth>(std::move(settings), std::move(signatures), std::move(keys),
                                 clock);
}

}  // namespace schemaward::app
