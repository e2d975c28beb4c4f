#include "time/time_zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "time/iso.h"

namespace schemaward::time {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Zone Find(const char* name) {
  auto zone = Zone::Find(name);
  EXPECT_THAT(zone, IsOk()) << name;
  return zone ? *zone : Zone();
}

std::int64_t At(const char* text) { return FromIso(text)->Utc(); }

TEST(TimeZone, ShowsTheClockOfAZone) {
  struct Row {
    const char* zone;
    const char* utc;
    const char* local;
  };
  for (const Row& row : {
           Row{"UTC", "2024-07-01T12:00", "2024-07-01T12:00:00"},
           Row{"", "2024-07-01T12:00", "2024-07-01T12:00:00"},
           Row{"Europe/Berlin", "2024-01-01T12:00", "2024-01-01T13:00:00"},
           Row{"Europe/Berlin", "2024-07-01T12:00:00.25", "2024-07-01T14:00:00.25"},
           Row{"Europe/Berlin", "2024-03-31T00:59:59.999999", "2024-03-31T01:59:59.999999"},
           Row{"Europe/Berlin", "2024-03-31T01:00", "2024-03-31T03:00:00"},
           Row{"America/New_York", "2024-11-03T05:30", "2024-11-03T01:30:00"},
           Row{"America/New_York", "2024-11-03T06:30", "2024-11-03T01:30:00"},
           Row{"Asia/Kathmandu", "2024-07-01T12:00", "2024-07-01T17:45:00"},
           Row{"Australia/Lord_Howe", "2024-01-01T00:00", "2024-01-01T11:00:00"},
           Row{"Australia/Lord_Howe", "2024-07-01T00:00", "2024-07-01T10:30:00"},
           Row{"Pacific/Apia", "2011-12-30T09:59:59", "2011-12-29T23:59:59"},
           Row{"Pacific/Apia", "2011-12-30T10:00:00", "2011-12-31T00:00:00"},
       })
    EXPECT_EQ(ToIsoNaive(Find(row.zone).LocalOfUtc(At(row.utc))), row.local)
        << row.zone << " " << row.utc;
}

TEST(TimeZone, FindsTheMomentThatAClockShows) {
  struct Row {
    const char* name;
    const char* zone;
    const char* local;
    const char* utc;
  };
  for (const Row& row : {
           Row{"plain", "Europe/Berlin", "2024-07-01T14:00", "2024-07-01T12:00:00"},
           Row{"gap: its end", "Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:00:00"},
           Row{"twice: the earlier", "Europe/Berlin", "2024-10-27T02:30", "2024-10-27T00:30:00"},
           Row{"twice: the earlier", "America/New_York", "2024-11-03T01:30", "2024-11-03T05:30:00"},
           Row{"a day that was left out", "Pacific/Apia", "2011-12-30T12:00",
               "2011-12-30T10:00:00"},
           Row{"UTC", "UTC", "2024-03-31T02:30", "2024-03-31T02:30:00"},
       })
    EXPECT_EQ(ToIsoNaive(Find(row.zone).UtcOfLocal(At(row.local))), row.utc)
        << row.name << " " << row.local;
}

// What PostgreSQL answers to timestamp '...' AT TIME ZONE '...'.
TEST(TimeZone, ReadsWrittenTimesAsPostgresDoes) {
  struct Row {
    const char* zone;
    const char* local;
    const char* utc;
  };
  for (const Row& row : {
           Row{"Europe/Berlin", "2024-07-01T14:00", "2024-07-01T12:00:00"},
           Row{"Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:30:00"},
           Row{"Europe/Berlin", "2024-10-27T02:30", "2024-10-27T01:30:00"},
           Row{"America/New_York", "2024-11-03T01:30", "2024-11-03T06:30:00"},
       })
    EXPECT_EQ(ToIsoNaive(Find(row.zone).UtcOfLocal(At(row.local), Reading::ByOldOffset)), row.utc)
        << row.zone << " " << row.local;
}

TEST(TimeZone, CutsPeriodsByTheClockOfTheZone) {
  struct Row {
    const char* zone;
    const char* utc;
    Unit unit;
    const char* start;
  };
  for (const Row& row : {
           Row{"America/New_York", "2024-11-03T05:30", Unit::Hour, "2024-11-03T05:00:00"},
           Row{"America/New_York", "2024-11-03T06:30", Unit::Hour, "2024-11-03T06:00:00"},
           Row{"America/New_York", "2024-11-03T06:30", Unit::Day, "2024-11-03T04:00:00"},
           Row{"America/New_York", "2024-11-04T04:59", Unit::Day, "2024-11-03T04:00:00"},
           Row{"Asia/Kathmandu", "2024-07-01T12:00", Unit::Hour, "2024-07-01T11:15:00"},
           Row{"America/Sao_Paulo", "2018-11-04T12:00", Unit::Day, "2018-11-04T03:00:00"},
           Row{"Europe/Berlin", "2024-01-01T00:00", Unit::Year, "2023-12-31T23:00:00"},
       })
    EXPECT_EQ(ToIsoNaive(TruncateUtc(At(row.utc), row.unit, Find(row.zone))), row.start)
        << row.zone << " " << row.utc << " " << WordOf(row.unit);
}

TEST(TimeZone, ListsTheOffsetsBetweenTwoMoments) {
  constexpr std::int64_t kMicros = 1'000'000;
  const std::int64_t first = At("2023-01-01T00:00:00Z") / kMicros;
  const std::int64_t last = At("2024-01-01T00:00:00Z") / kMicros;
  EXPECT_THAT(Find("Europe/Berlin").OffsetsBetween(first, last),
              ::testing::ElementsAre(OffsetChange{first, 3600},
                                     OffsetChange{At("2023-03-26T01:00:00Z") / kMicros, 7200},
                                     OffsetChange{At("2023-10-29T01:00:00Z") / kMicros, 3600}));
  EXPECT_THAT(Find("Asia/Kolkata").OffsetsBetween(first, last),
              ::testing::ElementsAre(OffsetChange{first, 19800}));
  EXPECT_THAT(Zone().OffsetsBetween(first, last), ::testing::ElementsAre(OffsetChange{first, 0}));
}

TEST(TimeZone, OffersTheNearestNames) {
  const auto wrong = Zone::Find("europe/berln");
  ASSERT_THAT(wrong, IsError(ErrorKind::InvalidArgument, HasSubstr("europe/berln")));
  EXPECT_EQ(wrong.error().recovery().fuzzy_matches.front(), "Europe/Berlin");
  EXPECT_EQ(NearestZones("berlin").front(), "Europe/Berlin");
  EXPECT_THAT(NearestZones("New York"), Contains("America/New_York"));
  EXPECT_THAT(NearestZones(""), Not(IsEmpty()));
}

TEST(TimeZone, TakesNamesOnly) {
  for (const char* name : {"europe/berlin", "../passwd", "/etc/passwd", "posix/Europe/Berlin",
                           "Europe", "zone.tab", "+02:00", "localtime"})
    EXPECT_FALSE(ZoneExists(name)) << name;
  EXPECT_FALSE(ZoneExists(std::string(100, 'a')));
  EXPECT_TRUE(ZoneExists("Europe/Berlin"));
  EXPECT_TRUE(ZoneExists("UTC"));
}

}  // namespace
}  // namespace schemaward::time
