#include "app/http_access.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace schemaward::app {
namespace {

constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;

// How an admission comes out, as /metrics names it.
constexpr std::array<std::string_view, 5> kOutcomes = {"admitted", "unauthorized", "forbidden",
                                                       "rate_limited", "unavailable"};

std::string_view OutcomeOf(const transport::Admission& admission) {
  if (admission.principal) return kOutcomes[0];
  if (admission.status == kUnauthorized) return kOutcomes[1];
  if (admission.status == kForbidden) return kOutcomes[2];
  return admission.status == transport::kStatusTooMany ? kOutcomes[3] : kOutcomes[4];
}

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
  const auto number = [&](std::string_view key) {
    return static_cast<std::size_t>(config.GetInt(key));
  };
  std::unique_ptr<HttpRate> rate;
  if (number("http.requests_per_second") > 0)
    rate =
        std::make_unique<HttpRate>(number("http.requests_per_second"), number("http.burst"), clock);
  return std::make_unique<HttpAccess>(std::move(tokens), std::move(oauth), std::move(rate));
}

void HttpAccess::Admit(std::string_view token, Then then) {
  Identify(token, [this, then = std::move(then)](transport::Admission admission) {
    admission = Limited(std::move(admission));
    Count(admission);
    then(std::move(admission));
  });
}

void HttpAccess::Identify(std::string_view token, Then then) {
  if (!AsksWho()) return then({.principal = transport::HttpOptions().anybody});
  if (token.empty()) return then(oauth_ == nullptr ? NoToken() : oauth_->Ask());
  if (tokens_ != nullptr)
    if (auto principal = tokens_->Admit(token)) return then({.principal = std::move(principal)});
  if (oauth_ == nullptr) return then(NotKnown());
  // An issuer does not make its subjects those that the file names.
  oauth_->Admit(token, [this, then = std::move(then)](transport::Admission admission) {
    const bool is_anothers =
        admission.principal && tokens_ != nullptr && tokens_->HasId(admission.principal->id);
    then(is_anothers ? NotKnown() : std::move(admission));
  });
}

transport::Admission HttpAccess::Limited(transport::Admission admission) const {
  if (!admission.principal || rate_ == nullptr) return admission;
  const auto wait = rate_->Take(admission.principal->id);
  if (!wait) return admission;
  return {.status = transport::kStatusTooMany,
          .why = "this caller sends more requests than it may",
          .retry_after = *wait};
}

void HttpAccess::Count(const transport::Admission& admission) {
  const MutexLock lock(mutex_);
  ++counts_[OutcomeOf(admission)];
}

std::string HttpAccess::MetricsText() const {
  std::string text =
      "# HELP schemaward_http_admissions_total Requests by whether their sender was let in.\n"
      "# TYPE schemaward_http_admissions_total counter\n";
  const MutexLock lock(mutex_);
  for (const std::string_view outcome : kOutcomes) {
    const auto found = counts_.find(outcome);
    text += fmt::format("schemaward_http_admissions_total{{outcome=\"{}\"}} {}\n", outcome,
                        found == counts_.end() ? 0 : found->second);
  }
  return text;
}

// Source: RFC 6750 section 3.1.
std::string HttpAccess::ScopeChallenge(const std::vector<std::string>& scopes) const {
  if (oauth_ != nullptr) return oauth_->ScopeChallenge(scopes);
  return fmt::format("Bearer error=\"insufficient_scope\", scope=\"{}\"", fmt::join(scopes, " "));
}

std::map<std::string, std::string, std::less<>> HttpAccess::Documents() const {
  return oauth_ == nullptr ? std::map<std::string, std::string, std::less<>>()
                           : oauth_->Documents();
}

}  // namespace schemaward::app
