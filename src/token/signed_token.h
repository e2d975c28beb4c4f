#pragma once

// A signed token taken apart, before anything of it is believed.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "token/public_key.h"

namespace schemaward::token {

inline constexpr std::size_t kTokenBytesMax = 8u << 10;  ///< half of what a request's head may have

/// A JSON Web Token in the compact form of a JSON Web Signature.
struct SignedToken {
  Algorithm algorithm = Algorithm::Rs256;
  std::string key_id;       ///< empty: the header names none
  std::string signed_text;  ///< header and claims as they were sent
  std::string signature;    ///< bytes
  std::string claims;       ///< a JSON text, not checked in any way
};

/// Takes a token apart. Errors: InvalidArgument, with a message of our own words, where it is too
/// long, has not three parts, names an algorithm that is not of Algorithm (`none` and those with a
/// shared secret among them), is of a type that is no access token's, or asks by `crit` that
/// something be understood. A key that the token itself brings or points to is not looked at.
/// Thread: any. Source: RFC 7515, 7519, 8725, 9068.
Result<SignedToken> ReadSignedToken(std::string_view text);

}  // namespace schemaward::token
