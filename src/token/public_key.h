#pragma once

// The public keys of an issuer, as a JSON Web Key Set holds them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::token {

/// How a token is signed. A token names one of these and nothing else; each needs its own kind of
/// key, so that a key is never used in a way that it was not made for.
enum class Algorithm : std::uint8_t {
  Rs256,  ///< RSASSA-PKCS1-v1_5 with SHA-256; keys of 2,048 to 8,192 bits
  Es256,  ///< ECDSA with P-256 and SHA-256
  EdDsa,  ///< Ed25519
};

/// Numbers are bytes, most significant first.
struct PublicKey {
  std::string id;  ///< `kid`; may be empty
  Algorithm algorithm = Algorithm::Rs256;
  std::string modulus, exponent;  ///< of RSA
  std::string x, y;               ///< of the point, 32 bytes each; Ed25519 has x alone
};

inline constexpr std::size_t kKeySetBytesMax = 256u << 10;
inline constexpr std::size_t kKeysMax = 64;

using Keys = std::vector<PublicKey>;
/// Shared: a check that runs keeps the keys that it began with.
using KeysPtr = std::shared_ptr<const Keys>;

/// Reads a JSON Web Key Set. Keys that are not for signatures, or of a kind that no Algorithm
/// needs, symmetric ones among them, are passed over. Errors: InputUnreadable where it is no such
/// set, has more than kKeysMax keys or none that is of use, or a key of a kind that is used has
/// numbers that cannot be. Thread: any. Source: RFC 7517, 7518, 8037.
Result<Keys> ReadKeySet(std::string_view text);

}  // namespace schemaward::token
