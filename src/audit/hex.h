#pragma once

// Hexadecimal digits read back. Private to audit/.

#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace schemaward::audit {

/// Returns the bytes of lower-case hexadecimal digits; nullopt where `text` is not such.
std::optional<std::string> FromHex(std::string_view text);

/// The same for 64 digits.
std::optional<Digest> DigestFromHex(std::string_view text);

}  // namespace schemaward::audit
