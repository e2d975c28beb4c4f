#include "text/fold.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "base/ascii.h"

namespace schemaward::text {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t* p) const { std::free(p); }
};

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

const utf8proc_uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

// Text that is not UTF-8 has its ASCII letters lowered.
std::string Map(std::string_view text, int flags) {
  if (IsAscii(text)) return LowerAscii(text);
  // The library's flags are an enum.
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  const auto options = static_cast<utf8proc_option_t>(flags);
  utf8proc_uint8_t* raw = nullptr;
  const auto size =
      utf8proc_map(Bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &raw, options);
  const std::unique_ptr<utf8proc_uint8_t, Free> folded(raw);
  if (size < 0) return LowerAscii(text);
  return {reinterpret_cast<const char*>(folded.get()), static_cast<std::size_t>(size)};
}

}  // namespace

std::string Fold(std::string_view text) {
  return Map(text, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
                       UTF8PROC_IGNORE | UTF8PROC_STRIPMARK);
}

std::string FoldCase(std::string_view text) {
  return Map(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

std::u32string ToCodePoints(std::string_view folded) {
  std::u32string out;
  out.reserve(folded.size());
  for (std::size_t at = 0; at < folded.size();) {
    utf8proc_int32_t point = -1;
    auto size = utf8proc_iterate(Bytes(folded) + at,
                                 static_cast<utf8proc_ssize_t>(folded.size() - at), &point);
    if (size < 1 || point < 0) {
      size = 1;
      point = static_cast<unsigned char>(folded[at]);
    }
    out.push_back(static_cast<char32_t>(point));
    at += static_cast<std::size_t>(size);
  }
  return out;
}

}  // namespace schemaward::text
