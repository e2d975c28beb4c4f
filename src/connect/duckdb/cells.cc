#include "connect/duckdb/cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "time/calendar.h"
#include "time/iso.h"

namespace schemaward::connect::duckdb {
namespace {

constexpr int kTypeDepthMax = 8;           // deeper types are printed with an ellipsis
constexpr std::uint64_t kMembersMax = 50;  // of a struct, printed
constexpr std::int64_t kMicrosPerMilli = 1'000, kNsPerMicro = 1'000;
constexpr std::int64_t kNumberBytes = 8;

struct TypeName {
  TypeId id;
  const char* name;
};
constexpr std::array<TypeName, 32> kNames = {{{TypeId::Boolean, "BOOLEAN"},
                                              {TypeId::TinyInt, "TINYINT"},
                                              {TypeId::SmallInt, "SMALLINT"},
                                              {TypeId::Integer, "INTEGER"},
                                              {TypeId::BigInt, "BIGINT"},
                                              {TypeId::UTinyInt, "UTINYINT"},
                                              {TypeId::USmallInt, "USMALLINT"},
                                              {TypeId::UInteger, "UINTEGER"},
                                              {TypeId::UBigInt, "UBIGINT"},
                                              {TypeId::Float, "FLOAT"},
                                              {TypeId::Double, "DOUBLE"},
                                              {TypeId::Timestamp, "TIMESTAMP"},
                                              {TypeId::Date, "DATE"},
                                              {TypeId::Time, "TIME"},
                                              {TypeId::Interval, "INTERVAL"},
                                              {TypeId::HugeInt, "HUGEINT"},
                                              {TypeId::UHugeInt, "UHUGEINT"},
                                              {TypeId::Varchar, "VARCHAR"},
                                              {TypeId::Blob, "BLOB"},
                                              {TypeId::TimestampS, "TIMESTAMP_S"},
                                              {TypeId::TimestampMs, "TIMESTAMP_MS"},
                                              {TypeId::TimestampNs, "TIMESTAMP_NS"},
                                              {TypeId::Enum, "ENUM"},
                                              {TypeId::Uuid, "UUID"},
                                              {TypeId::Union, "UNION"},
                                              {TypeId::Bit, "BIT"},
                                              {TypeId::TimeTz, "TIME WITH TIME ZONE"},
                                              {TypeId::TimestampTz, "TIMESTAMP WITH TIME ZONE"},
                                              {TypeId::BigNum, "BIGNUM"},
                                              {TypeId::SqlNull, "NULL"},
                                              {TypeId::Invalid, ""},
                                              {TypeId::Struct, "STRUCT"}}};

std::string Taken(const Api& api, char* text) {
  std::string copy = text == nullptr ? "" : text;
  api.free(text);
  return copy;
}

std::string NameOf(const Api& api, LogicalType type, int depth);

std::string NameOfChild(const Api& api, LogicalType child, int depth) {
  const Owned<LogicalType> owned(child, api.destroy_logical_type);
  return NameOf(api, child, depth + 1);
}

std::string NameOfStruct(const Api& api, LogicalType type, int depth) {
  const std::uint64_t count = api.struct_type_child_count(type);
  std::string name = "STRUCT(";
  for (std::uint64_t i = 0; i < std::min(count, kMembersMax); ++i)
    name +=
        fmt::format("{}{} {}", i > 0 ? ", " : "", Taken(api, api.struct_type_child_name(type, i)),
                    NameOfChild(api, api.struct_type_child_type(type, i), depth));
  return name + (count > kMembersMax ? ", ...)" : ")");
}

std::string NameOf(const Api& api, LogicalType type, int depth) {
  if (depth > kTypeDepthMax) return "...";
  if (const std::string alias = Taken(api, api.logical_type_get_alias(type)); !alias.empty())
    return alias;
  const TypeId id = api.get_type_id(type);
  switch (id) {
    case TypeId::Decimal:
      return fmt::format("DECIMAL({},{})", api.decimal_width(type), api.decimal_scale(type));
    case TypeId::List:
      return NameOfChild(api, api.list_type_child_type(type), depth) + "[]";
    case TypeId::Array:
      return fmt::format("{}[{}]", NameOfChild(api, api.array_type_child_type(type), depth),
                         api.array_type_array_size(type));
    case TypeId::Map:
      return fmt::format("MAP({}, {})", NameOfChild(api, api.map_type_key_type(type), depth),
                         NameOfChild(api, api.map_type_value_type(type), depth));
    case TypeId::Struct:
      return NameOfStruct(api, type, depth);
    default:
      for (const TypeName& row : kNames)
        if (row.id == id) return row.name;
      return "";
  }
}

template <class T>
T ValueAt(const Api& api, Vector vector, std::uint64_t row) {
  T value;
  std::memcpy(&value, static_cast<const char*>(api.vector_get_data(vector)) + row * sizeof(T),
              sizeof(T));
  return value;
}

bool IsNull(const Api& api, Vector vector, std::uint64_t row) {
  constexpr std::uint64_t kBits = 64;
  const std::uint64_t* validity = api.vector_get_validity(vector);
  return validity != nullptr && ((validity[row / kBits] >> (row % kBits)) & 1u) == 0;
}

std::string TextAt(const Api& api, Vector vector, std::uint64_t row) {
  const char* at = static_cast<const char*>(api.vector_get_data(vector)) + row * sizeof(RawString);
  RawString value;
  std::memcpy(&value, at, sizeof value);
  if (value.length <= RawString::kInlineMax) return {at + offsetof(RawString, head), value.length};
  return {value.start, value.length};
}

// Digits of an unsigned number of 128 bits, given by halves.
std::string Digits(std::uint64_t upper, std::uint64_t lower) {
  constexpr std::uint32_t kBase = 1'000'000'000;
  std::array<std::uint32_t, 4> words = {
      static_cast<std::uint32_t>(upper >> 32), static_cast<std::uint32_t>(upper),
      static_cast<std::uint32_t>(lower >> 32), static_cast<std::uint32_t>(lower)};
  std::string digits;
  while (std::any_of(words.begin(), words.end(), [](std::uint32_t word) { return word != 0; })) {
    std::uint64_t rest = 0;
    for (std::uint32_t& word : words) {
      const std::uint64_t part = (rest << 32) | word;
      word = static_cast<std::uint32_t>(part / kBase);
      rest = part % kBase;
    }
    digits = fmt::format("{:09}", rest) + digits;
  }
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

// A number of 128 bits with its sign apart.
struct Wide {
  bool negative = false;
  std::string digits;
};

Wide WideOf(const RawHuge& value) {
  auto upper = static_cast<std::uint64_t>(value.upper);
  std::uint64_t lower = value.lower;
  const bool negative = value.upper < 0;
  if (negative) {  // two's complement
    lower = ~lower + 1;
    upper = ~upper + (lower == 0 ? 1 : 0);
  }
  return {negative, Digits(upper, lower)};
}

Cell HugeCell(const RawHuge& value) {
  const auto lower = static_cast<std::int64_t>(value.lower);
  const bool fits = (value.upper == 0 && lower >= 0) || (value.upper == -1 && lower < 0);
  if (fits) return lower;
  const Wide wide = WideOf(value);
  return Decimal{(wide.negative ? "-" : "") + wide.digits};
}

Cell UnsignedHugeCell(const RawHuge& value) {
  if (value.upper == 0 && std::in_range<std::int64_t>(value.lower))
    return static_cast<std::int64_t>(value.lower);
  return Decimal{Digits(static_cast<std::uint64_t>(value.upper), value.lower)};
}

Wide StoredAt(const Api& api, const ColumnType& type, Vector vector, std::uint64_t row) {
  std::int64_t value = 0;
  switch (type.stored) {
    case TypeId::SmallInt:
      value = ValueAt<std::int16_t>(api, vector, row);
      break;
    case TypeId::Integer:
      value = ValueAt<std::int32_t>(api, vector, row);
      break;
    case TypeId::BigInt:
      value = ValueAt<std::int64_t>(api, vector, row);
      break;
    default:
      return WideOf(ValueAt<RawHuge>(api, vector, row));
  }
  return WideOf({static_cast<std::uint64_t>(value), value < 0 ? -1 : 0});
}

Decimal DecimalAt(const Api& api, const ColumnType& type, Vector vector, std::uint64_t row) {
  Wide wide = StoredAt(api, type, vector, row);
  const auto scale = static_cast<std::size_t>(type.scale);
  if (wide.digits.size() <= scale)
    wide.digits.insert(0, std::string(scale + 1 - wide.digits.size(), '0'));
  if (scale > 0) wide.digits.insert(wide.digits.size() - scale, ".");
  return {(wide.negative ? "-" : "") + wide.digits};
}

Cell FloatCell(double value) {
  if (std::isnan(value)) return std::string("NaN");
  if (std::isinf(value)) return std::string(value > 0 ? "Infinity" : "-Infinity");
  return value;
}

// The shortest text that is this number says more than its value as a double.
Cell SingleCell(float value) {
  if (!std::isfinite(value)) return FloatCell(value);
  const std::string text = fmt::format("{}", value);
  double read = value;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return read;
}

template <class T>
std::string InfinityOf(T value) {
  return value > 0 ? "infinity" : "-infinity";
}

// The two ends of a type stand for the infinities; its lowest value is not used.
template <class T>
bool IsInfinite(T value) {
  return value == std::numeric_limits<T>::max() || value <= -std::numeric_limits<T>::max();
}

// Years of more than four digits, and those BC, as the engine prints them.
std::string DayText(std::int64_t days) {
  constexpr std::int64_t kEraDays = 146'097, kEraYears = 400;  // after which the calendar repeats
  const std::int64_t eras = days / kEraDays - (days % kEraDays < 0 ? 1 : 0);
  const time::Date date = time::DateOf((days - eras * kEraDays) * time::kMicrosPerDay);
  const std::int64_t year = date.year + eras * kEraYears;
  const bool is_bc = year < 1;
  return fmt::format("{:04}-{:02}-{:02}{}", is_bc ? 1 - year : year, date.month, date.day,
                     is_bc ? " (BC)" : "");
}

std::string DateText(std::int32_t days) {
  if (IsInfinite(days)) return InfinityOf(days);
  return DayText(days);
}

// `value`: parts of so many microseconds since 1970.
std::string MomentText(std::int64_t value, std::int64_t micros_each, bool zoned) {
  if (IsInfinite(value)) return InfinityOf(value);
  const std::int64_t parts = time::kMicrosPerDay / micros_each;
  const std::int64_t days = value / parts - (value % parts < 0 ? 1 : 0);
  const std::string day = DayText(days);
  // The clock's part of a text of 1970: T12:34:56.5
  std::string clock = time::ToIsoNaive((value - days * parts) * micros_each)
                          .substr(std::string_view("1970-01-01").size());
  if (day.ends_with(')')) clock.front() = ' ';
  return day + clock + (zoned ? "+00:00" : "");
}

std::string NanoMoment(std::int64_t nanos) {
  if (IsInfinite(nanos)) return InfinityOf(nanos);
  const std::int64_t micros =
      nanos / kNsPerMicro - (nanos % kNsPerMicro < 0 ? 1 : 0);  // rounded down
  const std::int64_t rest = nanos - micros * kNsPerMicro;
  if (rest == 0) return time::ToIsoNaive(micros);
  const std::int64_t second =
      micros - (micros % time::kMicrosPerSecond + time::kMicrosPerSecond) % time::kMicrosPerSecond;
  std::string fraction =
      fmt::format("{:06}{:03}", micros - second, rest);  // without zeros at its end
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return time::ToIsoNaive(second) + "." + fraction;
}

}  // namespace

ColumnType DescribeType(const Api& api, LogicalType type) {
  ColumnType described{.id = api.get_type_id(type), .name = NameOf(api, type, 0)};
  if (described.id == TypeId::Decimal) {
    described.stored = api.decimal_internal_type(type);
    described.scale = api.decimal_scale(type);
  }
  return described;
}

bool IsReadable(const ColumnType& type) {
  switch (type.id) {
    case TypeId::Boolean:
    case TypeId::TinyInt:
    case TypeId::SmallInt:
    case TypeId::Integer:
    case TypeId::BigInt:
    case TypeId::UTinyInt:
    case TypeId::USmallInt:
    case TypeId::UInteger:
    case TypeId::UBigInt:
    case TypeId::HugeInt:
    case TypeId::UHugeInt:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::Decimal:
    case TypeId::Varchar:
    case TypeId::Blob:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampTz:
    case TypeId::TimestampS:
    case TypeId::TimestampMs:
    case TypeId::TimestampNs:
      return true;
    default:
      return false;
  }
}

Cell CellAt(const Api& api, const ColumnType& type, Vector vector, std::uint64_t row) {
  if (IsNull(api, vector, row)) return std::monostate();
  switch (type.id) {
    case TypeId::Boolean:
      return ValueAt<std::uint8_t>(api, vector, row) != 0;
    case TypeId::TinyInt:
      return std::int64_t{ValueAt<std::int8_t>(api, vector, row)};
    case TypeId::SmallInt:
      return std::int64_t{ValueAt<std::int16_t>(api, vector, row)};
    case TypeId::Integer:
      return std::int64_t{ValueAt<std::int32_t>(api, vector, row)};
    case TypeId::BigInt:
      return ValueAt<std::int64_t>(api, vector, row);
    case TypeId::UTinyInt:
      return std::int64_t{ValueAt<std::uint8_t>(api, vector, row)};
    case TypeId::USmallInt:
      return std::int64_t{ValueAt<std::uint16_t>(api, vector, row)};
    case TypeId::UInteger:
      return std::int64_t{ValueAt<std::uint32_t>(api, vector, row)};
    case TypeId::UBigInt:
      return UnsignedHugeCell({ValueAt<std::uint64_t>(api, vector, row), 0});
    case TypeId::HugeInt:
      return HugeCell(ValueAt<RawHuge>(api, vector, row));
    case TypeId::UHugeInt:
      return UnsignedHugeCell(ValueAt<RawHuge>(api, vector, row));
    case TypeId::Float:
      return SingleCell(ValueAt<float>(api, vector, row));
    case TypeId::Double:
      return FloatCell(ValueAt<double>(api, vector, row));
    case TypeId::Decimal:
      return DecimalAt(api, type, vector, row);
    case TypeId::Blob:
      return Blob{TextAt(api, vector, row)};
    case TypeId::Date:
      return DateText(ValueAt<std::int32_t>(api, vector, row));
    case TypeId::Timestamp:
      return MomentText(ValueAt<std::int64_t>(api, vector, row), 1, false);
    case TypeId::TimestampTz:
      return MomentText(ValueAt<std::int64_t>(api, vector, row), 1, true);
    case TypeId::TimestampS:
      return MomentText(ValueAt<std::int64_t>(api, vector, row), time::kMicrosPerSecond, false);
    case TypeId::TimestampMs:
      return MomentText(ValueAt<std::int64_t>(api, vector, row), kMicrosPerMilli, false);
    case TypeId::TimestampNs:
      return NanoMoment(ValueAt<std::int64_t>(api, vector, row));
    default:
      return TextAt(api, vector, row);
  }
}

std::int64_t CellBytes(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return 0;
  if (const auto* text = std::get_if<std::string>(&cell))
    return static_cast<std::int64_t>(text->size());
  if (const auto* blob = std::get_if<Blob>(&cell))
    return static_cast<std::int64_t>(blob->bytes.size());
  if (const auto* decimal = std::get_if<Decimal>(&cell))
    return static_cast<std::int64_t>(decimal->text.size());
  return kNumberBytes;
}

}  // namespace schemaward::connect::duckdb
