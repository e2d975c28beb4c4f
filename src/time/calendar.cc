#include "time/calendar.h"

#include <algorithm>
#include <array>

namespace schemaward::time {
namespace {

constexpr std::int64_t kDaysPerWeek = 7;
constexpr std::int64_t kMonthsPerQuarter = 3;
constexpr std::int64_t kMonthsPerYear = 12;
constexpr std::array<std::string_view, 8> kWords = {"second", "minute", "hour",    "day",
                                                    "week",   "month",  "quarter", "year"};
// More units than this in either direction leave the years 1 to 9999 whatever the unit.
constexpr std::int64_t kCountMax = kMicrosMax / kMicrosPerSecond * 2;

std::int64_t FloorDivide(std::int64_t value, std::int64_t by) {
  const std::int64_t quotient = value / by;
  return value % by < 0 ? quotient - 1 : quotient;
}

std::int64_t FloorTo(std::int64_t value, std::int64_t step) {
  return FloorDivide(value, step) * step;
}

// Days since 1970-01-01 of a day in a proleptic Gregorian calendar.
// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
std::int64_t DaysOf(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = FloorDivide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

std::int64_t Clamp(std::int64_t micros) { return std::clamp(micros, kMicrosMin, kMicrosMax); }

std::int64_t StartOfMonths(std::int64_t micros, std::int64_t months) {
  const Date date = DateOf(micros);
  const auto month = static_cast<int>(FloorTo(date.month - 1, months) + 1);
  return DaysOf(date.year, month, 1) * kMicrosPerDay;
}

std::int64_t AddMonths(std::int64_t micros, std::int64_t months) {
  const Date date = DateOf(micros);
  const std::int64_t index = date.year * kMonthsPerYear + date.month - 1 + months;
  const std::int64_t year = FloorDivide(index, kMonthsPerYear);
  if (year < 1) return kMicrosMin;
  if (year > 9999) return kMicrosMax;
  const auto month = static_cast<int>(index - year * kMonthsPerYear + 1);
  const int day = std::min(date.day, DaysInMonth(static_cast<int>(year), month));
  return DaysOf(year, month, day) * kMicrosPerDay + (micros - FloorTo(micros, kMicrosPerDay));
}

std::int64_t AddFixed(std::int64_t micros, std::int64_t count, std::int64_t step) {
  constexpr std::int64_t kSpan = kMicrosMax - kMicrosMin;
  const std::int64_t steps_max = kSpan / step + 1;
  const std::int64_t steps = std::clamp(count, -steps_max, steps_max);
  return Clamp(micros + steps * step);
}

}  // namespace

std::optional<Unit> UnitOf(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (kWords[i] == word) return static_cast<Unit>(i);
  return std::nullopt;
}

std::string_view WordOf(Unit unit) { return kWords[static_cast<std::size_t>(unit)]; }

// Source: as DaysOf, civil_from_days.
Date DateOf(std::int64_t micros) {
  const std::int64_t days = FloorDivide(micros, kMicrosPerDay) + 719'468;
  const std::int64_t era = FloorDivide(days, 146'097);
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const std::int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  const std::int64_t day = day_of_year - (153 * shifted + 2) / 5 + 1;
  return {static_cast<int>(year), static_cast<int>(month), static_cast<int>(day)};
}

std::int64_t MicrosOf(const Date& date) {
  return DaysOf(date.year, date.month, date.day) * kMicrosPerDay;
}

int DaysInMonth(int year, int month) {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool IsDate(const Date& date) {
  return date.year >= 1 && date.year <= 9999 && date.month >= 1 && date.month <= 12 &&
         date.day >= 1 && date.day <= DaysInMonth(date.year, date.month);
}

int WeekdayOf(std::int64_t micros) {
  constexpr std::int64_t kThursday = 3;  // 1970-01-01, counted from Monday as 0
  const std::int64_t days = FloorDivide(micros, kMicrosPerDay) + kThursday;
  return static_cast<int>(days - FloorTo(days, kDaysPerWeek)) + 1;
}

std::int64_t Truncate(std::int64_t micros, Unit unit, int week_start) {
  switch (unit) {
    case Unit::Second:
      return FloorTo(micros, kMicrosPerSecond);
    case Unit::Minute:
      return FloorTo(micros, kMicrosPerMinute);
    case Unit::Hour:
      return FloorTo(micros, kMicrosPerHour);
    case Unit::Day:
      return FloorTo(micros, kMicrosPerDay);
    case Unit::Week: {
      const std::int64_t since = (WeekdayOf(micros) - week_start + kDaysPerWeek) % kDaysPerWeek;
      return FloorTo(micros, kMicrosPerDay) - since * kMicrosPerDay;
    }
    case Unit::Month:
      return StartOfMonths(micros, 1);
    case Unit::Quarter:
      return StartOfMonths(micros, kMonthsPerQuarter);
    case Unit::Year:
      return StartOfMonths(micros, kMonthsPerYear);
  }
  return micros;
}

std::int64_t Add(std::int64_t micros, std::int64_t count, Unit unit) {
  const std::int64_t from = Clamp(micros);
  const std::int64_t bounded = std::clamp(count, -kCountMax, kCountMax);
  switch (unit) {
    case Unit::Second:
      return AddFixed(from, bounded, kMicrosPerSecond);
    case Unit::Minute:
      return AddFixed(from, bounded, kMicrosPerMinute);
    case Unit::Hour:
      return AddFixed(from, bounded, kMicrosPerHour);
    case Unit::Day:
      return AddFixed(from, bounded, kMicrosPerDay);
    case Unit::Week:
      return AddFixed(from, bounded, kDaysPerWeek * kMicrosPerDay);
    case Unit::Month:
      return AddMonths(from, bounded);
    case Unit::Quarter:
      return AddMonths(from, bounded * kMonthsPerQuarter);
    case Unit::Year:
      return AddMonths(from, bounded * kMonthsPerYear);
  }
  return from;
}

}  // namespace schemaward::time
