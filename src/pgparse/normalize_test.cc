// Statements without what may be data.
#include "pgparse/normalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "pgparse/parse.h"

namespace schemaward::pgparse {
namespace {

Result<PlainText> Plain(const std::string& sql) {
  Result<PlainText> plain = Error(ErrorKind::Internal, "not run");
  const Status ran = RunOnDeepStack([&] {
    const auto replaced = ReplaceConstants(sql, 100, 1);
    plain = replaced ? MakePlain(*replaced) : Result<PlainText>(replaced.error());
  });
  return ran ? plain : Result<PlainText>(ran.error());
}

TEST(Normalize, LeavesNoConstantAndNoComment) {
  const auto plain = Plain(
      "select  name /* of alice */ from\n people where ssn = 123456789 and born > date '1999-01-02'"
      " and id = $1 limit 10 -- bob");
  ASSERT_THAT(plain, IsOk());
  EXPECT_EQ(plain->text,
            "SELECT name FROM people WHERE ssn = $2 AND born > date $3 AND id = $1 LIMIT $4");
  EXPECT_FALSE(plain->has_constants);
}

TEST(Normalize, KeepsPositionsAndLengths) {
  const auto plain = Plain("SELECT cast(a AS varchar(20)) FROM t GROUP BY 1");
  ASSERT_THAT(plain, IsOk());
  EXPECT_EQ(plain->text, "SELECT CAST(a AS varchar(20)) FROM t GROUP BY 1");
  EXPECT_FALSE(plain->has_constants);
}

TEST(Normalize, SaysWhereAConstantIsLeft) {
  for (const char* sql : {"CREATE VIEW v AS SELECT 'alice'", "CREATE VIEW v AS SELECT 1000",
                          "CREATE VIEW v AS SELECT 1.5", "CREATE VIEW v AS SELECT B'1'"}) {
    const auto plain = Plain(sql);
    ASSERT_THAT(plain, IsOk()) << sql;
    EXPECT_TRUE(plain->has_constants) << sql;
  }
}

TEST(Normalize, RefusesWhatIsNoStatementAndWhatIsTooLarge) {
  EXPECT_THAT(Plain("SELECT `a` FROM"), IsError(ErrorKind::SqlSyntax));
  EXPECT_THAT(ReplaceConstants("SELECT 1", kParseTokensMax + 1, 0), IsError(ErrorKind::ByteCap));
  EXPECT_THAT(ReplaceConstants("SELECT 1", 1, kParseDepthMax + 1), IsError(ErrorKind::ByteCap));
}

}  // namespace
}  // namespace schemaward::pgparse
