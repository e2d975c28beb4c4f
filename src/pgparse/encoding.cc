#include "pgparse/encoding.h"

#include <cstddef>

#include "base/ascii.h"

namespace schemaward::pgparse {
namespace {

/// Bytes of the character that starts at `i`, or 0 where it is not well-formed.
/// Source: Unicode 15, table 3-7.
std::size_t CharacterBytes(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
  };
  const auto is_tail = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return is_tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!is_tail(1) || !is_tail(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!is_tail(1) || !is_tail(2) || !is_tail(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = CharacterBytes(text, i);
    if (bytes == 0) return false;
    i += bytes;
  }
  return true;
}

bool NamesLatin1(std::string_view setting) {
  const std::string lower = LowerAscii(setting);
  return lower.find("latin1") != std::string::npos || lower.find("iso88591") != std::string::npos ||
         lower.find("iso-8859-1") != std::string::npos ||
         lower.find("win1252") != std::string::npos;
}

std::string Latin1ToUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

}  // namespace schemaward::pgparse
