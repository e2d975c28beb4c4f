#include "token/signed_token.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "json/access.h"
#include "token/strict_json.h"

namespace schemaward::token {
namespace {

Error Refused(std::string_view why) { return Error(ErrorKind::InvalidArgument, why); }

std::optional<Algorithm> AlgorithmNamed(const json::Value& name) {
  if (name == "RS256") return Algorithm::Rs256;
  if (name == "ES256") return Algorithm::Es256;
  if (name == "EdDSA") return Algorithm::EdDsa;
  return std::nullopt;
}

// Issuers that are older than the type for access tokens write JWT, or nothing.
bool IsTypeOfAccessToken(const json::Value& type) {
  if (type.is_null()) return true;
  if (!type.is_string()) return false;
  std::string name = LowerAscii(type.get_ref<const std::string&>());
  constexpr std::string_view kApplication = "application/";
  if (name.starts_with(kApplication)) name.erase(0, kApplication.size());
  return name == "at+jwt" || name == "jwt";
}

Status ReadHeader(std::string_view text, SignedToken& token) {
  WARD_TRY(const json::Document read, ReadObject(text));
  const json::Value& header = read.value();
  if (header.contains("crit"))
    return Refused("its header asks that extensions be understood, and there are none");
  if (!IsTypeOfAccessToken(json::Member(header, "typ")))
    return Refused("its type is not that of an access token");
  const auto algorithm = AlgorithmNamed(json::Member(header, "alg"));
  if (!algorithm) return Refused("it is not signed by RS256, ES256 or EdDSA");
  token.algorithm = *algorithm;
  const json::Value& id = json::Member(header, "kid");
  if (!id.is_null() && !id.is_string()) return Refused("its key id is no text");
  token.key_id = json::TextOf(id);
  return Ok();
}

}  // namespace

Result<SignedToken> ReadSignedToken(std::string_view text) {
  if (text.size() > kTokenBytesMax) return Refused("it is too long");
  const std::size_t first = text.find('.');
  const std::size_t second = first == text.npos ? first : text.find('.', first + 1);
  if (second == text.npos || text.find('.', second + 1) != text.npos)
    return Refused("it has not three parts");
  SignedToken token;
  token.signed_text = text.substr(0, second);
  WARD_TRY(const std::string header, FromBase64Url(text.substr(0, first)));
  WARD_TRY(token.claims, FromBase64Url(text.substr(first + 1, second - first - 1)));
  WARD_TRY(token.signature, FromBase64Url(text.substr(second + 1)));
  if (token.signature.empty()) return Refused("it is not signed");
  WARD_CHECK(ReadHeader(header, token));
  return token;
}

}  // namespace schemaward::token
