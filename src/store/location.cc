#include "store/location.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/ascii.h"

namespace schemaward::store {
namespace {

using Words = std::map<std::string, std::string, std::less<>>;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string PercentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
        HexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Cuts `text` at the first of `marks`: returns what stands before, leaves what stands after.
std::string_view CutAt(std::string_view& text, std::string_view marks) {
  const std::size_t at = text.find_first_of(marks);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

void ReadHostPort(std::string_view place, Words& words) {
  const std::size_t bracket = place.rfind(']');  // [::1]:5432
  const std::size_t colon = place.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  std::string_view host = has_port ? place.substr(0, colon) : place;
  if (has_port) words["port"] = std::string(place.substr(colon + 1));
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  if (!host.empty()) words["host"] = PercentDecode(host);
}

/// scheme://user:password@host:port/database?key=value&...; a password may hold '@'.
Words ReadUri(std::string_view rest) {
  Words words;
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    std::string_view login = authority.substr(0, at);
    words["user"] = PercentDecode(CutAt(login, ":"));
    authority.remove_prefix(at + 1);
  }
  ReadHostPort(authority, words);
  if (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
  const std::string_view database = CutAt(rest, "?");
  if (!database.empty()) words["dbname"] = PercentDecode(database);
  while (!rest.empty()) {
    std::string_view pair = CutAt(rest, "&");
    const std::string key = PercentDecode(CutAt(pair, "="));
    words[key] = PercentDecode(pair);
  }
  return words;
}

/// libpq's key = value words; a value may be single-quoted, with backslash escapes.
Words ReadKeyWords(std::string_view text) {
  Words words;
  std::size_t i = 0;
  const auto skip_blanks = [&] {
    while (i < text.size() && text[i] == ' ') ++i;
  };
  while (true) {
    skip_blanks();
    std::string key;
    while (i < text.size() && text[i] != '=' && text[i] != ' ') key += text[i++];
    skip_blanks();
    if (i >= text.size() || text[i] != '=') return words;
    ++i;
    skip_blanks();
    const bool quoted = i < text.size() && text[i] == '\'';
    if (quoted) ++i;
    std::string value;
    while (i < text.size() && text[i] != (quoted ? '\'' : ' ')) {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      value += text[i++];
    }
    if (quoted && i < text.size()) ++i;
    words[key] = value;
  }
}

std::string ServerKey(std::string_view engine, std::string_view location) {
  const std::size_t scheme = location.find("://");
  Words words = scheme == std::string_view::npos ? ReadKeyWords(location)
                                                 : ReadUri(location.substr(scheme + 3));
  if (!words.contains("service")) {  // a service file may give any of them
    words.try_emplace("host", "localhost");
    words.try_emplace("port", engine == "mysql" ? "3306" : "5432");
  }
  if (words.contains("host")) words["host"] = LowerAscii(words["host"]);
  static constexpr std::array<std::string_view, 7> kIdentity = {
      "dbname", "host", "hostaddr", "port", "service", "socket", "user"};
  std::string key(engine);
  for (const std::string_view word : kIdentity) {
    const auto found = words.find(word);
    if (found != words.end() && !found->second.empty())
      key += fmt::format(" {}='{}'", word, found->second);
  }
  return key;
}

std::string FileKey(std::string_view engine, std::string_view location) {
  if (location.starts_with(engine) && location.substr(engine.size()).starts_with(":"))
    location.remove_prefix(engine.size() + 1);
  std::string path(location);
  if (location.starts_with("file:")) {
    location.remove_prefix(5);
    if (location.starts_with("///")) location.remove_prefix(2);
    path = PercentDecode(CutAt(location, "?#"));
  }
  std::error_code code;
  const auto absolute = std::filesystem::weakly_canonical(path, code);
  if (!code) return fmt::format("{} {}", engine, absolute.string());
  return fmt::format("{} {}", engine, path);
}

}  // namespace

std::string LocationKey(std::string_view engine, std::string_view location) {
  const bool is_server = engine == "postgres" || engine == "mysql";
  return is_server ? ServerKey(engine, location) : FileKey(engine, location);
}

}  // namespace schemaward::store
