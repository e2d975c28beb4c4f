#include "token/claims.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/access.h"
#include "token/strict_json.h"

namespace schemaward::token {
namespace {

Error Refused(std::string_view why) { return Error(ErrorKind::InvalidArgument, why); }

bool NamesOneOf(const json::Value& audience, const std::vector<std::string>& ours) {
  const auto is_ours = [&](const json::Value& name) {
    return name.is_string() &&
           std::find(ours.begin(), ours.end(), name.get_ref<const std::string&>()) != ours.end();
  };
  if (!audience.is_array()) return is_ours(audience);
  return std::any_of(audience.begin(), audience.end(), is_ours);
}

// A time that is not there is NaN, and so is one that is no number.
double TimeOf(const json::Value& claims, std::string_view name) {
  const json::Value& value = json::Member(claims, name);
  return value.is_number() ? value.get<double>() : std::nan("");
}

Status CheckTimes(const json::Value& claims, double skew, double now) {
  for (const std::string_view name : {"exp", "nbf", "iat"})
    if (claims.contains(name) && !json::Member(claims, name).is_number())
      return Refused("a time of it is no number");
  if (!claims.contains("exp")) return Refused("it does not say when it expires");
  if (!(now < TimeOf(claims, "exp") + skew)) return Refused("it has expired");
  if (TimeOf(claims, "nbf") > now + skew) return Refused("it is not valid yet");
  if (TimeOf(claims, "iat") > now + skew) return Refused("it comes from the future");
  return Ok();
}

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// `scope` is one text of words; some issuers write `scp`, a text or a list.
std::vector<std::string> ScopesOf(const json::Value& claims) {
  const json::Value& scope = json::Member(claims, claims.contains("scope") ? "scope" : "scp");
  return scope.is_array() ? json::TextsOf(scope) : WordsOf(json::TextOf(scope));
}

bool IsPrintable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

Result<Principal> ReadPrincipal(const json::Value& claims) {
  Principal principal{.id = {}, .client = {}, .transport = "http", .scopes = {}};
  const json::Value& subject = json::Member(claims, "sub");
  principal.id = subject.is_string() ? subject.get<std::string>() : std::string();
  if (principal.id.empty() || principal.id.size() > kSubjectBytesMax || !IsPrintable(principal.id))
    return Refused("it does not name its subject");
  principal.scopes = ScopesOf(claims);
  if (claims.size() > kClaimsMax || principal.scopes.size() > kScopesMax)
    return Refused("it says too much");
  for (const auto& [name, value] : claims.items())
    if (value.is_string() || value.is_number() || value.is_boolean())
      principal.claims[name] = json::TextOf(value);
  return principal;
}

}  // namespace

Result<Principal> ReadClaims(std::string_view text, const Rules& rules, double now_seconds) {
  WARD_TRY(const json::Document read, ReadObject(text));
  const json::Value& claims = read.value();
  if (json::Member(claims, "iss") != rules.issuer) return Refused("it is of another issuer");
  if (!NamesOneOf(json::Member(claims, "aud"), rules.audiences))
    return Refused("it is meant for another audience");
  WARD_CHECK(CheckTimes(claims, static_cast<double>(rules.skew.count()), now_seconds));
  if (claims.contains("cnf")) return Refused("it is bound to a key that a bearer does not show");
  return ReadPrincipal(claims);
}

}  // namespace schemaward::token
