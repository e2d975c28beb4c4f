#include "explore/exact.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include "explore/text.h"

namespace schemaward::explore {
namespace {

using Whole = boost::multiprecision::cpp_int;
using Fraction = boost::multiprecision::cpp_rational;

Fraction PowerOfTen(std::int64_t exponent) {
  const Whole power = boost::multiprecision::pow(
      Whole(10), static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Fraction(Whole(1), power) : Fraction(power);
}

// The size of `value` in units of its last place, halves up.
Whole UnitsOf(const Fraction& value, std::int64_t places) {
  const Fraction scaled = abs(value) * PowerOfTen(places);
  return (numerator(scaled) * 2 + denominator(scaled)) / (denominator(scaled) * 2);
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the head of `text`.
std::string TakeDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsDigit);
  std::string digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

// Takes an exponent, to the end; nothing where one begins and is none.
std::optional<std::int64_t> TakeExponent(std::string_view text) {
  constexpr auto kMost = static_cast<std::int64_t>(Number::kDigitsMax);
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(text.substr(1, 1) == "+" ? 2 : 1);
  std::int64_t exponent = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!is_whole || exponent > kMost || exponent < -kMost) return std::nullopt;
  return exponent;
}

// Commas must stand where thousands end.
std::optional<std::string> WithoutCommas(std::string_view text) {
  constexpr std::size_t kGroup = 3;
  const std::size_t end = std::min(text.find('.'), text.size());
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      plain += text[i];
      continue;
    }
    const std::size_t next = std::min(text.find(',', i + 1), end);
    if (i == 0 || i > end || next - i - 1 != kGroup) return std::nullopt;
  }
  return plain;
}

// Takes the unit at the end of `text` and returns its power of ten.
std::int64_t TakeUnit(std::string& text) {
  constexpr std::string_view kUnits = "KMB";
  constexpr std::int64_t kThousand = 3;
  constexpr std::int64_t kPercent = -2;
  if (text.empty()) return 0;
  const std::size_t unit = kUnits.find(text.back());
  const bool is_percent = text.back() == '%';
  if (!is_percent && unit == std::string_view::npos) return 0;
  text.pop_back();
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return is_percent ? kPercent : kThousand * static_cast<std::int64_t>(unit + 1);
}

struct CellNumber {
  std::optional<Number> operator()(std::monostate /*null*/) const { return std::nullopt; }
  std::optional<Number> operator()(bool /*value*/) const { return std::nullopt; }
  std::optional<Number> operator()(std::int64_t value) const { return Number{Exact(value)}; }
  // The shortest decimal that reads back as the same double is what everybody is shown.
  std::optional<Number> operator()(double value) const {
    return std::isfinite(value) ? Number::Read(fmt::format("{}", value)) : std::nullopt;
  }
  std::optional<Number> operator()(const std::string& value) const { return Number::Read(value); }
  std::optional<Number> operator()(const Decimal& value) const { return Number::Read(value.text); }
};

}  // namespace

struct Exact::Value {
  Fraction fraction;
};

Exact::Exact(Value value) : value_(std::make_shared<const Value>(std::move(value))) {}
Exact::Exact(std::int64_t whole) : Exact(Value{Fraction(Whole(whole))}) {}

Exact Exact::OfDigits(std::string_view digits, std::int64_t exponent) {
  Whole whole = 0;
  for (const char digit : digits) whole = whole * 10 + (digit - '0');
  return Exact(Value{Fraction(whole) * PowerOfTen(exponent)});
}

int Exact::sign() const { return value_->fraction.sign(); }
bool Exact::operator==(const Exact& other) const {
  return value_->fraction == other.value_->fraction;
}
Exact Exact::operator-() const { return Exact(Value{Fraction(-value_->fraction)}); }
Exact Exact::operator+(const Exact& other) const {
  return Exact(Value{Fraction(value_->fraction + other.value_->fraction)});
}
Exact Exact::operator-(const Exact& other) const { return *this + -other; }
Exact Exact::operator*(const Exact& other) const {
  return Exact(Value{Fraction(value_->fraction * other.value_->fraction)});
}
Exact Exact::operator/(const Exact& other) const {
  return Exact(Value{Fraction(value_->fraction / other.value_->fraction)});
}

Exact Exact::RoundedTo(std::int64_t places) const {
  const Fraction size = Fraction(UnitsOf(value_->fraction, places)) * PowerOfTen(-places);
  return Exact(Value{sign() < 0 ? Fraction(-size) : size});
}

std::string Exact::ToText(std::int64_t places) const {
  const Whole units = UnitsOf(value_->fraction, places);
  std::string digits = units.str();
  const auto point = static_cast<std::size_t>(places);
  if (digits.size() <= point) digits.insert(0, point + 1 - digits.size(), '0');
  if (point > 0) digits.insert(digits.size() - point, ".");
  return (sign() < 0 && units != 0 ? "-" : "") + digits;
}

std::optional<Number> Number::Read(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits = TakeDigits(text);
  std::string after;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    after = TakeDigits(text);
  }
  digits += after;
  const auto exponent = TakeExponent(text);
  if (digits.empty() || digits.size() > kDigitsMax || !exponent) return std::nullopt;
  const std::int64_t places = static_cast<std::int64_t>(after.size()) - *exponent;
  Number number;
  number.value = Exact::OfDigits(digits, -places);
  if (is_negative) number.value = -number.value;
  number.places = std::max<std::int64_t>(places, 0);
  return number;
}

std::optional<Number> Number::ReadClaim(std::string_view text) {
  std::string bare = BareName(text);
  const std::int64_t scale = TakeUnit(bare);
  const auto plain = WithoutCommas(bare);
  auto number = plain ? Read(*plain) : std::nullopt;
  if (!number) return std::nullopt;
  number->value = number->value * Exact::OfDigits("1", scale);
  number->places -= scale;
  number->is_percent = scale < 0;
  return number;
}

std::optional<Number> Number::Of(const Cell& cell) { return std::visit(CellNumber{}, cell); }

bool Meets(const Exact& found, const Number& claim) {
  if (claim.value.sign() == 0) return found.sign() == 0;
  return found.RoundedTo(claim.places) == claim.value;
}

}  // namespace schemaward::explore
