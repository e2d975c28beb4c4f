// Files of queries, both forms.
#include "querylog/statements.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::querylog {
namespace {

TEST(Statements, AreCutOutOfAScript) {
  const auto entries = ReadStatements(
      "\\timing on\nSELECT ';' FROM a;\n-- note\n\nSELECT 2\nFROM b ;\n\\i other.sql\n", "q.sql");
  ASSERT_THAT(entries, IsOk());
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].sql, "SELECT ';' FROM a");
  EXPECT_EQ((*entries)[1].place, "q.sql line 5");
  EXPECT_EQ((*entries)[1].calls, 1);
}

TEST(Statements, AreReadFromJsonLines) {
  const auto entries = ReadStatements(
      "{\"sql\": \"SELECT 1\", \"calls\": 12, \"user\": \"x\"}\r\n\n{\"sql\": \"SELECT 2\"}", "q");
  ASSERT_THAT(entries, IsOk());
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].calls, 12);
  EXPECT_EQ((*entries)[1].calls, 1);
  EXPECT_EQ((*entries)[1].place, "q line 3");
}

TEST(Statements, NameTheLineThatIsNoQuery) {
  for (const char* line : {"{\"sql\": 1}", "{\"calls\": 1}", "{\"sql\":\"\",\"calls\":-1}", "{",
                           "{\"sql\":\"\",\"calls\":1.5}"}) {
    const auto entries = ReadStatements(std::string("{\"sql\":\"SELECT 1\"}\n") + line, "q");
    ASSERT_THAT(entries, IsError(ErrorKind::InvalidArgument)) << line;
    EXPECT_THAT(entries.error().message(), testing::HasSubstr("q line 2"));
  }
}

TEST(Statements, AreBounded) {
  std::string many;
  for (std::size_t i = 0; i <= kEntriesMax; ++i) many += "a;";
  EXPECT_THAT(ReadStatements(many, "q"), IsError(ErrorKind::ByteCap));
  EXPECT_THAT(ReadStatements(std::string(kFileBytesMax + 1, ' '), "q"),
              IsError(ErrorKind::ByteCap));
}

TEST(Statements, AnEmptyFileHasNone) {
  const auto entries = ReadStatements(" \n", "q");
  ASSERT_THAT(entries, IsOk());
  EXPECT_TRUE(entries->empty());
}

}  // namespace
}  // namespace schemaward::querylog
