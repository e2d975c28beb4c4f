#pragma once

// Exact numbers, numbers as they are written, and the one rule by which a number meets a claim.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "explore/warehouse.h"

namespace schemaward::explore {

/// A fraction of whole numbers of any size; there is no float in it. Thread: a value.
class Exact {
 public:
  explicit Exact(std::int64_t whole = 0);
  /// Returns `digits`, which are none but digits, times ten to the power of `exponent`.
  static Exact OfDigits(std::string_view digits, std::int64_t exponent);

  int sign() const;  ///< -1, 0 or 1
  bool operator==(const Exact& other) const;
  Exact operator-() const;
  Exact operator+(const Exact& other) const;
  Exact operator-(const Exact& other) const;
  Exact operator*(const Exact& other) const;
  /// Requires: `other` is not 0.
  Exact operator/(const Exact& other) const;
  /// Returns it rounded to `places` digits after the point, halves away from zero; below 0 to tens,
  /// hundreds and so on.
  Exact RoundedTo(std::int64_t places) const;
  /// Returns it so rounded, with all its digits. Requires: places >= 0.
  std::string ToText(std::int64_t places) const;

 private:
  struct Value;
  explicit Exact(Value value);
  std::shared_ptr<const Value> value_;  // shared: it never changes, and is large
};

/// A number as it was written.
struct Number {
  static constexpr std::size_t kDigitsMax = 400;  ///< also the largest exponent

  Exact value{};
  std::int64_t places = 0;  ///< after the point; an exponent above 0 leaves whole numbers
  bool is_percent = false;  ///< then value and places are those of the share

  /// Reads 12, -0.50, 1.2e3; the whole text or nothing.
  static std::optional<Number> Read(std::string_view text);
  /// The same, and "1,234.5", "12.5 %", "3.4M", whose places are then below 0; blanks and one layer
  /// of quotes around it are passed over.
  static std::optional<Number> ReadClaim(std::string_view text);
  /// Reads a cell: a number, or a text that is one. Nothing for null, booleans, NaN and infinities.
  static std::optional<Number> Of(const Cell& cell);

  bool operator==(const Number& other) const { return value == other.value; }
  std::string ToText() const { return value.ToText(places < 0 ? 0 : places); }
};

/// THE tolerance of every claim: true where `found`, rounded half away from zero to the last digit
/// that the claim was written with, is the claim. 42 is met by 42 and 41.7 but not by 41, 0.42 by
/// 0.4217, 3.4M by 3,350,000. Zero is met by nothing but zero. Thread: any; pure.
bool Meets(const Exact& found, const Number& claim);

}  // namespace schemaward::explore
