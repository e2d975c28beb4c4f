#include "verify/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace schemaward::verify {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the head of `text`.
std::string TakeDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsDigit);
  std::string digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

// Takes an exponent; nothing where one begins and is none.
std::optional<std::int64_t> TakeExponent(std::string_view& text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(text.substr(0, 2) == "e+" || text.substr(0, 2) == "E+" ? 2 : 1);
  std::int64_t exponent = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  text = {};
  return exponent;
}

struct CellDecimal {
  std::optional<Decimal> operator()(std::monostate /*null*/) const { return std::nullopt; }
  std::optional<Decimal> operator()(bool /*value*/) const { return std::nullopt; }
  std::optional<Decimal> operator()(std::int64_t value) const {
    return Decimal::Read(std::to_string(value));
  }
  std::optional<Decimal> operator()(double value) const {
    return std::isfinite(value) ? Decimal::Read(fmt::format("{}", value)) : std::nullopt;
  }
  std::optional<Decimal> operator()(const std::string& value) const { return Decimal::Read(value); }
  std::optional<Decimal> operator()(const explore::Decimal& value) const {
    return Decimal::Read(value.text);
  }
};

}  // namespace

void Decimal::DropLeadingZeros() {
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  if (digits_.empty()) is_negative_ = false;
}

std::optional<Decimal> Decimal::Read(std::string_view text) {
  Decimal made;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    made.is_negative_ = text.front() == '-';
    text.remove_prefix(1);
  }
  made.digits_ = TakeDigits(text);
  std::string after;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    after = TakeDigits(text);
  }
  if (made.digits_.empty() && after.empty()) return std::nullopt;
  const auto exponent = TakeExponent(text);
  const auto most = static_cast<std::int64_t>(kDigitsMax);
  if (!exponent || *exponent > most || *exponent < -most) return std::nullopt;
  made.digits_ += after;
  made.places_ = static_cast<std::int64_t>(after.size()) - *exponent;
  if (made.places_ < 0)
    made.digits_.append(static_cast<std::size_t>(-std::exchange(made.places_, 0)), '0');
  made.DropLeadingZeros();
  if (made.digits_.size() > kDigitsMax) return std::nullopt;
  return made;
}

std::optional<Decimal> Decimal::Of(const explore::Cell& cell) {
  return std::visit(CellDecimal{}, cell);
}

Decimal Decimal::Widened(std::int64_t places) const {
  Decimal wide = *this;
  if (places > places_ && !digits_.empty())
    wide.digits_.append(static_cast<std::size_t>(places - places_), '0');
  wide.places_ = std::max(places, places_);
  return wide;
}

Decimal Decimal::RoundedTo(std::int64_t places) const {
  if (places >= places_) return Widened(places);
  const auto cut = static_cast<std::size_t>(places_ - places);
  Decimal made = *this;
  made.places_ = places;
  // One digit more in front takes what is carried.
  made.digits_ =
      std::string(cut + 1 > digits_.size() ? cut + 1 - digits_.size() : 1, '0') + digits_;
  const bool rounds_up = made.digits_[made.digits_.size() - cut] >= '5';
  made.digits_.resize(made.digits_.size() - cut);
  for (std::size_t i = made.digits_.size(); rounds_up && i-- > 0;) {
    if (made.digits_[i] != '9') {
      ++made.digits_[i];
      break;
    }
    made.digits_[i] = '0';
  }
  made.DropLeadingZeros();
  return made;
}

bool Decimal::operator==(const Decimal& other) const {
  const std::int64_t places = std::max(places_, other.places_);
  return is_negative_ == other.is_negative_ &&
         Widened(places).digits_ == other.Widened(places).digits_;
}

std::string Decimal::ToText() const {
  const auto places = static_cast<std::size_t>(places_);
  std::string text = digits_;
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  if (places > 0) text.insert(text.size() - places, ".");
  return (is_negative_ ? "-" : "") + text;
}

bool Meets(const Decimal& found, const Decimal& claim) {
  if (claim.is_zero()) return found.is_zero();
  return found.RoundedTo(claim.places()) == claim;
}

}  // namespace schemaward::verify
