#include "audit/hex.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/hex.h"

namespace schemaward::audit {

std::optional<Digest> DigestFromHex(std::string_view text) {
  const std::optional<std::string> bytes = FromHex(text);
  Digest digest{};
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  return digest;
}

}  // namespace schemaward::audit
