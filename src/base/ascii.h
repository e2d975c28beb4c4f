#pragma once

// Case of ASCII letters. Other bytes are kept, whatever the locale: for keywords, type names and
// the names of engines that compare so. Names that people write are folded by text/fold.h.

#include <string>
#include <string_view>

namespace schemaward {

/// Returns `c` in lower case where it is an ASCII capital. Thread: any.
constexpr char LowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Returns `text` with its ASCII capitals in lower case. Thread: any.
std::string LowerAscii(std::string_view text);

/// True where `a` and `b` differ by nothing but the case of ASCII letters. Thread: any.
bool EqualsIgnoringAsciiCase(std::string_view a, std::string_view b);

}  // namespace schemaward
