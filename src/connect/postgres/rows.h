#pragma once

// Reads an answer by the names of its fields.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connect/postgres/reply.h"

namespace schemaward::connect::postgres {

using ObjectId = std::uint32_t;

/// Returns the number that `text` starts with, 0 where there is none: the server printed it.
template <class Number>
Number ToNumber(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// One answer; Field is the enum of its query's columns. Lifetime: inside the Reply's.
template <class Field>
class Rows {
 public:
  explicit Rows(const Reply& reply) : reply_(reply) {}
  std::size_t Count() const { return reply_.RowCount(); }
  std::string_view Text(std::size_t row, Field f) const {
    return reply_.Text(row, static_cast<std::size_t>(f));
  }
  std::string String(std::size_t row, Field f) const { return std::string(Text(row, f)); }
  bool Bool(std::size_t row, Field f) const { return Text(row, f) == "t"; }
  bool IsNull(std::size_t row, Field f) const {
    return reply_.IsNull(row, static_cast<std::size_t>(f));
  }
  ObjectId Id(std::size_t row, Field f) const { return ToNumber<ObjectId>(Text(row, f)); }
  std::optional<std::string> Optional(std::size_t row, Field f) const {
    if (IsNull(row, f)) return std::nullopt;
    return String(row, f);
  }

 private:
  const Reply& reply_;
};

}  // namespace schemaward::connect::postgres
