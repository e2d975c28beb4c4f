#include "suggest/type_family.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"

namespace schemaward::suggest {
namespace {

// The first prefix that fits decides; "interval" stands before "int" and "datetime" before "date".
constexpr std::array<std::pair<std::string_view, Family>, 34> kPrefixes{{
    {"interval", Family::Other},
    {"point", Family::Other},
    {"int", Family::Number},
    {"bigint", Family::Number},
    {"smallint", Family::Number},
    {"tinyint", Family::Number},
    {"mediumint", Family::Number},
    {"serial", Family::Number},
    {"bigserial", Family::Number},
    {"smallserial", Family::Number},
    {"hugeint", Family::Number},
    {"uint", Family::Number},
    {"unsigned", Family::Number},
    {"numeric", Family::Number},
    {"decimal", Family::Number},
    {"number", Family::Number},
    {"real", Family::Number},
    {"double", Family::Number},
    {"float", Family::Number},
    {"money", Family::Number},
    {"year", Family::Number},
    {"char", Family::Text},
    {"varchar", Family::Text},
    {"nchar", Family::Text},
    {"nvarchar", Family::Text},
    {"text", Family::Text},
    {"citext", Family::Text},
    {"uuid", Family::Uuid},
    {"uniqueidentifier", Family::Uuid},
    {"timestamp", Family::Time},
    {"datetime", Family::Time},
    {"date", Family::Date},
    {"bool", Family::Boolean},
    {"bit", Family::Boolean},
}};
constexpr std::array<std::string_view, 6> kFractional{"numeric", "decimal", "real",
                                                      "double",  "float",   "money"};

}  // namespace

Family FamilyOf(const catalog::Column& column) {
  if (column.is_array) return Family::Other;
  if (column.type.empty()) return Family::Unknown;
  const std::string type = LowerAscii(column.type);
  for (const auto& [prefix, family] : kPrefixes)
    if (prefix.front() == type.front() && type.starts_with(prefix)) return family;
  return column.labels.empty() ? Family::Other : Family::Text;
}

bool IsFractional(const catalog::Column& column) {
  if (FamilyOf(column) != Family::Number) return false;
  const std::string type = LowerAscii(column.type);
  return std::any_of(kFractional.begin(), kFractional.end(),
                     [&](std::string_view prefix) { return type.starts_with(prefix); });
}

}  // namespace schemaward::suggest
