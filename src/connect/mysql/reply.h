#pragma once

// What the server answered to one statement: plain data, so that recorded answers can stand in.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schemaward::connect::mysql {

/// The codes of the wire protocol. Source: MySQL's client/server protocol, field types.
enum class FieldType : std::uint8_t {
  Decimal = 0,
  Tiny = 1,
  Short = 2,
  Long = 3,
  Float = 4,
  Double = 5,
  Null = 6,
  Timestamp = 7,
  LongLong = 8,
  Int24 = 9,
  Date = 10,
  Time = 11,
  DateTime = 12,
  Year = 13,
  VarChar = 15,
  Bit = 16,
  Vector = 242,
  Json = 245,
  NewDecimal = 246,
  Enum = 247,
  Set = 248,
  TinyBlob = 249,
  MediumBlob = 250,
  LongBlob = 251,
  Blob = 252,
  VarString = 253,
  String = 254,
  Geometry = 255
};

/// A column of a result as the server describes it.
struct Field {
  std::string name;
  FieldType type = FieldType::String;
  bool is_unsigned = false;
  bool is_binary = false;        ///< its bytes are no text
  bool is_enum = false;          ///< travels as a string
  bool is_set = false;           ///< travels as a string
  std::uint64_t length_max = 0;  ///< bytes, or digits and signs of a number
  unsigned decimals = 0;         ///< digits behind the point; of seconds in a time
  bool operator==(const Field&) const = default;
};

/// Values as texts: bytes of a bit or a blob as they are, numbers in digits, times as
/// 2024-02-29 12:34:56.5; none is null.
using Row = std::vector<std::optional<std::string>>;

struct Reply {
  std::vector<Field> fields;
  std::vector<Row> rows;
};

}  // namespace schemaward::connect::mysql
