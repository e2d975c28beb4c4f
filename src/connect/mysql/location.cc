#include "connect/mysql/location.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace schemaward::connect::mysql {
namespace {

constexpr unsigned kPortMax = 65535;
constexpr int kConnectSecondsMax = 600;

struct TlsWord {
  std::string_view word;
  TlsMode mode;
};
// MySQL's words, and those of libpq that people type out of habit.
constexpr std::array<TlsWord, 10> kTlsWords = {{{"disabled", TlsMode::Disabled},
                                                {"disable", TlsMode::Disabled},
                                                {"preferred", TlsMode::Preferred},
                                                {"prefer", TlsMode::Preferred},
                                                {"required", TlsMode::Required},
                                                {"require", TlsMode::Required},
                                                {"verify-ca", TlsMode::VerifyCa},
                                                {"verify-identity", TlsMode::VerifyIdentity},
                                                {"verify-full", TlsMode::VerifyIdentity},
                                                {"true", TlsMode::Required}}};

Error Unreadable(std::string_view what) {
  return std::move(
      Error(ErrorKind::SourceUnreachable, fmt::format("SOURCE cannot be read: {}", what))
          .Hint("Give mysql://user@host:port/database, with the options ssl-mode, ssl-ca, "
                "ssl-cert, ssl-key, socket and connect-timeout only."));
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// %xx is decoded; a '%' before anything else stands for itself, and '+' is a plus.
std::string Decode(std::string_view text) {
  constexpr int kHex = 16;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
        HexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(HexDigit(text[i + 1]) * kHex + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// MySQL writes VERIFY_CA, its command line ssl-mode, others ssl_mode: one spelling for all.
std::string Folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return out;
}

std::optional<unsigned> Number(std::string_view text, unsigned least, unsigned most) {
  unsigned value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < least || value > most) return std::nullopt;
  return value;
}

Status TakePlace(std::string_view place, Location& location) {
  const std::size_t bracket = place.rfind(']');  // [::1]:3306
  const std::size_t colon = place.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (has_port) {
    const auto port = Number(place.substr(colon + 1), 1, kPortMax);
    if (!port) return Unreadable("its port is not a number from 1 to 65535");
    location.port = *port;
    place = place.substr(0, colon);
  }
  if (place.size() >= 2 && place.front() == '[' && place.back() == ']')
    place = place.substr(1, place.size() - 2);
  location.host = Decode(place);
  return Ok();
}

Status TakeTls(std::string_view value, Location& location) {
  const std::string word = Folded(value);
  const auto* const row = std::find_if(kTlsWords.begin(), kTlsWords.end(),
                                       [&](const TlsWord& known) { return known.word == word; });
  if (row == kTlsWords.end())
    return Unreadable(
        "its ssl-mode is not one of disabled, preferred, required, verify-ca, verify-identity");
  location.tls = row->mode;
  return Ok();
}

Status TakeOption(std::string_view pair, Location& location) {
  const std::size_t equals = std::min(pair.find('='), pair.size());
  const std::string key = Folded(Decode(pair.substr(0, equals)));
  const std::string value = Decode(pair.substr(std::min(equals + 1, pair.size())));
  if (key == "ssl-mode" || key == "sslmode") return TakeTls(value, location);
  if (key == "connect-timeout") {
    const auto seconds = Number(value, 1, kConnectSecondsMax);
    if (!seconds) return Unreadable("its connect-timeout is not a number of seconds");
    location.connect_time_max = std::chrono::seconds(*seconds);
    return Ok();
  }
  if (key == "charset") return Ok();  // the session's is always utf8mb4
  std::string* const text = key == "ssl-ca" || key == "sslrootcert"   ? &location.authority
                            : key == "ssl-cert"                       ? &location.certificate
                            : key == "ssl-key"                        ? &location.key
                            : key == "socket" || key == "unix-socket" ? &location.socket
                                                                      : nullptr;
  if (text == nullptr) return Unreadable("it has an option that this engine does not have");
  *text = value;
  return Ok();
}

}  // namespace

Result<Location> ReadLocation(std::string_view uri) {
  const std::size_t scheme = uri.find("://");
  if (scheme == std::string_view::npos) return Unreadable("it is not a URI");
  std::string_view rest = uri.substr(scheme + 3);
  std::string_view options;
  // The authority ends at the first '/' or '?', so a '?' before any '/' starts the options.
  if (const std::size_t at = rest.find('?'); at != std::string_view::npos) {
    options = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  Location location;
  location.database = Decode(rest.substr(std::min(slash + 1, rest.size())));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = authority.substr(0, at);
    location.user = Decode(login.substr(0, login.find(':')));
    authority.remove_prefix(at + 1);
  }
  WARD_CHECK(TakePlace(authority, location));
  while (!options.empty()) {
    const std::size_t end = std::min(options.find('&'), options.size());
    if (end > 0) WARD_CHECK(TakeOption(options.substr(0, end), location));
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  if (!location.socket.empty()) location.host.clear();
  return location;
}

}  // namespace schemaward::connect::mysql
