#pragma once

// What a token says, once its signature is known to be good.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "token/verifier.h"

namespace schemaward::token {

inline constexpr std::size_t kSubjectBytesMax = 256;
inline constexpr std::size_t kClaimsMax = 64;
inline constexpr std::size_t kScopesMax = 256;

/// Returns who the bearer is. `text`: the token's claims. `now_seconds`: since 1970. Errors:
/// InvalidArgument, in our own words, where issuer, audience or times do not fit `rules`, where
/// there is no subject, or where the token is bound to a key that a bearer does not show. Scopes
/// are not compared. Thread: any. Source: RFC 7519 section 4, RFC 9068, RFC 7800.
Result<Principal> ReadClaims(std::string_view text, const Rules& rules, double now_seconds);

}  // namespace schemaward::token
