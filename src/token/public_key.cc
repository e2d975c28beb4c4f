#include "token/public_key.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/access.h"
#include "token/strict_json.h"

namespace schemaward::token {
namespace {

constexpr std::size_t kCurveBytes = 32;  // a coordinate of P-256, a key of Ed25519
constexpr std::size_t kModulusBytesMin = 2'048 / 8;
constexpr std::size_t kModulusBytesMax = 8'192 / 8;  // above, a check costs too much
constexpr std::size_t kExponentBytesMax = 4;
constexpr std::size_t kIdBytesMax = 256;

Error Wrong(std::string_view what) {
  return Error(ErrorKind::InputUnreadable, fmt::format("the key set {}", what));
}

std::string NumberOf(const json::Value& key, std::string_view member) {
  auto bytes = FromBase64Url(json::TextOf(key, member));
  if (!bytes) return {};
  return bytes->substr(std::min(bytes->find_first_not_of('\0'), bytes->size()));
}

std::string CoordinateOf(const json::Value& key, std::string_view member) {
  auto bytes = FromBase64Url(json::TextOf(key, member));
  return bytes && bytes->size() == kCurveBytes ? *std::move(bytes) : std::string();
}

bool IsForSignatures(const json::Value& key) {
  const std::string use = json::TextOf(key, "use");
  if (!use.empty() && use != "sig") return false;
  const json::Value& operations = json::Member(key, "key_ops");
  if (!operations.is_array()) return true;
  for (const std::string& operation : json::TextsOf(operations))
    if (operation == "verify") return true;
  return false;
}

std::optional<Algorithm> AlgorithmFor(const json::Value& key) {
  struct Row {
    std::string_view type, curve, name;
    Algorithm algorithm;
  };
  static constexpr Row kRows[] = {{"RSA", "", "RS256", Algorithm::Rs256},
                                  {"EC", "P-256", "ES256", Algorithm::Es256},
                                  {"OKP", "Ed25519", "EdDSA", Algorithm::EdDsa}};
  const std::string name = json::TextOf(key, "alg");
  for (const Row& row : kRows)
    if (json::TextOf(key, "kty") == row.type && json::TextOf(key, "crv") == row.curve &&
        (name.empty() || name == row.name))
      return row.algorithm;
  return std::nullopt;
}

bool IsSound(const PublicKey& key) {
  if (key.algorithm == Algorithm::EdDsa) return !key.x.empty();
  if (key.algorithm == Algorithm::Es256) return !key.x.empty() && !key.y.empty();
  const bool is_odd = !key.exponent.empty() && (key.exponent.back() & 1) != 0;
  return key.modulus.size() >= kModulusBytesMin && key.modulus.size() <= kModulusBytesMax &&
         is_odd && key.exponent != "\x01" && key.exponent.size() <= kExponentBytesMax;
}

Result<PublicKey> ReadKey(const json::Value& value, Algorithm algorithm) {
  PublicKey key;
  key.id = json::TextOf(value, "kid");
  key.algorithm = algorithm;
  if (algorithm == Algorithm::Rs256) {
    key.modulus = NumberOf(value, "n");
    key.exponent = NumberOf(value, "e");
  } else {
    key.x = CoordinateOf(value, "x");
    if (algorithm == Algorithm::Es256) key.y = CoordinateOf(value, "y");
  }
  if (!IsSound(key) || key.id.size() > kIdBytesMax)
    return Wrong("has a key whose numbers cannot be used");
  return key;
}

}  // namespace

Result<Keys> ReadKeySet(std::string_view text) {
  if (text.size() > kKeySetBytesMax) return Wrong("is too long");
  const auto read = ReadObject(text);
  if (!read) return Wrong("is not JSON that can be read");
  const json::Value& list = json::Member(read->value(), "keys");
  if (!list.is_array()) return Wrong("has no list of keys");
  if (list.size() > kKeysMax) return Wrong(fmt::format("has more than {} keys", kKeysMax));
  Keys keys;
  for (const json::Value& value : list) {
    const auto algorithm = AlgorithmFor(value);
    if (!algorithm || !IsForSignatures(value)) continue;
    WARD_TRY(PublicKey key, ReadKey(value, *algorithm));
    keys.push_back(std::move(key));
  }
  if (keys.empty()) return Wrong("has no key for RS256, ES256 or EdDSA");
  return keys;
}

}  // namespace schemaward::token
