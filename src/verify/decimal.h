#pragma once

// Numbers as they are written, compared without a float in between.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "explore/warehouse.h"

namespace schemaward::verify {

/// A decimal number: digits without leading zeros, of which the last `places` stand after the
/// point. Thread: a value.
class Decimal {
 public:
  /// Reads 12, -0.50, 1.2e3. Nothing for anything else, and past kDigitsMax digits.
  static std::optional<Decimal> Read(std::string_view text);
  /// Reads a cell: a number, or a text that is one. Nothing for null, booleans, NaN and infinities.
  static std::optional<Decimal> Of(const explore::Cell& cell);

  static constexpr std::size_t kDigitsMax = 400;

  bool is_zero() const { return digits_.empty(); }
  bool is_negative() const { return is_negative_; }
  std::int64_t places() const { return places_; }
  /// Returns the number with `places` digits after the point, halves away from zero.
  Decimal RoundedTo(std::int64_t places) const;
  bool operator==(const Decimal& other) const;
  std::string ToText() const;

 private:
  void DropLeadingZeros();
  Decimal Widened(std::int64_t places) const;

  bool is_negative_ = false;
  std::string digits_;
  std::int64_t places_ = 0;  ///< at least 0
};

/// True where `found`, rounded to the places that the claim was written with, is the claim: 42 is
/// met by 42 and 41.7 but not by 41, 0.42 by 0.4217. Zero is met by nothing but zero.
bool Meets(const Decimal& found, const Decimal& claim);

}  // namespace schemaward::verify
