#include "base/error.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"

namespace schemaward {
namespace {

constexpr std::size_t kFuzzyMax = 3;

constexpr std::array kRows = {
#define WARD_ERROR(Id, kind, reason, fixer, status, retry, pattern, says, workspace, rpc, http, \
                   exit, meaning)                                                               \
  ErrorRow{ErrorKind::Id, kind,    reason, Fixer::fixer, FailStatus::status,                    \
           retry,         pattern, says,   workspace,    rpc,                                   \
           http,          exit,    meaning},
#include "base/error_kinds.def"
#undef WARD_ERROR
};

constexpr bool PairsDiffer() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    for (std::size_t j = i + 1; j < kRows.size(); ++j)
      if (kRows[i].kind == kRows[j].kind && kRows[i].reason == kRows[j].reason) return false;
  return true;
}
static_assert(PairsDiffer(), "two rows of error_kinds.def share kind and reason");

// The status that may stand with a code of the pattern family, so that the two never say different
// things.
constexpr bool StatusFits(const ErrorRow& row) {
  constexpr int kBadRequest = 400, kUnauthorized = 401, kForbidden = 403, kNotFound = 404;
  constexpr int kServerError = 500, kStatusEnd = 600;
  const std::string_view code = row.pattern_code;
  const int status = row.pattern_status;
  if (code == "NETWORK_ERROR" || code == "UNKNOWN_ERROR") return status == 0;
  if (code == "NOT_FOUND") return status == kNotFound;
  if (code == "AUTHENTICATION_ERROR") return status == kUnauthorized || status == kForbidden;
  if (code == "SERVER_ERROR") return status >= kServerError && status < kStatusEnd;
  const bool is_other_codes =
      status == kUnauthorized || status == kForbidden || status == kNotFound;
  return code == "CLIENT_ERROR" && status >= kBadRequest && status < kServerError &&
         !is_other_codes;
}
static_assert(std::all_of(kRows.begin(), kRows.end(), StatusFits),
              "a row of error_kinds.def has a pattern code and a status that do not fit");

// Replaces the password of each scheme://user:password@host. The authority ends at the first '/',
// '?', '#', blank or quote, and the password at its last '@', so that a password may hold '@'.
void MaskUrls(std::string& text) {
  for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const std::size_t begin = at + 3;
    const std::size_t end = std::min(text.find_first_of("/?# \t\n\"'", begin), text.size());
    const std::size_t host = text.rfind('@', end == 0 ? 0 : end - 1);
    if (host == std::string::npos || host < begin) continue;
    const std::size_t colon = text.find(':', begin);
    if (colon == std::string::npos || colon > host) continue;
    text.replace(colon + 1, host - colon - 1, "***");
  }
}

// Replaces the value of each key=value or key: value whose key names a secret.
void MaskPairs(std::string& text) {
  static constexpr std::array<std::string_view, 6> kKeys = {"password", "passwd", "pwd",
                                                            "secret",   "token",  "api_key"};
  std::string lower = LowerAscii(text);
  for (std::string_view key : kKeys) {
    std::size_t at = 0;
    while ((at = lower.find(key, at)) != std::string::npos) {
      std::size_t p = at + key.size();
      at = p;
      while (p < lower.size() && lower[p] == ' ') ++p;
      if (p >= lower.size() || lower[p] != '=') continue;
      ++p;
      while (p < lower.size() && lower[p] == ' ') ++p;
      const bool quoted = p < lower.size() && (lower[p] == '\'' || lower[p] == '"');
      const std::size_t end =
          quoted ? lower.find(lower[p], p + 1) : lower.find_first_of(" &\t\n", p);
      const std::size_t stop = std::min(end, lower.size());
      const std::size_t from = quoted ? p + 1 : p;
      if (from >= stop) continue;
      text.replace(from, stop - from, "***");
      lower.replace(from, stop - from, "***");
    }
  }
}

}  // namespace

const ErrorRow& RowOf(ErrorKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

const std::vector<ErrorRow>& AllErrorRows() {
  static const std::vector<ErrorRow> rows(kRows.begin(), kRows.end());
  return rows;
}

std::string MaskSecrets(std::string_view text) {
  std::string masked(text);
  MaskUrls(masked);
  MaskPairs(masked);
  return masked;
}

Error::Error(ErrorKind kind, std::string_view message)
    : kind_(kind), message_(MaskSecrets(message)) {
  std::replace(message_.begin(), message_.end(), '\n', ' ');
}

Error& Error::Detail(std::string_view text) {
  detail_ = MaskSecrets(text);
  return *this;
}

Error& Error::Hint(std::string_view text) {
  hint_ = MaskSecrets(text);
  return *this;
}

Error& Error::Private(std::string_view text) {
  private_detail_ = MaskSecrets(text);
  return *this;
}

Error& Error::Suggest(std::string tool, std::string args_json) {
  recovery_.call = SuggestedCall{std::move(tool), std::move(args_json)};
  return *this;
}

Error& Error::Near(std::vector<std::string> names) {
  if (names.size() > kFuzzyMax) names.resize(kFuzzyMax);
  recovery_.fuzzy_matches = std::move(names);
  return *this;
}

Error& Error::RetryAfter(std::int64_t ms) {
  retry_after_ms_ = ms;
  return *this;
}

Error& Error::Categories(std::vector<std::string> blocked) {
  pii_categories_ = std::move(blocked);
  std::sort(pii_categories_.begin(), pii_categories_.end());
  return *this;
}

Error& Error::In(std::string_view where) {
  context_.push_back(MaskSecrets(where));
  return *this;
}

std::string Error::ToLogText() const {
  std::string text = fmt::format("{}/{}: {}", row().kind, row().reason, message_);
  for (const std::string& where : context_) text += fmt::format(" (in {})", where);
  if (!detail_.empty()) text += " " + detail_;
  if (!private_detail_.empty()) text += fmt::format(" [{}]", private_detail_);
  return text;
}

}  // namespace schemaward
