#pragma once

// The two encodings of tokens, read without leniency: what two readers could take for different
// things is refused.

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace schemaward::token {

/// Returns the object that `text` holds. Errors: InvalidArgument where it is no JSON object, is
/// nested deep, or a member occurs twice in any object, whatever its spelling. Thread: any.
Result<json::Document> ReadObject(std::string_view text);

/// Returns the bytes of base64url without padding. Errors: InvalidArgument, also for bits that are
/// left over. Thread: any. Source: RFC 4648 section 5, RFC 7515 section 2.
Result<std::string> FromBase64Url(std::string_view text);

}  // namespace schemaward::token
