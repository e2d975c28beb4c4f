#pragma once

// What tests of tokens share.

#include <string>
#include <string_view>

#include <sodium.h>

namespace schemaward::token {

/// Returns the bytes in base64url without padding, as the parts of a token are written.
inline std::string ToBase64Url(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string out(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  out.pop_back();  // the zero behind it
  return out;
}

}  // namespace schemaward::token
