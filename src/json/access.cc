#include "json/access.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace schemaward::json {
namespace {

const Value& Null() {
  static const Value null;
  return null;
}

}  // namespace

const Value& Member(const Value& value, std::string_view name) {
  if (!value.is_object()) return Null();
  const auto found = value.find(name);
  return found == value.end() ? Null() : *found;
}

const Value& Member(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* at = &value;
  for (const std::string_view name : path) at = &Member(*at, name);
  return *at;
}

std::string TextOf(const Value& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return {};
}

std::string TextOf(const Value& value, std::string_view member) {
  return TextOf(Member(value, member));
}

bool IsTrue(const Value& value) { return value.is_boolean() && value.get<bool>(); }

std::optional<std::int64_t> IntegerOf(const Value& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  constexpr double kBound = 9.0e18;  // below 2^63
  if (value.is_number_float() && std::abs(value.get<double>()) < kBound)
    return static_cast<std::int64_t>(value.get<double>());
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<const Value*> ItemsOf(const Value& value) {
  if (value.is_string()) return {&value};
  std::vector<const Value*> items;
  if (!value.is_structured()) return items;
  items.reserve(value.size());
  for (const Value& item : value) items.push_back(&item);
  return items;
}

std::vector<std::string> TextsOf(const Value& value) {
  std::vector<std::string> texts;
  for (const Value* item : ItemsOf(value))
    if (std::string text = TextOf(*item); !text.empty()) texts.push_back(std::move(text));
  return texts;
}

}  // namespace schemaward::json
