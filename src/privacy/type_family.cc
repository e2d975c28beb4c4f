#include "privacy/type_family.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "privacy/name_rules.h"

namespace schemaward::privacy {
namespace {

constexpr std::size_t kTypeBytesMax = 64;

struct TypeWord {
  std::string_view part;
  std::uint8_t family;
};

// The first part that a type holds decides: "timestamp" before "int" of "interval", arrays first.
constexpr auto kTypeWords = std::to_array<TypeWord>({
    {"[]", kOther},       {"json", kOther},     {"list", kOther},      {"struct", kOther},
    {"map(", kOther},     {"xml", kText},       {"bool", kBool},       {"tinyint(1)", kBool},
    {"bit(1)", kBool},    {"uuid", kUuid},      {"uniqueid", kUuid},   {"interval", kTime},
    {"timestamp", kTime}, {"datetime", kTime},  {"date", kTime},       {"time", kTime},
    {"year", kNumber},    {"geometry", kOther}, {"geography", kOther}, {"point", kOther},
    {"char", kText},      {"text", kText},      {"string", kText},     {"clob", kText},
    {"enum", kText},      {"set(", kText},      {"name", kText},       {"inet", kText},
    {"cidr", kText},      {"macaddr", kText},   {"bytea", kOther},     {"blob", kOther},
    {"binary", kOther},   {"int", kNumber},     {"serial", kNumber},   {"num", kNumber},
    {"dec", kNumber},     {"float", kNumber},   {"double", kNumber},   {"real", kNumber},
    {"money", kNumber},   {"number", kNumber},  {"long", kNumber},     {"bit", kOther},
});

}  // namespace

std::uint8_t FamilyOf(std::string_view type) {
  const std::string lower = LowerAscii(type.substr(0, kTypeBytesMax));
  const auto found = std::find_if(kTypeWords.begin(), kTypeWords.end(), [&](const TypeWord& word) {
    return lower.find(word.part) != std::string::npos;
  });
  return found == kTypeWords.end() ? kAny : found->family;
}

}  // namespace schemaward::privacy
