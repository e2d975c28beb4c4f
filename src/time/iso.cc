#include "time/iso.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "time/calendar.h"

namespace schemaward::time {
namespace {

constexpr int kFractionDigits = 6;
constexpr int kOffsetHoursMax = 18;

// Reads from the front of a text. Each step says whether it found what it wants.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool Digits(int count, int& value) {
    if (rest_.size() < static_cast<std::size_t>(count)) return false;
    value = 0;
    for (int i = 0; i < count; ++i) {
      const char c = rest_[static_cast<std::size_t>(i)];
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(static_cast<std::size_t>(count));
    return true;
  }

  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // After the point: at least one digit, those beyond the sixth are cut.
  bool Fraction(std::int64_t& micros) {
    int digits = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; ++digits) {
      if (digits < kFractionDigits) micros = micros * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    for (int i = digits; i < kFractionDigits; ++i) micros *= 10;
    return digits > 0;
  }

  bool AtEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool ReadDate(Reader& reader, std::int64_t& micros) {
  Date date;
  if (!reader.Digits(4, date.year) || !reader.Take('-') || !reader.Digits(2, date.month) ||
      !reader.Take('-') || !reader.Digits(2, date.day) || !IsDate(date))
    return false;
  micros = MicrosOf(date);
  return true;
}

bool ReadTime(Reader& reader, std::int64_t& micros) {
  int hour = 0, minute = 0, second = 0;
  std::int64_t fraction = 0;
  if (!reader.Digits(2, hour) || !reader.Take(':') || !reader.Digits(2, minute)) return false;
  if (reader.Take(':')) {
    if (!reader.Digits(2, second)) return false;
    if (reader.Take('.') && !reader.Fraction(fraction)) return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  micros +=
      hour * kMicrosPerHour + minute * kMicrosPerMinute + second * kMicrosPerSecond + fraction;
  return true;
}

// Z, +HH, +HHMM or +HH:MM; nothing is fine too.
bool ReadOffset(Reader& reader, std::optional<std::int64_t>& offset) {
  if (reader.AtEnd()) return true;
  reader.Take(' ');
  if (reader.Take('Z') || reader.Take('z')) {
    offset = 0;
    return true;
  }
  const bool is_east = reader.Take('+');
  if (!is_east && !reader.Take('-')) return false;
  int hours = 0, minutes = 0;
  if (!reader.Digits(2, hours)) return false;
  if (reader.Take(':') || !reader.AtEnd())
    if (!reader.Digits(2, minutes)) return false;
  if (hours > kOffsetHoursMax || minutes > 59) return false;
  const std::int64_t size = hours * kMicrosPerHour + minutes * kMicrosPerMinute;
  offset = is_east ? size : -size;
  return true;
}

std::string_view Trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::int64_t Clamp(std::int64_t micros) { return std::clamp(micros, kMicrosMin, kMicrosMax); }

}  // namespace

std::optional<Moment> FromIso(std::string_view text) {
  if (text.size() > kIsoBytesMax) return std::nullopt;
  Reader reader(Trimmed(text));
  Moment moment;
  if (!ReadDate(reader, moment.local)) return std::nullopt;
  if (reader.AtEnd()) return moment;
  moment.has_time = true;
  if (!reader.Take('T') && !reader.Take('t') && !reader.Take(' ')) return std::nullopt;
  if (!ReadTime(reader, moment.local) || !ReadOffset(reader, moment.offset) || !reader.AtEnd())
    return std::nullopt;
  return moment;
}

std::string ToIsoDate(std::int64_t micros) {
  const Date date = DateOf(Clamp(micros));
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::string ToIsoNaive(std::int64_t micros) {
  const std::int64_t at = Clamp(micros);
  const std::int64_t rest = at - Truncate(at, Unit::Day);
  std::string text = fmt::format("{}T{:02}:{:02}:{:02}", ToIsoDate(at), rest / kMicrosPerHour,
                                 rest / kMicrosPerMinute % 60, rest / kMicrosPerSecond % 60);
  if (const std::int64_t fraction = rest % kMicrosPerSecond; fraction != 0) {
    text += fmt::format(".{:06}", fraction);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

std::string ToIsoZoned(std::int64_t utc, std::int64_t local) {
  const std::int64_t offset = local - utc;
  const std::int64_t minutes = std::abs(offset) / kMicrosPerMinute;
  return fmt::format("{}{}{:02}:{:02}", ToIsoNaive(local), offset < 0 ? '-' : '+', minutes / 60,
                     minutes % 60);
}

}  // namespace schemaward::time
