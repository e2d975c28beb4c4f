#include "base/error.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/result.h"
#include "base/result_matchers.h"

namespace schemaward {
namespace {

// COVERS: R-ENV-3
TEST(ErrorTable, HasTheCharters26Kinds) {
  std::set<std::string_view> kinds;
  for (const ErrorRow& row : AllErrorRows()) kinds.insert(row.kind);
  EXPECT_EQ(kinds.size(), 26u);
}

// COVERS: R-FAM-3
TEST(ErrorTable, RefusalsAreTheThreeRefusalKinds) {
  for (const ErrorRow& row : AllErrorRows()) {
    const bool refusal = row.kind == "pii_blocked" || row.kind == "policy_blocked" ||
                         row.kind == "allowlist_violation";
    EXPECT_EQ(row.status == FailStatus::Refused, refusal) << row.reason;
  }
}

TEST(MaskSecrets, HidesPasswordsInUrlsAndPairs) {
  struct Case {
    std::string in, out;
  };
  const Case cases[] = {
      {"postgres://u:p@ss%40w+rd@h:5432/db", "postgres://u:***@h:5432/db"},
      {"postgres://u@h/db", "postgres://u@h/db"},
      {"host=h password=hunter2 user=u", "host=h password=*** user=u"},
      {"host=h password='two words' user=u", "host=h password='***' user=u"},
      {"?sslmode=require&password=x&y=1", "?sslmode=require&password=***&y=1"},
      {"nothing here", "nothing here"},
  };
  for (const Case& c : cases) EXPECT_EQ(MaskSecrets(c.in), c.out);
}

TEST(Error, MasksItsMessageAndKeepsOneLine) {
  const Error error(ErrorKind::SourceUnreachable, "postgres://u:p@h/db\ndid not answer");
  EXPECT_EQ(error.message(), "postgres://u:***@h/db did not answer");
}

TEST(Error, KeepsThreeNearNames) {
  Error error(ErrorKind::UnknownTable, "table \"x\" is not in the index");
  error.Near({"a", "b", "c", "d"});
  EXPECT_THAT(error.recovery().fuzzy_matches, ::testing::ElementsAre("a", "b", "c"));
}

Result<int> Half(int x) {
  if (x % 2 != 0) return Error(ErrorKind::InvalidArgument, "odd");
  return x / 2;
}

Result<int> Quarter(int x) {
  WARD_TRY(int half, Half(x));
  WARD_TRY_IN(int quarter, Half(half), "the second half");
  return quarter;
}

TEST(Result, TryReturnsTheErrorWithItsContext) {
  EXPECT_THAT(Quarter(8), IsOkAnd(2));
  EXPECT_THAT(Quarter(7), IsError(ErrorKind::InvalidArgument, "odd"));
  EXPECT_THAT(Quarter(6).error().context(), ::testing::ElementsAre("the second half"));
}

}  // namespace
}  // namespace schemaward
