#include "store/name_key.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

namespace schemaward::store {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t* text) const { std::free(text); }  // NOLINT: utf8proc mallocs
};

std::string LowerAscii(std::string_view name) {
  std::string key(name);
  for (char& c : key)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return key;
}

}  // namespace

std::string NameKey(std::string_view name) {
  if (std::all_of(name.begin(), name.end(), [](char c) { return c >= 0; })) return LowerAscii(name);
  constexpr int kFlags = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD;
  // The library's flags are an enum.
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  constexpr auto kOptions = static_cast<utf8proc_option_t>(kFlags);
  utf8proc_uint8_t* raw = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &raw, kOptions);
  const std::unique_ptr<utf8proc_uint8_t, Free> folded(raw);
  if (size < 0) return LowerAscii(name);
  return {reinterpret_cast<const char*>(folded.get()), static_cast<std::size_t>(size)};
}

}  // namespace schemaward::store
