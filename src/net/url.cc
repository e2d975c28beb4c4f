#include "net/url.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "base/ascii.h"

namespace schemaward::net {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

int HexDigit(char c) {
  constexpr int kTen = 10;
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + kTen;
  if (c >= 'A' && c <= 'F') return c - 'A' + kTen;
  return -1;
}

}  // namespace

std::string UrlEncode(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += IsPlain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string UrlDecode(std::string_view text) {
  constexpr int kHex = 16;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
        HexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(HexDigit(text[i + 1]) * kHex + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string HostOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos)
    rest.remove_prefix(at + 1);
  if (rest.starts_with('['))
    return LowerAscii(rest.substr(1, std::min(rest.find(']'), rest.size()) - 1));
  return LowerAscii(rest.substr(0, rest.find(':')));
}

bool IsLoopback(std::string_view host) {
  constexpr std::string_view kNet = "127.";
  if (host == "localhost" || host == "::1") return true;
  // An address, not a name that begins like one.
  return host.starts_with(kNet) && std::all_of(host.begin(), host.end(), [](char c) {
           return (c >= '0' && c <= '9') || c == '.';
         });
}

bool IsSafeUrl(std::string_view url) {
  if (url.starts_with("https://")) return !HostOf(url).empty();
  return url.starts_with("http://") && IsLoopback(HostOf(url));
}

}  // namespace schemaward::net
