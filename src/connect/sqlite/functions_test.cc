#include "connect/sqlite/functions.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/result_matchers.h"
#include "sqlite/sqlite.h"

namespace schemaward::connect::sqlite_engine {
namespace {

// What SELECT `expression` answers; "null" for null.
std::string Answer(const std::string& expression) {
  auto database = sqlite::Database::Open(":memory:", {});
  EXPECT_THAT(database, IsOk());
  EXPECT_EQ(RegisterFunctions(database->handle()), SQLITE_OK);
  auto statement = database->Prepare("SELECT " + expression);
  if (!statement) return "refused";
  auto row = statement->Step();
  if (!row) return "failed";
  return statement->IsNull(0) ? "null" : std::string(statement->Text(0));
}

struct Row {
  const char* expression;
  const char* answer;
};

TEST(SqliteFunctions, ReadTimesInEveryFormThatTheyAreStoredIn) {
  for (const Row& row : {
           Row{"ward_micros('2024-01-02', 'date')", "1704153600000000"},
           Row{"ward_micros('2024-01-02T03:04:05', 'naive')", "1704164645000000"},
           Row{"ward_micros('2024-01-02 03:04:05.25', 'naive')", "1704164645250000"},
           Row{"ward_micros('2024-01-02 03:04:05', 'date')", "1704153600000000"},
           Row{"ward_micros('2024-01-02T03:04:05+02:00', 'instant')", "1704157445000000"},
           Row{"ward_micros('2024-01-02T03:04:05Z', 'instant')", "1704164645000000"},
           Row{"ward_micros(1704164645, 'instant')", "1704164645000000"},
           Row{"ward_micros(1704164645123, 'instant')", "1704164645123000"},
           Row{"ward_micros(2460311.5, 'naive')", "1704153600000000"},
           Row{"ward_micros('soon', 'naive')", "null"},
           Row{"ward_micros('2024-02-30', 'date')", "null"},
           Row{"ward_micros(NULL, 'date')", "null"},
           Row{"ward_micros(x'00', 'date')", "null"},
           Row{"ward_micros(9223372036854775807, 'instant')", "null"},
       })
    EXPECT_EQ(Answer(row.expression), row.answer) << row.expression;
}

TEST(SqliteFunctions, CutPeriodsByZoneAndWeek) {
  for (const Row& row : {
           Row{"ward_bucket('2024-02-29 23:30', 'naive', 'month', '', '', 1)", "2024-02-01"},
           Row{"ward_bucket('2024-02-29', 'date', 'quarter', '', '', 1)", "2024-01-01"},
           Row{"ward_bucket('2024-02-29T23:30Z', 'instant', 'day', 'Europe/Berlin', '', 1)",
               "2024-03-01"},
           Row{"ward_bucket('2024-02-29T23:30Z', 'instant', 'day', '', '', 1)", "2024-02-29"},
           Row{"ward_bucket('2025-01-05', 'date', 'week', '', '', 1)", "2024-12-30"},
           Row{"ward_bucket('2025-01-05', 'date', 'week', '', '', 7)", "2025-01-05"},
           Row{"ward_bucket('2024-02-29 23:30', 'naive', 'hour', '', '', 1)",
               "2024-02-29T23:00:00"},
           Row{"ward_bucket('2024-02-29 23:30', 'naive', 'day', 'Asia/Tokyo', 'UTC', 1)",
               "2024-03-01"},
           Row{"ward_bucket('2024-11-03 01:30', 'naive', 'hour', 'UTC', 'America/New_York', 1)",
               "2024-11-03T06:00:00"},
           Row{"ward_bucket('2024-02-29', 'date', 'fortnight', '', '', 1)", "null"},
           Row{"ward_bucket(NULL, 'date', 'day', '', '', 1)", "null"},
       })
    EXPECT_EQ(Answer(row.expression), row.answer) << row.expression;
}

TEST(SqliteFunctions, KeepTheTwoHoursOfAClockSetBackApart) {
  const auto hour = [](const std::string& at) {
    return Answer("ward_bucket('" + at + "', 'instant', 'hour', 'America/New_York', '', 1)");
  };
  EXPECT_EQ(hour("2024-11-03T05:30Z"), hour("2024-11-03T05:59Z"));
  EXPECT_NE(hour("2024-11-03T05:30Z"), hour("2024-11-03T06:30Z"));
}

TEST(SqliteFunctions, TakePercentilesBetweenTwoValues) {
  const std::string numbers = " FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 4.0";
  EXPECT_EQ(Answer("ward_percentile(x, 0.5)" + numbers + ")"), "2.0");
  EXPECT_EQ(Answer("ward_percentile(x, 0.75)" + numbers + ")"), "3.0");
  EXPECT_EQ(Answer("ward_percentile(x, 1)" + numbers + " UNION ALL SELECT NULL)"), "4.0");
  EXPECT_EQ(Answer("ward_percentile(x, 0.5)" + numbers + ") WHERE x > 9"), "null");
}

TEST(SqliteFunctions, FoldCaseBeyondAscii) {
  EXPECT_EQ(Answer("ward_fold('\xC3\x89T\xC3\x89') = ward_fold('\xC3\xA9t\xC3\xA9')"), "1");
  EXPECT_EQ(Answer("ward_fold('\xC3\x89') = ward_fold('e')"), "0");
  EXPECT_EQ(Answer("ward_fold(NULL)"), "null");
}

}  // namespace
}  // namespace schemaward::connect::sqlite_engine
