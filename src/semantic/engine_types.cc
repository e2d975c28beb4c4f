#include "semantic/engine_types.h"

#include <string_view>

namespace schemaward::semantic {
namespace {

constexpr std::string_view kTimestamp = "timestamp";

// timestamp, or timestamp(3).
bool IsBareTimestamp(std::string_view type) {
  if (!type.starts_with(kTimestamp)) return false;
  const std::string_view rest = type.substr(kTimestamp.size());
  return rest.empty() || (rest.front() == '(' && rest.find(')') == rest.size() - 1);
}

}  // namespace

std::string MeaningOfType(const sql::Dialect& dialect, const std::string& type) {
  if (!dialect.boolean_type.empty() && type == dialect.boolean_type) return "boolean";
  if (dialect.timestamp_is_instant && IsBareTimestamp(type)) return type + " with time zone";
  return type;
}

}  // namespace schemaward::semantic
