#include "connect/postgres/cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace schemaward::connect::postgres {
namespace {

// Source: PostgreSQL's pg_type.dat; the numbers of built-in types never change.
constexpr unsigned kBool = 16, kBytea = 17, kInt8 = 20, kInt2 = 21, kInt4 = 23, kOid = 26,
                   kFloat4 = 700, kFloat8 = 701, kBpchar = 1042, kVarchar = 1043, kTime = 1083,
                   kTimestamp = 1114, kTimestamptz = 1184, kTimetz = 1266, kNumeric = 1700;

struct TypeName {
  unsigned oid;
  std::string_view name;
};
constexpr std::array<TypeName, 44> kNames = {{
    {kBool, "boolean"},
    {kBytea, "bytea"},
    {18, "\"char\""},
    {19, "name"},
    {kInt8, "bigint"},
    {kInt2, "smallint"},
    {kInt4, "integer"},
    {25, "text"},
    {kOid, "oid"},
    {114, "json"},
    {142, "xml"},
    {600, "point"},
    {603, "box"},
    {650, "cidr"},
    {kFloat4, "real"},
    {kFloat8, "double precision"},
    {790, "money"},
    {829, "macaddr"},
    {869, "inet"},
    {1000, "boolean[]"},
    {1005, "smallint[]"},
    {1007, "integer[]"},
    {1009, "text[]"},
    {1015, "character varying[]"},
    {1016, "bigint[]"},
    {1021, "real[]"},
    {1022, "double precision[]"},
    {kBpchar, "character"},
    {kVarchar, "character varying"},
    {1082, "date"},
    {kTime, "time without time zone"},
    {kTimestamp, "timestamp without time zone"},
    {1115, "timestamp without time zone[]"},
    {1182, "date[]"},
    {kTimestamptz, "timestamp with time zone"},
    {1185, "timestamp with time zone[]"},
    {1231, "numeric[]"},
    {kTimetz, "time with time zone"},
    {kNumeric, "numeric"},
    {2950, "uuid"},
    {2951, "uuid[]"},
    {3614, "tsvector"},
    {3802, "jsonb"},
    {3807, "jsonb[]"},
}};

constexpr int kModifierHeader = 4;  // of text and numeric modifiers

template <class Number>
Cell ToNumber(std::string_view text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::string(text);
  return number;
}

int HexValue(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

Cell ToBlob(std::string_view text) {
  constexpr std::size_t kPrefix = 2;  // \x
  if (!text.starts_with("\\x") || text.size() % 2 != 0) return std::string(text);
  Blob blob;
  blob.bytes.reserve(text.size() / 2 - 1);
  for (std::size_t i = kPrefix; i < text.size(); i += 2)
    blob.bytes += static_cast<char>(HexValue(text[i]) * 16 + HexValue(text[i + 1]));
  return blob;
}

// 2024-01-01 00:00:00.5+00 -> 2024-01-01T00:00:00.5+00:00; infinity and years BC stay as they are.
Cell ToTimestamp(std::string_view text, bool has_zone) {
  std::string iso(text);
  const std::size_t blank = iso.find(' ');
  if (blank == std::string::npos || iso.ends_with("BC")) return iso;
  iso[blank] = 'T';
  const std::size_t sign = has_zone ? iso.find_last_of("+-") : std::string::npos;
  constexpr std::size_t kHourOnly = 3;
  if (sign != std::string::npos && sign > blank && iso.size() - sign == kHourOnly) iso += ":00";
  return iso;
}

std::string WithModifier(std::string_view name, unsigned oid, int modifier) {
  if (modifier < 0) return std::string(name);
  const int value = modifier - kModifierHeader;
  switch (oid) {
    case kBpchar:
    case kVarchar:
      return fmt::format("{}({})", name, value);
    case kNumeric: {
      // Since 15 a scale may be negative: eleven bits with a sign.
      constexpr int kScaleBits = 0x7ff, kScaleSign = 1024;
      const int scale = ((value & kScaleBits) ^ kScaleSign) - kScaleSign;
      return fmt::format("numeric({},{})", (value >> 16) & 0xffff, scale);
    }
    case kTime:
    case kTimetz:
    case kTimestamp:
    case kTimestamptz: {
      const std::size_t blank = name.find(' ');
      return fmt::format("{}({}){}", name.substr(0, blank), modifier, name.substr(blank));
    }
    default:
      return std::string(name);
  }
}

struct ToText {
  using Text = std::optional<std::string>;
  Text operator()(std::monostate /*null*/) const { return std::nullopt; }
  Text operator()(bool value) const { return value ? "t" : "f"; }
  Text operator()(std::int64_t value) const { return std::to_string(value); }
  Text operator()(double value) const { return fmt::format("{}", value); }
  Text operator()(const std::string& value) const { return value; }
};

struct ToBytes {
  std::size_t operator()(const std::string& value) const { return value.size(); }
  std::size_t operator()(const Decimal& value) const { return value.text.size(); }
  std::size_t operator()(const Blob& value) const { return value.bytes.size(); }
  template <class Scalar>
  std::size_t operator()(const Scalar& value) const {
    return sizeof value;
  }
};

}  // namespace

Cell MakeCell(unsigned oid, std::string_view text) {
  switch (oid) {
    case kBool:
      return text == "t";
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid:
      return ToNumber<std::int64_t>(text);
    case kFloat4:
    case kFloat8: {
      Cell cell = ToNumber<double>(text);
      // from_chars takes "Infinity" and "NaN" for numbers; JSON does not.
      if (const double* number = std::get_if<double>(&cell);
          number != nullptr && !std::isfinite(*number))
        return std::string(text);
      return cell;
    }
    case kNumeric:
      return Decimal{std::string(text)};
    case kBytea:
      return ToBlob(text);
    case kTimestamp:
      return ToTimestamp(text, false);
    case kTimestamptz:
      return ToTimestamp(text, true);
    default:
      return std::string(text);
  }
}

std::optional<std::string> BuiltInTypeName(unsigned oid, int modifier) {
  const auto row =
      std::find_if(kNames.begin(), kNames.end(), [&](const TypeName& t) { return t.oid == oid; });
  if (row == kNames.end()) return std::nullopt;
  return WithModifier(row->name, oid, modifier);
}

std::optional<std::string> ParameterText(const sql::Literal& literal) {
  return std::visit(ToText(), literal.value);
}

std::size_t CellBytes(const Cell& cell) { return std::visit(ToBytes(), cell); }

}  // namespace schemaward::connect::postgres
