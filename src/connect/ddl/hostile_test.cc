// Scripts made to exhaust the parser, the reader or time.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/ddl/parse.h"
#include "connect/ddl/read_script.h"
#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::SizeIs;

std::string Repeat(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

struct Nesting {
  const char* name;
  std::string before;
  std::string repeated;
  std::string after;
  std::size_t tokens_each = 1;
};

class HostileNesting : public ::testing::TestWithParam<Nesting> {};

/// As deep as the bound on tokens lets it be: read or refused, never a fault. And so for a
/// thousand, which is under every bound.
TEST_P(HostileNesting, IsReadOrRefused) {
  const Nesting& c = GetParam();
  const SystemClock clock;
  CallContext ctx(clock);
  for (const std::size_t count : {kParseTokensMax / c.tokens_each - 20, std::size_t{1000}}) {
    const std::string script = "CREATE TABLE good (id int);" + c.before +
                               Repeat(c.repeated, count) + c.after +
                               "; CREATE TABLE last (id int);";
    const auto read = ReadScript(script, {}, ctx);
    ASSERT_THAT(read, IsOk()) << c.name;
    EXPECT_GE(read->tables.size(), 2u) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileNesting,
    ::testing::Values(
        Nesting{"sum", "CREATE TABLE t (a int DEFAULT 1", "+1", ")", 2},
        Nesting{"minus", "CREATE TABLE t (a int DEFAULT ", "- ", "1)", 1},
        Nesting{"not", "CREATE TABLE t (a bool CHECK (", "NOT ", "a))", 1},
        Nesting{"or", "CREATE TABLE t (a int CHECK (a = 1", " OR a = 1", "))", 4},
        Nesting{"parentheses", "CREATE TABLE t (a int DEFAULT ", "(", "1)", 1},
        Nesting{"cast", "CREATE TABLE t (a int DEFAULT 1", "::x", ")", 3},
        Nesting{"collate", "CREATE TABLE t (a text DEFAULT 'x'", " COLLATE c", ")", 2},
        Nesting{"subscript", "CREATE TABLE t (a int DEFAULT x", "[1]", ")", 3},
        Nesting{"array", "CREATE TABLE t (a int DEFAULT array", "[", "1)", 1},
        Nesting{"case", "CREATE TABLE t (a int DEFAULT ", "case when ", "1)", 2},
        Nesting{"call", "CREATE TABLE t (a int DEFAULT ", "f(", "1)", 2},
        Nesting{"zone", "CREATE TABLE t (a int DEFAULT now()", " at time zone x", ")", 4},
        Nesting{"union", "CREATE VIEW v AS SELECT", " UNION SELECT", "", 2},
        Nesting{"except", "CREATE VIEW v AS SELECT 1 AS a", " EXCEPT SELECT 1", "", 3},
        Nesting{"subquery", "CREATE VIEW v AS ", "SELECT (", "1", 2},
        Nesting{"from", "CREATE VIEW v AS SELECT * FROM ", "(SELECT * FROM ", "good", 4},
        Nesting{"join", "CREATE VIEW v AS SELECT * FROM good", " NATURAL JOIN good", "", 3},
        Nesting{"cross", "CREATE VIEW v AS SELECT * FROM good", ",good", "", 2},
        Nesting{"with", "CREATE VIEW v AS ", "WITH a AS (", "SELECT 1", 4},
        Nesting{"prefix", "CREATE TABLE t (a int DEFAULT ", "@ ", "1)", 1},
        Nesting{"isnull", "CREATE TABLE t (a int CHECK (a", " = a IS NULL", "))", 4},
        Nesting{"concat", "CREATE VIEW v AS SELECT 'a'", "||'a'", " AS x", 4}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(HostileScript, StatementPastTheBoundOnTokensIsNamed) {
  const catalog::Database database =
      Read("CREATE TABLE a (id int); CREATE TABLE b (id int DEFAULT 1" +
           Repeat("+1", kParseTokensMax / 2) + ");");
  EXPECT_THAT(database.tables, SizeIs(1));
  ASSERT_THAT(database.missing, SizeIs(1));
  EXPECT_EQ(database.missing[0].object, "line 1");
}

TEST(HostileScript, StatementPastTheBoundOnBytesIsNamed) {
  const catalog::Database database =
      Read("CREATE TABLE a (id int);\nCREATE TABLE b (id text DEFAULT '" +
           std::string(kStatementBytesMax, 'x') + "');\nCREATE TABLE c (id int);");
  EXPECT_THAT(database.tables, SizeIs(2));
  EXPECT_THAT(database.missing, SizeIs(1));
}

TEST(HostileScript, ViewsOverViewsDoNotGrowWithoutEnd) {
  std::string script = "CREATE TABLE v0 (a int, b int);";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "v" + std::to_string(i - 1);
    script += "CREATE VIEW v" + std::to_string(i) + " AS SELECT x.*, y.*, z.a AS z" +
              std::to_string(i) + " FROM " + before + " x, " + before + " y, " + before + " z;";
  }
  EXPECT_THAT(Read(script).tables, SizeIs(60));
}

TEST(HostileScript, MissingListIsBounded) {
  std::string script;
  for (std::size_t i = 0; i < kMissingMax + 50; ++i)
    script += "CREATE TABLE t" + std::to_string(i) + " (a int); CREATE TABLE oops (;\n";
  const catalog::Database database = Read(script);
  ASSERT_THAT(database.missing, SizeIs(kMissingMax + 1));
  EXPECT_EQ(database.missing.back().reason, "... and 50 more");
}

TEST(HostileScript, TableWithTooManyColumnsIsCutAtPostgresOwnBound) {
  std::string script = "CREATE TABLE wide (c0 int";
  for (int i = 1; i < 1700; ++i) script += ", c" + std::to_string(i) + " int";
  const catalog::Database database = Read(script + ");");
  EXPECT_THAT(TableOf(database, "public.wide").columns, SizeIs(1600));
  EXPECT_THAT(database.missing, SizeIs(1));
}

TEST(HostileScript, StopsWhenTheCallerDoes) {
  const SystemClock clock;
  CallContext ctx(clock);
  std::stop_source stop;
  ctx.stop = stop.get_token();
  stop.request_stop();
  EXPECT_THAT(ReadScript("CREATE TABLE a (id int);", {}, ctx), IsError(ErrorKind::Cancelled));
}

}  // namespace
}  // namespace schemaward::connect::ddl
