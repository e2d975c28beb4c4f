#include "privacy/name_memo.h"

#include <string>

#include <gtest/gtest.h>

namespace schemaward::privacy {
namespace {

TEST(NameMemo, SaysWhatTheRulesSayEachTime) {
  NameMemo names;
  for (int time = 0; time < 2; ++time) {
    for (const char* column : {"email", "ssn", "id", "x"})
      EXPECT_EQ(names.Of("people", column, "text"), ClassifyName("people", column, "text"));
    // The table and the type tell, too.
    EXPECT_EQ(names.Of("products", "name", "text"), ClassifyName("products", "name", "text"));
    EXPECT_EQ(names.Of("people", "name", "text"), ClassifyName("people", "name", "text"));
    EXPECT_EQ(names.Of("people", "phone", "boolean"), ClassifyName("people", "phone", "boolean"));
    EXPECT_EQ(names.Of("people", "phone", "text"), ClassifyName("people", "phone", "text"));
  }
}

TEST(NameMemo, SaysTheSameAfterItForgot) {
  NameMemo names;
  for (std::size_t i = 0; i <= 2 * NameMemo::kEntriesMax; ++i)
    (void)names.Of("t", "c" + std::to_string(i), "text");
  EXPECT_EQ(names.Of("people", "email", "text"), ClassifyName("people", "email", "text"));
}

}  // namespace
}  // namespace schemaward::privacy
