#include "base/without_values.h"

#include <gtest/gtest.h>

namespace schemaward {
namespace {

TEST(WithoutValues, LeavesNoQuotedWordAndNoLongNumber) {
  struct Case {
    const char* text;
    const char* shown;
  };
  const Case cases[] = {
      {"", ""},
      {"division by zero", "division by zero"},
      {"Incorrect datetime value: 'it's mine'", "Incorrect datetime value: '***'"},
      {"invalid input syntax for type integer: \"a@x.example\"",
       "invalid input syntax for type integer: \"***\""},
      {"Could not convert string 'a \"b\" c' to INT32", "Could not convert string '***' to INT32"},
      {"value 123456789 is out of range at row 12", "value *** is out of range at row 12"},
      {"an open ' quote", "an open ' quote"},
  };
  for (const Case& one : cases) EXPECT_EQ(WithoutValues(one.text), one.shown) << one.text;
}

}  // namespace
}  // namespace schemaward
