#pragma once

// Digests read back from hexadecimal digits. Private to audit/.

#include <optional>
#include <string_view>

#include "base/sha256.h"

namespace schemaward::audit {

/// Returns the digest that 64 lower-case hexadecimal digits stand for; nullopt for any other text.
std::optional<Digest> DigestFromHex(std::string_view text);

}  // namespace schemaward::audit
