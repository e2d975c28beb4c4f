#include "app/http_access.h"

#include <utility>

namespace schemaward::app {
namespace {

constexpr int kUnauthorized = 401;

transport::Admission NoToken() {
  return {.status = kUnauthorized, .why = "a bearer token is needed", .challenge = "Bearer"};
}

transport::Admission NotKnown() {
  return {.status = kUnauthorized,
          .why = "the token is not known",
          .challenge = "Bearer error=\"invalid_token\""};
}

}  // namespace

Result<std::unique_ptr<HttpAccess>> HttpAccess::Open(
    const Config& config, const Clock& clock, const std::vector<std::filesystem::path>& folders) {
  std::unique_ptr<HttpTokenFile> tokens;
  std::unique_ptr<OAuth> oauth;
  if (const std::string& path = config.Get("http.tokens"); !path.empty()) {
    WARD_TRY(tokens, HttpTokenFile::Open(path, clock));
  }
  if (!config.Get("http.oauth.issuer").empty()) {
    WARD_TRY(oauth, OpenOAuth(config, clock, folders));
  }
  return std::make_unique<HttpAccess>(std::move(tokens), std::move(oauth));
}

void HttpAccess::Admit(std::string_view token, std::function<void(transport::Admission)> then) {
  if (token.empty()) return then(oauth_ == nullptr ? NoToken() : oauth_->Ask());
  if (tokens_ != nullptr)
    if (auto principal = tokens_->Admit(token)) return then({.principal = *std::move(principal)});
  if (oauth_ == nullptr) return then(NotKnown());
  // An issuer does not make its subjects those that the file names.
  oauth_->Admit(token, [this, then = std::move(then)](transport::Admission admission) {
    const bool is_anothers =
        admission.principal && tokens_ != nullptr && tokens_->HasId(admission.principal->id);
    then(is_anothers ? NotKnown() : std::move(admission));
  });
}

std::map<std::string, std::string, std::less<>> HttpAccess::Documents() const {
  return oauth_ == nullptr ? std::map<std::string, std::string, std::less<>>()
                           : oauth_->Documents();
}

}  // namespace schemaward::app
