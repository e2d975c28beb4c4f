#include "time/iso.h"

#include <gtest/gtest.h>

#include "time/calendar.h"

namespace schemaward::time {
namespace {

TEST(Iso, ReadsWhatDatabasesWrite) {
  struct Row {
    const char* text;
    const char* utc;
    bool has_time;
    bool has_zone;
  };
  for (const Row& row : {
           Row{"2024-02-29", "2024-02-29T00:00:00", false, false},
           Row{" 2024-02-29\n", "2024-02-29T00:00:00", false, false},
           Row{"2024-02-29T13:45", "2024-02-29T13:45:00", true, false},
           Row{"2024-02-29 13:45:06", "2024-02-29T13:45:06", true, false},
           Row{"2024-02-29t13:45:06.5", "2024-02-29T13:45:06.5", true, false},
           Row{"2024-02-29 13:45:06.123456789", "2024-02-29T13:45:06.123456", true, false},
           Row{"2024-02-29T13:45:06Z", "2024-02-29T13:45:06", true, true},
           Row{"2024-02-29T13:45:06+02:00", "2024-02-29T11:45:06", true, true},
           Row{"2024-02-29 13:45:06.25-0530", "2024-02-29T19:15:06.25", true, true},
           Row{"2024-02-29 13:45:06 +01", "2024-02-29T12:45:06", true, true},
           Row{"1969-12-31 23:59:59.999999", "1969-12-31T23:59:59.999999", true, false},
       }) {
    const auto moment = FromIso(row.text);
    ASSERT_TRUE(moment) << row.text;
    EXPECT_EQ(ToIsoNaive(moment->Utc()), row.utc) << row.text;
    EXPECT_EQ(moment->has_time, row.has_time) << row.text;
    EXPECT_EQ(moment->offset.has_value(), row.has_zone) << row.text;
  }
}

TEST(Iso, ReadsNothingElse) {
  for (const char* text : {"",
                           "2024",
                           "2024-02",
                           "2024-02-30",
                           "2023-02-29",
                           "0000-01-01",
                           "2024-13-01",
                           "2024-02-29T",
                           "2024-02-29T24:00",
                           "2024-02-29T10:60",
                           "2024-02-29T10:00:60",
                           "2024-02-29T10:00:00.",
                           "2024-02-29T10:00:00+",
                           "2024-02-29T10:00:00+2",
                           "2024-02-29T10:00:00+19",
                           "2024-02-29T10:00:00 UTC",
                           "2024-02-29x",
                           "2024-2-9",
                           "now",
                           "20240229",
                           "2024-02-29Z",
                           "2024-02-29T10:00:00ZZ"})
    EXPECT_FALSE(FromIso(text)) << text;
  EXPECT_FALSE(FromIso("2024-02-29" + std::string(kIsoBytesMax, ' ')));
}

TEST(Iso, WritesZonesAsTheClockShowsThem) {
  const std::int64_t utc = FromIso("2024-07-01T22:30Z")->Utc();
  EXPECT_EQ(ToIsoZoned(utc, utc), "2024-07-01T22:30:00+00:00");
  EXPECT_EQ(ToIsoZoned(utc, utc + 2 * kMicrosPerHour), "2024-07-02T00:30:00+02:00");
  EXPECT_EQ(ToIsoZoned(utc, utc - 210 * kMicrosPerMinute), "2024-07-01T19:00:00-03:30");
  EXPECT_EQ(ToIsoDate(utc), "2024-07-01");
  EXPECT_EQ(ToIsoDate(kMicrosMax + 1), "9999-12-31");
}

}  // namespace
}  // namespace schemaward::time
