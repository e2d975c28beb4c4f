// What types mean, by engine.

#include "semantic/engine_types.h"

#include <gtest/gtest.h>

#include "semantic/columns.h"

namespace schemaward::semantic {
namespace {

TEST(EngineTypes, TakesMySqlsTimestampForAMoment) {
  EXPECT_EQ(MeaningOfType(sql::MySql(), "timestamp"), "timestamp with time zone");
  EXPECT_EQ(TimeKindOf(MeaningOfType(sql::MySql(), "timestamp(3)")), sql::TimeKind::Instant);
  EXPECT_EQ(TimeKindOf(MeaningOfType(sql::MySql(), "datetime(6)")), sql::TimeKind::Naive);
  EXPECT_EQ(TimeKindOf(MeaningOfType(sql::MySql(), "date")), sql::TimeKind::Date);
  EXPECT_EQ(MeaningOfType(sql::Sqlite(), "timestamp"), "timestamp");
  EXPECT_EQ(MeaningOfType(sql::Postgres(), "timestamp without time zone"),
            "timestamp without time zone");
}

TEST(EngineTypes, TakesMySqlsTinyintOfOneDigitForABoolean) {
  EXPECT_EQ(MeaningOfType(sql::MySql(), "tinyint(1)"), "boolean");
  EXPECT_EQ(MeaningOfType(sql::MySql(), "tinyint(4)"), "tinyint(4)");
  EXPECT_EQ(MeaningOfType(sql::Sqlite(), "tinyint(1)"), "tinyint(1)");
}

TEST(EngineTypes, AnArrayOfNumbersIsNoNumber) {
  for (const char* type : {"integer", "BIGINT", "numeric(10,2)", "double precision", "money"})
    EXPECT_TRUE(IsNumericType(type)) << type;
  for (const char* type :
       {"INTEGER[]", "numeric(10,2)[]", "integer[3]", "Array(Int32)", "point", "interval", "text"})
    EXPECT_FALSE(IsNumericType(type)) << type;
}

}  // namespace
}  // namespace schemaward::semantic
