#include "json/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace schemaward::json {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Access, WhatIsNotThereIsNull) {
  const Value value = Value::parse(R"({"a": {"b": "c"}, "d": [1]})");
  EXPECT_EQ(TextOf(Member(value, {"a", "b"})), "c");
  EXPECT_TRUE(Member(value, {"a", "b", "c"}).is_null());
  EXPECT_TRUE(Member(value, {"d", "b"}).is_null());
  EXPECT_EQ(TextOf(value, "d"), "");
}

TEST(Access, ReadsTextsNumbersAndLists) {
  const Value value = Value::parse(R"({"l": ["a", 2, true, null, {}], "one": "x", "n": 3.0})");
  EXPECT_THAT(TextsOf(Member(value, "l")), ElementsAre("a", "2", "true"));
  EXPECT_THAT(TextsOf(Member(value, "one")), ElementsAre("x"));
  EXPECT_THAT(TextsOf(Member(value, "none")), IsEmpty());
  EXPECT_EQ(IntegerOf(Member(value, "n")), 3);
  EXPECT_EQ(IntegerOf(Value("12")), 12);
  EXPECT_EQ(IntegerOf(Value("12x")), std::nullopt);
  EXPECT_EQ(IntegerOf(Value(1e300)), std::nullopt);
}

}  // namespace
}  // namespace schemaward::json
