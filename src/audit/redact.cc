#include "audit/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/cut.h"
#include "base/error.h"
#include "base/sha256.h"
#include "json/value.h"

namespace schemaward::audit {
namespace {

constexpr std::size_t kStringMax = 128;
constexpr std::size_t kRedactedMax = 4096;
constexpr std::size_t kNamesMax = 32;
constexpr std::size_t kNameMax = 64;
constexpr std::size_t kDigitsMax =
    11;  // a phone number or less; card and account numbers are longer
constexpr double kNumberMax = 1e11;

// Parts of a key under which nothing is kept.
constexpr std::array<std::string_view, 14> kSecretKeys = {
    "password",   "passwd", "pwd",  "secret", "token",       "apikey", "api_key",
    "credential", "dsn",    "auth", "cookie", "private_key", "uri",    "url"};
// Whole keys whose values come from rows or are text with literals in it.
constexpr std::array<std::string_view, 9> kValueKeys = {
    "sql", "sql_query", "statement", "parameters", "params", "value", "values", "code", "filter"};

bool IsGuardedKey(std::string_view key) {
  const std::string lower = LowerAscii(key);
  return std::any_of(
             kSecretKeys.begin(), kSecretKeys.end(),
             [&](std::string_view part) { return lower.find(part) != std::string::npos; }) ||
         std::find(kValueKeys.begin(), kValueKeys.end(), lower) != kValueKeys.end();
}

bool IsTelling(std::string_view text) {
  const auto digits =
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return text.size() > kStringMax || text.find('@') != std::string_view::npos ||
         static_cast<std::size_t>(digits) > kDigitsMax || MaskSecrets(text) != text;
}

std::string Placeholder(const json::Value& value) {
  switch (value.type()) {
    case json::Value::value_t::string:
      return fmt::format("<string, {} bytes>", value.get_ref<const std::string&>().size());
    case json::Value::value_t::object:
      return fmt::format("<object, {} members>", value.size());
    case json::Value::value_t::array:
      return fmt::format("<list, {} items>", value.size());
    default:
      return fmt::format("<{}>", value.type_name());
  }
}

// Depth is bounded by the parser.
json::Value Redacted(const json::Value& value) {
  if (value.is_object()) {
    json::Value copy = json::Value::object();
    for (const auto& [key, member] : value.items())
      copy[CutText(key, kNameMax)] = IsGuardedKey(key) && !member.is_null()
                                         ? json::Value(Placeholder(member))
                                         : Redacted(member);
    return copy;
  }
  if (value.is_array()) {
    json::Value copy = json::Value::array();
    for (const json::Value& item : value) copy.push_back(Redacted(item));
    return copy;
  }
  const bool hidden = (value.is_string() && IsTelling(value.get_ref<const std::string&>())) ||
                      (value.is_number() && std::abs(value.get<double>()) >= kNumberMax);
  return hidden ? json::Value(Placeholder(value)) : value;
}

// The top-level names alone, each with its value's type and size.
json::Value NamesOnly(const json::Value& value) {
  if (!value.is_object()) return Placeholder(value);
  json::Value copy = json::Value::object();
  for (const auto& [key, member] : value.items()) {
    if (copy.size() == kNamesMax) break;
    copy[CutText(key, kNameMax)] = Placeholder(member);
  }
  return copy;
}

}  // namespace

KeptArguments KeepArguments(std::string_view args_json) {
  const Result<json::Document> parsed = json::Parse(args_json);
  if (!parsed) return {Sha256Hex(args_json), ""};
  const json::Value& value = parsed->value();
  std::string redacted = json::Canonical(Redacted(value));
  if (redacted.size() > kRedactedMax) redacted = json::Canonical(NamesOnly(value));
  return {Sha256Hex(json::Canonical(value)), std::move(redacted)};
}

std::string ListText(std::vector<std::string> items, std::size_t size_max) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  if (items.size() > kListMax) items.resize(kListMax);
  std::string list;
  for (const std::string& item : items) {
    list += list.empty() ? '[' : ',';
    json::AppendQuoted(list, CutText(item, size_max));
  }
  return list + (list.empty() ? "[]" : "]");
}

}  // namespace schemaward::audit
