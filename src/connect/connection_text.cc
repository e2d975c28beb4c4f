#include "connect/connection_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace schemaward::connect {
namespace {

// The first keyword of a keyword string is one of these; a file name that holds '=' hardly is.
constexpr std::array<std::string_view, 20> kKeywords = {"host",
                                                        "hostaddr",
                                                        "port",
                                                        "dbname",
                                                        "user",
                                                        "password",
                                                        "passfile",
                                                        "service",
                                                        "sslmode",
                                                        "sslrootcert",
                                                        "sslcert",
                                                        "sslkey",
                                                        "options",
                                                        "connect_timeout",
                                                        "application_name",
                                                        "gssencmode",
                                                        "krbsrvname",
                                                        "channel_binding",
                                                        "target_session_attrs",
                                                        "client_encoding"};

// Secrets that libpq knows beside the password. There is one slot for a secret, so these must come
// from a service file.
constexpr std::array<std::string_view, 4> kOtherSecrets = {"sslpassword", "oauth_client_secret",
                                                           "scram_client_key", "scram_server_key"};

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string PercentDecode(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    const int low = high >= 0 ? HexDigit(text[i + 2]) : -1;
    if (low < 0) {
      plain += text[i];
    } else {
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return plain;
}

std::string PercentEncode(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kHex[byte >> 4];
      encoded += kHex[byte & 15];
    }
  }
  return encoded;
}

Error Unreadable(std::string_view message, std::string_view hint) {
  return std::move(Error(ErrorKind::InputUnreadable, message).Hint(hint));
}

Error OtherSecret(std::string_view key) {
  return Unreadable(
      "SOURCE holds the secret \"" + std::string(key) + "\", which cannot be kept out of the store",
      "Put it into a service file (pg_service.conf) and give service=NAME.");
}

// Keeps what one parameter says. True when it is the password, which must not stay in the location.
Result<bool> NoteParameter(ConnectionText& out, std::string_view key, std::string value,
                           TextSpan span) {
  if (std::find(kOtherSecrets.begin(), kOtherSecrets.end(), key) != kOtherSecrets.end())
    return OtherSecret(key);
  if (key == "password") {
    out.secret = std::move(value);
    out.secret_spans.push_back(span);
    return true;
  }
  if (key == "dbname")
    out.database = std::move(value);
  else if (key == "user")
    out.user = std::move(value);
  else if (key == "service")
    out.service = std::move(value);
  else if (key == "passfile")
    out.passfile = std::move(value);
  return false;
}

// Where the parts of a URI stand.
struct UriParts {
  std::size_t authority, path,
      query;       // each begins where the one before ends; query at '?' or the end
  std::size_t at;  // the '@' that ends the user part, or npos
};

Result<UriParts> SplitUri(std::string_view text) {
  UriParts parts{};
  parts.authority = text.find("://") + 3;
  parts.path = std::min(text.find_first_of("/?", parts.authority), text.size());
  parts.query = std::min(text.find('?', parts.path), text.size());
  const std::size_t at = text.substr(0, parts.path).rfind('@');
  parts.at = at == std::string_view::npos || at < parts.authority ? std::string_view::npos : at;
  if (text.substr(parts.path, parts.query - parts.path).find('@') != std::string_view::npos)
    return Unreadable(
        "SOURCE has an \"@\" behind the first \"/\"",
        "Write \"/\" in a user or password as %2F, and \"@\" in a database name as %40.");
  const std::size_t host = parts.at == std::string_view::npos ? parts.authority : parts.at + 1;
  const std::string_view hosts = text.substr(host, parts.path - host);
  const std::size_t port = hosts.find_last_of(":]");
  const std::size_t odd =
      port == std::string_view::npos ? port : hosts.find_first_not_of("0123456789", port + 1);
  if (odd != std::string_view::npos && hosts[port] == ':' && hosts[odd] != ',')
    return Unreadable("SOURCE has a port that is not a number",
                      "Write \"?\" in a user or password as %3F, and \"/\" as %2F.");
  return parts;
}

Status TakeApartQuery(std::string_view text, std::size_t begin, ConnectionText& out) {
  char separator = '?';
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('&', begin), text.size());
    const std::string_view pair = text.substr(begin, end - begin);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::size_t value = std::min(equals + 1, pair.size());
    WARD_TRY(const bool is_secret,
             NoteParameter(out, PercentDecode(pair.substr(0, equals)),
                           PercentDecode(pair.substr(value)), {begin + value, end}));
    if (!is_secret) {
      out.location += separator;
      out.location += pair;
      separator = '&';
    }
    begin = end + 1;
  }
  return Ok();
}

bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Reads key=value pairs one by one.
class KeywordReader {
 public:
  explicit KeywordReader(std::string_view text) : text_(text) {}

  // Moves to the next pair; false at the end.
  Result<bool> Next() {
    Skip();
    if (at_ == text_.size()) return false;
    begin_ = at_;
    while (at_ < text_.size() && text_[at_] != '=' && !IsBlank(text_[at_])) ++at_;
    key_ = text_.substr(begin_, at_ - begin_);
    Skip();
    if (at_ == text_.size() || text_[at_] != '=' || key_.empty())
      return Unreadable("SOURCE has a keyword without \"=\"",
                        "Write keyword=value pairs apart by blanks.");
    ++at_;
    Skip();
    return ReadValue();
  }
  std::string_view key() const { return key_; }
  const std::string& value() const { return value_; }
  TextSpan value_span() const { return span_; }
  std::string_view pair() const { return text_.substr(begin_, at_ - begin_); }

 private:
  void Skip() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }

  Result<bool> ReadValue() {
    value_.clear();
    const bool quoted = at_ < text_.size() && text_[at_] == '\'';
    if (quoted) ++at_;
    span_.begin = at_;
    for (; at_ < text_.size(); ++at_) {
      if (quoted ? text_[at_] == '\'' : IsBlank(text_[at_])) break;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value_ += text_[at_];
    }
    span_.end = at_;
    if (!quoted) return true;
    if (at_ == text_.size())
      return Unreadable("SOURCE has a quote that is not closed", "Close it with a single quote.");
    ++at_;
    return true;
  }

  std::string_view text_, key_;
  std::string value_;
  std::size_t at_ = 0, begin_ = 0;
  TextSpan span_;
};

}  // namespace

bool LooksLikeUri(std::string_view text) {
  const std::size_t colon = text.find("://");
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
         });
}

bool LooksLikeKeywords(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && text[end] != '=' && !IsBlank(text[end])) ++end;
  const std::string_view key = text.substr(0, end);
  while (end < text.size() && IsBlank(text[end])) ++end;
  return end < text.size() && text[end] == '=' &&
         std::find(kKeywords.begin(), kKeywords.end(), key) != kKeywords.end();
}

Result<ConnectionText> TakeApartUri(std::string_view text) {
  WARD_TRY(const UriParts parts, SplitUri(text));
  ConnectionText out;
  out.location = text.substr(0, parts.authority);
  std::size_t host = parts.authority;
  if (parts.at != std::string_view::npos) {
    const std::string_view who = text.substr(parts.authority, parts.at - parts.authority);
    const std::size_t colon = who.find(':');
    out.user = PercentDecode(who.substr(0, colon));
    out.location += PercentEncode(out.user) + '@';
    host = parts.at + 1;
    if (colon != std::string_view::npos && colon + 1 < who.size()) {
      out.secret = PercentDecode(who.substr(colon + 1));
      out.secret_spans.push_back({parts.authority + colon + 1, parts.at});
    }
  }
  out.location += text.substr(host, parts.query - host);
  if (parts.query > parts.path + 1)
    out.database = PercentDecode(text.substr(parts.path + 1, parts.query - parts.path - 1));
  WARD_CHECK(TakeApartQuery(text, parts.query + 1, out));
  return out;
}

Result<ConnectionText> TakeApartKeywords(std::string_view text) {
  ConnectionText out;
  KeywordReader reader(text);
  while (true) {
    WARD_TRY(const bool more, reader.Next());
    if (!more) return out;
    WARD_TRY(const bool is_secret,
             NoteParameter(out, reader.key(), reader.value(), reader.value_span()));
    if (is_secret) continue;
    if (!out.location.empty()) out.location += ' ';
    out.location += reader.pair();
  }
}

}  // namespace schemaward::connect
