#pragma once

// Moments as microseconds since 1970, and the calendar's steps over them: cutting to a period,
// moving by months. No zones here; `micros` is what a clock on a wall shows.

#include <cstdint>
#include <optional>
#include <string_view>

namespace schemaward::time {

inline constexpr std::int64_t kMicrosPerSecond = 1'000'000;
inline constexpr std::int64_t kMicrosPerMinute = 60 * kMicrosPerSecond;
inline constexpr std::int64_t kMicrosPerHour = 60 * kMicrosPerMinute;
inline constexpr std::int64_t kMicrosPerDay = 24 * kMicrosPerHour;

/// 0001-01-01T00:00 and the last microsecond of the year 9999: what the four digits of an ISO date
/// can say. Results saturate here.
inline constexpr std::int64_t kMicrosMin = -62'135'596'800 * kMicrosPerSecond;
inline constexpr std::int64_t kMicrosMax = 253'402'300'800 * kMicrosPerSecond - 1;

inline constexpr int kMonday = 1;
inline constexpr int kSunday = 7;

enum class Unit : std::uint8_t { Second, Minute, Hour, Day, Week, Month, Quarter, Year };

/// Returns the unit that `word` names in the singular (hour, week), or none.
std::optional<Unit> UnitOf(std::string_view word);

/// The word of a unit. Lifetime: static.
std::string_view WordOf(Unit unit);

/// A day of the Gregorian calendar, which is also taken for the time before it was made.
struct Date {
  int year = 1970;
  int month = 1;  ///< 1 to 12
  int day = 1;    ///< 1 to 31
  bool operator==(const Date&) const = default;
};

/// Returns the day that holds `micros`, which may lie outside of the years 1 to 9999 by some.
Date DateOf(std::int64_t micros);

/// Returns midnight of `date`. Requires: IsDate(date).
std::int64_t MicrosOf(const Date& date);

/// True where the calendar has this day and its year is 1 to 9999.
bool IsDate(const Date& date);

/// Days in a month of a year.
int DaysInMonth(int year, int month);

/// 1 is Monday, 7 is Sunday.
int WeekdayOf(std::int64_t micros);

/// Returns the first moment of the period that holds `micros`. `week_start`: 1 to 7, of Week only.
std::int64_t Truncate(std::int64_t micros, Unit unit, int week_start = kMonday);

/// Returns `micros` moved by `count` units. Months, quarters and years keep the time of day and
/// the day of the month, or take the month's last day where it is shorter: Jan 31 + 1 month is Feb
/// 28 or 29. Saturates at kMicrosMin and kMicrosMax.
std::int64_t Add(std::int64_t micros, std::int64_t count, Unit unit);

}  // namespace schemaward::time
