#pragma once

// Hexadecimal digits read back; ToHex is in base/sha256.h.

#include <optional>
#include <string>
#include <string_view>

namespace schemaward {

/// Returns the bytes of lower-case hexadecimal digits; nullopt where `text` is not such.
/// Thread: any.
std::optional<std::string> FromHex(std::string_view text);

}  // namespace schemaward
