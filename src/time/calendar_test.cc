#include "time/calendar.h"

#include <gtest/gtest.h>

#include "time/iso.h"

namespace schemaward::time {
namespace {

std::int64_t At(const char* text) {
  const auto moment = FromIso(text);
  EXPECT_TRUE(moment) << text;
  return moment ? moment->local : 0;
}

TEST(Calendar, CutsToThePeriodThatHoldsAMoment) {
  struct Row {
    const char* at;
    Unit unit;
    int week_start;
    const char* start;
  };
  for (const Row& row : {
           Row{"2024-02-29T13:45:06.789", Unit::Second, 1, "2024-02-29T13:45:06"},
           Row{"2024-02-29T13:45:06.789", Unit::Minute, 1, "2024-02-29T13:45:00"},
           Row{"2024-02-29T13:45:06.789", Unit::Hour, 1, "2024-02-29T13:00:00"},
           Row{"2024-02-29T13:45:06.789", Unit::Day, 1, "2024-02-29T00:00:00"},
           Row{"2024-02-29T13:45:06.789", Unit::Week, 1, "2024-02-26T00:00:00"},
           Row{"2024-02-29T13:45:06.789", Unit::Month, 1, "2024-02-01T00:00:00"},
           Row{"2024-02-29T13:45:06.789", Unit::Quarter, 1, "2024-01-01T00:00:00"},
           Row{"2024-02-29T13:45:06.789", Unit::Year, 1, "2024-01-01T00:00:00"},
           Row{"2024-12-31", Unit::Week, 1, "2024-12-30T00:00:00"},
           Row{"2025-01-05", Unit::Week, 1, "2024-12-30T00:00:00"},
           Row{"2025-01-05", Unit::Week, 7, "2025-01-05T00:00:00"},
           Row{"2025-01-04", Unit::Week, 7, "2024-12-29T00:00:00"},
           Row{"2025-01-04", Unit::Week, 6, "2025-01-04T00:00:00"},
           Row{"2024-12-31T23:59:59.999999", Unit::Quarter, 1, "2024-10-01T00:00:00"},
           Row{"1969-12-31T23:59:59", Unit::Hour, 1, "1969-12-31T23:00:00"},
           Row{"1969-12-31T23:59:59.5", Unit::Second, 1, "1969-12-31T23:59:59"},
           Row{"1900-03-01", Unit::Month, 1, "1900-03-01T00:00:00"},
           Row{"0001-01-01", Unit::Year, 1, "0001-01-01T00:00:00"},
       })
    EXPECT_EQ(ToIsoNaive(Truncate(At(row.at), row.unit, row.week_start)), row.start)
        << row.at << " " << WordOf(row.unit) << " " << row.week_start;
}

TEST(Calendar, MovesByUnitsAndClampsToTheMonthsLastDay) {
  struct Row {
    const char* at;
    std::int64_t count;
    Unit unit;
    const char* moved;
  };
  for (const Row& row : {
           Row{"2024-01-31T08:00", 1, Unit::Month, "2024-02-29T08:00:00"},
           Row{"2023-01-31", 1, Unit::Month, "2023-02-28T00:00:00"},
           Row{"2024-03-31", -1, Unit::Month, "2024-02-29T00:00:00"},
           Row{"2024-02-29", 1, Unit::Year, "2025-02-28T00:00:00"},
           Row{"2024-02-29", -4, Unit::Year, "2020-02-29T00:00:00"},
           Row{"2024-11-30", 1, Unit::Quarter, "2025-02-28T00:00:00"},
           Row{"2024-01-15", -13, Unit::Month, "2022-12-15T00:00:00"},
           Row{"2024-12-31", 1, Unit::Day, "2025-01-01T00:00:00"},
           Row{"2024-12-31", -2, Unit::Week, "2024-12-17T00:00:00"},
           Row{"2024-12-31T23:30", 45, Unit::Minute, "2025-01-01T00:15:00"},
           Row{"9999-12-31", 1, Unit::Year, "9999-12-31T23:59:59.999999"},
           Row{"0001-01-02", -9'000'000'000'000'000'000, Unit::Week, "0001-01-01T00:00:00"},
           Row{"2024-01-01", 9'000'000'000'000'000'000, Unit::Quarter,
               "9999-12-31T23:59:59.999999"},
       })
    EXPECT_EQ(ToIsoNaive(Add(At(row.at), row.count, row.unit)), row.moved)
        << row.at << " " << row.count << " " << WordOf(row.unit);
}

// Every day of eight centuries, against counting.
TEST(Calendar, CountsDaysAsTheCalendarDoes) {
  Date date{1600, 1, 1};
  std::int64_t micros = MicrosOf(date);
  EXPECT_EQ(WeekdayOf(micros), 6);  // a Saturday
  while (date.year < 2400) {
    ASSERT_EQ(DateOf(micros), date);
    ASSERT_EQ(DateOf(micros + kMicrosPerDay - 1), date);
    ASSERT_EQ(MicrosOf(date), micros);
    micros += kMicrosPerDay;
    if (++date.day <= DaysInMonth(date.year, date.month)) continue;
    date.day = 1;
    if (++date.month <= 12) continue;
    date.month = 1;
    ++date.year;
  }
  EXPECT_EQ(MicrosOf({1970, 1, 1}), 0);
  EXPECT_EQ(WeekdayOf(0), 4);
}

TEST(Calendar, KnowsItsUnitsByWord) {
  EXPECT_EQ(UnitOf("quarter"), Unit::Quarter);
  EXPECT_EQ(UnitOf("months"), std::nullopt);
  EXPECT_EQ(WordOf(Unit::Week), "week");
}

}  // namespace
}  // namespace schemaward::time
