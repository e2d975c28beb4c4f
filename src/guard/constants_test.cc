#include "guard/constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

using ::testing::Eq;
using ::testing::Optional;

sql::query::ExpressionPtr Read(std::string_view text, const sql::Dialect& dialect) {
  auto read = sql::query::ReadCondition(text, dialect);
  return read ? std::move(*read) : nullptr;
}

TEST(Constants, AreNumbersWithAllTheirSigns) {
  const auto number = [](std::string_view text) {
    return IntegerOf(Read(text, sql::MySql()).get());
  };
  EXPECT_THAT(number("5"), Optional(5));
  EXPECT_THAT(number("-5"), Optional(-5));
  EXPECT_THAT(number("- -5"), Optional(5));
  EXPECT_THAT(number("-(-(+(-5)))"), Optional(-5));
  EXPECT_THAT(number("CAST(5 AS SIGNED)"), Optional(5));
  for (const std::string_view text : {"~5", "~-5", "NOT 5", "CAST(-5 AS UNSIGNED)", "5.0", "'5'"})
    EXPECT_THAT(number(text), Eq(std::nullopt)) << text;
}

TEST(Constants, AreStepsOfTimeThatAreNotShort) {
  const auto is_long = [](std::string_view text) {
    return IsLongStep(Read(text, sql::Postgres()).get());
  };
  for (const std::string_view text :
       {"INTERVAL '1 day'", "INTERVAL '-1 day'", "INTERVAL '1 month 2 days'", "INTERVAL '12' HOUR",
        "INTERVAL '1.5 hours'", "'1 week'::interval"})
    EXPECT_TRUE(is_long(text)) << text;
  for (const std::string_view text :
       {"INTERVAL '1 second'", "INTERVAL '0.001 hours'", "INTERVAL '.001 hours'",
        "INTERVAL '0 days 00:00:01'", "INTERVAL '1 day -23:59:59'", "INTERVAL '1 day -23 hours'",
        "INTERVAL '0 days'"})
    EXPECT_FALSE(is_long(text)) << text;
}

TEST(Constants, AreMomentsThatCalendarsHave) {
  const auto is_bounded = [](std::string_view text) {
    return IsBoundedTime(Read(text, sql::Postgres()).get());
  };
  for (const std::string_view text : {"DATE '2024-01-31'", "TIMESTAMP '2024-01-31 10:00'",
                                      "'20240131'::date", "'Now'::timestamp", "current_date"})
    EXPECT_TRUE(is_bounded(text)) << text;
  for (const std::string_view text : {"TIMESTAMP 'infinity'", "TIMESTAMP '-infinity'",
                                      "TIMESTAMP '294276-01-01'", "now()", "sold_on"})
    EXPECT_FALSE(is_bounded(text)) << text;
}

}  // namespace
}  // namespace schemaward::guard
