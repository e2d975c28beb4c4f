#include "audit/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::audit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Redact, KeepsNamesAndShortValues) {
  const KeptArguments kept = KeepArguments(R"({ "limit": 3, "qualified_name": "main.orders" })");
  EXPECT_EQ(kept.redacted, R"({"limit":3,"qualified_name":"main.orders"})");
}

TEST(Redact, HashesTheCanonicalFormSoThatSpellingDoesNotMatter) {
  EXPECT_EQ(KeepArguments(R"({"a":1,"b":[true,null]})").hash,
            KeepArguments(R"(  {"b" : [ true, null ], "a":1})").hash);
  EXPECT_NE(KeepArguments(R"({"a":1})").hash, KeepArguments(R"({"a":2})").hash);
}

struct Case {
  const char* name;
  const char* args;
  const char* gone;
  const char* expected;
};

TEST(Redact, ReplacesWhatMayBeSecretOrPersonal) {
  const std::vector<Case> cases = {
      {"password", R"({"db_password":"x1y2"})", "x1y2", R"({"db_password":"<string, 4 bytes>"})"},
      {"upper-case key", R"({"ApiToken":"x1y2"})", "x1y2", R"({"ApiToken":"<string, 4 bytes>"})"},
      {"nested object", R"({"credentials":{"u":"x1y2"}})", "x1y2",
       R"({"credentials":"<object, 1 members>"})"},
      {"sql", R"({"sql":"SELECT 'x1y2'"})", "x1y2", R"({"sql":"<string, 13 bytes>"})"},
      {"filter value", R"({"filters":[{"column":"name","op":"=","value":"x1y2"}]})", "x1y2",
       R"({"filters":[{"column":"name","op":"=","value":"<string, 4 bytes>"}]})"},
      {"parameters", R"({"parameters":["x1y2",5]})", "x1y2", R"({"parameters":"<list, 2 items>"})"},
      {"mail", R"({"query":"orders of ana@example.com"})", "ana@",
       R"({"query":"<string, 25 bytes>"})"},
      {"card", R"({"query":"4111 1111 1111 1111"})", "4111", R"({"query":"<string, 19 bytes>"})"},
      {"card as a number", R"({"id":4111111111111111})", "4111", R"({"id":"<number>"})"},
      {"pair", R"({"query":"password=x1y2"})", "x1y2", R"({"query":"<string, 13 bytes>"})"},
  };
  for (const Case& c : cases) {
    const std::string redacted = KeepArguments(c.args).redacted;
    EXPECT_EQ(redacted, c.expected) << c.name;
    EXPECT_THAT(redacted, Not(HasSubstr(c.gone))) << c.name;
  }
}

TEST(Redact, ReplacesStringsOnePastTheBound) {
  const std::string at(128, 'x');
  EXPECT_THAT(KeepArguments("{\"q\":\"" + at + "\"}").redacted, HasSubstr(at));
  EXPECT_EQ(KeepArguments("{\"q\":\"" + at + "x\"}").redacted, R"({"q":"<string, 129 bytes>"})");
}

TEST(Redact, KeepsOnlyTopLevelNamesOfWhatIsTooLong) {
  std::string list;
  for (int i = 0; i < 1000; ++i) list += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\"";
  EXPECT_EQ(KeepArguments("{\"names\":[" + list + "],\"limit\":5}").redacted,
            R"({"limit":"<number>","names":"<list, 1000 items>"})");
}

TEST(Redact, KeepsAHashAloneOfWhatIsNotJson) {
  const KeptArguments kept = KeepArguments("{not json");
  EXPECT_EQ(kept.redacted, "");
  EXPECT_EQ(kept.hash.size(), 64U);
}

}  // namespace
}  // namespace schemaward::audit
