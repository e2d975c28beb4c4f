// What the setting http.tool_scopes may say.
#include "app/http_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Result<tool::ToolScopes> Read(const std::string& list) {
  const auto config = Config::Load(
      {{"http.tool_scopes", list}}, [](const std::string&) { return std::nullopt; },
      ::testing::TempDir());
  EXPECT_THAT(config, IsOk());
  return ReadToolScopes(*config);
}

TEST(ToolScopes, AreTheScopesOfEachSetInTheirOrder) {
  EXPECT_THAT(*Read(""), IsEmpty());
  EXPECT_THAT(*Read("sql=b,explore=ward:explore=x, sql=a,sql=b"),
              ElementsAre(Pair("explore", ElementsAre(ElementsAre("ward:explore=x"))),
                          Pair("sql", ElementsAre(ElementsAre("b"), ElementsAre("a")))));
}

TEST(ToolScopes, OfAnEntryWithSeveralAnyOneIsEnough) {
  EXPECT_THAT(*Read("sql=ward.sql|ward.admin,sql=ward.read"),
              ElementsAre(Pair("sql", ElementsAre(ElementsAre("ward.sql", "ward.admin"),
                                                  ElementsAre("ward.read")))));
}

TEST(ToolScopes, AnEntryThatIsNoSetAndScopeIsNamed) {
  for (const char* entry : {"sql", "sql=", "=ward.sql", "default=ward.read", "sqll=ward.sql",
                            "sql=a b", "sql=a\"b", "sql=|", "sql=a|", "sql=|a", "sql=a||b"})
    EXPECT_THAT(Read(std::string("catalog=a,") + entry), IsError(ErrorKind::InputUnreadable))
        << entry;
}

}  // namespace
}  // namespace schemaward::app
