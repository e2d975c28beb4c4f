#include "connect/mysql/cells.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace schemaward::connect::mysql {
namespace {

constexpr std::uint64_t kBytesPerCharacter = 4;  // of utf8mb4, in which results arrive
constexpr unsigned kNoFixedDecimals = 31;        // "as many as there are"

template <class Number>
std::optional<Number> Whole(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Cell Integer(std::string text) {
  if (const auto number = Whole<std::int64_t>(text)) return *number;
  return Decimal{std::move(text)};
}

Cell Float(std::string text) {
  if (const auto number = Whole<double>(text)) return *number;
  return text;
}

// Bytes, the first the highest.
Cell Bits(std::string_view bytes) {
  constexpr int kByte = 8;
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << kByte | static_cast<unsigned char>(byte);
  if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return static_cast<std::int64_t>(number);
  return Decimal{fmt::format("{}", number)};
}

// 2024-02-29 12:34:56.500000 without the zeros that end it, with a T.
Cell Moment(std::string text, bool is_instant) {
  constexpr std::size_t kYearMonthDay = 10;
  constexpr std::string_view kNoDay = "-00";
  const std::string_view day = std::string_view(text).substr(0, kYearMonthDay);
  const bool is_real = text.size() > kYearMonthDay && text[kYearMonthDay] == ' ' &&
                       day.find(kNoDay) == std::string_view::npos && !day.starts_with("0000");
  if (!is_real) return text;
  text[kYearMonthDay] = 'T';
  if (text.find('.') != std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
  }
  return is_instant ? text + "+00:00" : text;
}

Cell TextOrBytes(bool is_binary, std::string value) {
  if (is_binary) return Blob{std::move(value)};
  return value;
}

std::string Sized(std::string_view name, std::uint64_t size) {
  return fmt::format("{}({})", name, size);
}

std::string Fractional(std::string_view name, unsigned decimals) {
  return decimals == 0 || decimals >= kNoFixedDecimals ? std::string(name) : Sized(name, decimals);
}

std::string DecimalName(const Field& field) {
  // The length counts a sign, where there may be one, and the point.
  const std::uint64_t extra = (field.is_unsigned ? 0 : 1) + (field.decimals > 0 ? 1 : 0);
  const std::uint64_t digits = field.length_max > extra ? field.length_max - extra : 0;
  return fmt::format("decimal({},{})", digits, field.decimals);
}

std::string TextName(const Field& field, std::string_view binary, std::string_view text) {
  if (field.is_enum) return "enum";
  if (field.is_set) return "set";
  return field.is_binary ? Sized(binary, field.length_max)
                         : Sized(text, field.length_max / kBytesPerCharacter);
}

std::string_view IntegerName(FieldType type) {
  switch (type) {
    case FieldType::Tiny:
      return "tinyint";
    case FieldType::Short:
      return "smallint";
    case FieldType::Int24:
      return "mediumint";
    case FieldType::Long:
      return "int";
    case FieldType::LongLong:
      return "bigint";
    default:
      return "";
  }
}

struct ToBytes {
  std::size_t operator()(std::monostate /*null*/) const { return 0; }
  std::size_t operator()(const std::string& value) const { return value.size(); }
  std::size_t operator()(const Decimal& value) const { return value.text.size(); }
  std::size_t operator()(const Blob& value) const { return value.bytes.size(); }
  template <class Scalar>
  std::size_t operator()(const Scalar& value) const {
    return sizeof value;
  }
};

}  // namespace

Cell MakeCell(const Field& field, std::optional<std::string> value) {
  if (!value) return std::monostate();
  switch (field.type) {
    case FieldType::Tiny:
    case FieldType::Short:
    case FieldType::Int24:
    case FieldType::Long:
    case FieldType::LongLong:
    case FieldType::Year:
      return Integer(*std::move(value));
    case FieldType::Float:
    case FieldType::Double:
      return Float(*std::move(value));
    case FieldType::Decimal:
    case FieldType::NewDecimal:
      return Decimal{*std::move(value)};
    case FieldType::Bit:
      return Bits(*value);
    case FieldType::DateTime:
      return Moment(*std::move(value), false);
    case FieldType::Timestamp:
      return Moment(*std::move(value), true);
    case FieldType::Geometry:
    case FieldType::Vector:
      return Blob{*std::move(value)};
    case FieldType::Json:
    case FieldType::Date:
    case FieldType::Time:
      return *std::move(value);
    default:
      return TextOrBytes(field.is_binary, *std::move(value));
  }
}

std::string TypeName(const Field& field) {
  const std::string_view integer = IntegerName(field.type);
  if (!integer.empty()) return std::string(integer) + (field.is_unsigned ? " unsigned" : "");
  switch (field.type) {
    case FieldType::Float:
      return "float";
    case FieldType::Double:
      return "double";
    case FieldType::Decimal:
    case FieldType::NewDecimal:
      return DecimalName(field);
    case FieldType::Year:
      return "year";
    case FieldType::Bit:
      return Sized("bit", field.length_max);
    case FieldType::Date:
      return "date";
    case FieldType::Time:
      return Fractional("time", field.decimals);
    case FieldType::DateTime:
      return Fractional("datetime", field.decimals);
    case FieldType::Timestamp:
      return Fractional("timestamp", field.decimals);
    case FieldType::Json:
      return "json";
    case FieldType::Geometry:
      return "geometry";
    case FieldType::Vector:
      return "vector";
    case FieldType::Null:
      return "null";
    case FieldType::VarChar:
    case FieldType::VarString:
      return TextName(field, "varbinary", "varchar");
    case FieldType::String:
      return TextName(field, "binary", "char");
    default:
      return field.is_binary ? "blob" : "text";
  }
}

std::size_t CellBytes(const Cell& cell) { return std::visit(ToBytes(), cell); }

}  // namespace schemaward::connect::mysql
