#include "connect/sqlite/schema_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/sqlite/tokens.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string CommentOf(const TableText& table, std::string_view column) {
  for (const ColumnText& text : table.columns)
    if (text.name == column) return text.comment;
  return "no such column";
}

TEST(SchemaText, GivesCommentsToWhatTheyStandBeside) {
  const TableText table = ReadCreateTable(R"(CREATE TABLE orders ( -- what customers buy
  id INTEGER PRIMARY KEY, -- grows
  -- who pays
  -- (not who receives)
  payer INTEGER,
  total NUMERIC(10, 2) DEFAULT 0, /* in cents */
  state TEXT -- open or closed
    NOT NULL,
  last TEXT -- the end
))");
  EXPECT_EQ(table.comment, "what customers buy");
  EXPECT_EQ(CommentOf(table, "id"), "grows");
  EXPECT_EQ(CommentOf(table, "payer"), "who pays (not who receives)");
  EXPECT_EQ(CommentOf(table, "total"), "in cents");
  EXPECT_EQ(CommentOf(table, "state"), "open or closed");
  EXPECT_EQ(CommentOf(table, "last"), "the end");
}

TEST(SchemaText, TakesCommentsBeforeTheBracketAndApartFromTheFirstColumnForTheTable) {
  const TableText table =
      ReadCreateTable("CREATE TABLE t -- one\n( -- two\n  -- three\n\n  -- of a\n  a INT, b INT)");
  EXPECT_EQ(table.comment, "one two three");
  EXPECT_EQ(CommentOf(table, "a"), "of a");
  EXPECT_EQ(CommentOf(table, "b"), "");
}

TEST(SchemaText, KeepsCommentMarksInsideTextsApart) {
  const TableText table = ReadCreateTable(
      "CREATE TABLE t (a TEXT DEFAULT '-- no', \"b--\" INT, c TEXT DEFAULT '/* no */')");
  EXPECT_EQ(CommentOf(table, "a"), "");
  EXPECT_EQ(CommentOf(table, "b--"), "");
  EXPECT_THAT(table.columns, SizeIs(3));
}

TEST(SchemaText, BoundsAndCleansComments) {
  EXPECT_EQ(CleanComment("--  a\t\tb\x01 c  "), "a b c");
  EXPECT_EQ(CleanComment("/* a\n * b */"), "a * b");
  EXPECT_EQ(CleanComment("-- a\xE2\x80\xAE"
                         "b\xE2\x80\x8B"
                         "c\xF3\xA0\x81\x81"),
            "abc");  // reordering, zero width, tag
  EXPECT_EQ(CleanComment("-- a\xFF\xC3"), "a");
  const std::string long_text =
      CleanComment("-- " + std::string(kCommentBytesMax - 1, 'x') + "\xC3\xA9 more");
  EXPECT_EQ(long_text, std::string(kCommentBytesMax - 1, 'x'));
  const TableText table = ReadCreateTable("CREATE TABLE t (\n-- " + std::string(700, 'x') +
                                          "\n-- " + std::string(700, 'y') + "\na INT)");
  EXPECT_LE(CommentOf(table, "a").size(), kCommentBytesMax);
}

TEST(SchemaText, ReadsNamesOfConstraints) {
  const TableText table = ReadCreateTable(R"(CREATE TABLE t (
    a INT CONSTRAINT a_set NOT NULL CONSTRAINT a_pos CHECK (a > 0) CONSTRAINT a_fk REFERENCES u (x) ON DELETE SET NULL,
    b INT CONSTRAINT b_one UNIQUE,
    c INT DEFAULT (1 + (2)) CHECK ((c) > 1),
    "d d" INT REFERENCES v,
    CONSTRAINT pk PRIMARY KEY (a, "b"),
    CONSTRAINT both UNIQUE (b, c) ON CONFLICT IGNORE,
    CONSTRAINT far FOREIGN KEY (b, "d d") REFERENCES w (x, y) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CHECK (a < b) CHECK (b < c)
  ) STRICT)");
  EXPECT_THAT(table.checks,
              ElementsAre(catalog::Check{"a_pos", "a > 0"}, catalog::Check{"", "(c) > 1"},
                          catalog::Check{"", "a < b"}, catalog::Check{"", "b < c"}));
  EXPECT_THAT(table.primary_keys, ElementsAre(Field(&ConstraintText::name, "pk")));
  ASSERT_THAT(table.unique_keys, SizeIs(2));
  EXPECT_EQ(table.unique_keys[0].name, "b_one");
  EXPECT_THAT(table.unique_keys[1].columns, ElementsAre("b", "c"));
  ASSERT_THAT(table.foreign_keys, SizeIs(2));
  EXPECT_THAT(table.foreign_keys[0].columns, ElementsAre("a"));
  EXPECT_EQ(table.foreign_keys[1].name, "far");
  EXPECT_THAT(table.foreign_keys[1].columns, ElementsAre("b", "d d"));
}

TEST(SchemaText, ReadsExpressionsOfGeneratedColumns) {
  const TableText table = ReadCreateTable(
      "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a * (2 + 1)) STORED, c AS (a || 'x'))");
  ASSERT_THAT(table.columns, SizeIs(3));
  EXPECT_EQ(table.columns[0].generated, std::nullopt);
  EXPECT_EQ(table.columns[1].generated, "a * (2 + 1)");
  EXPECT_EQ(table.columns[2].generated, "a || 'x'");
}

TEST(SchemaText, SaysNothingOfWhatIsNoTable) {
  for (const char* sql :
       {"", "CREATE TABLE t AS SELECT (1)", "CREATE TABLE t", "CREATE TABLE t (", "(", ")",
        "CREATE TABLE t ('", "((((((", "CREATE TABLE t (a INT CHECK (",
        "CREATE TABLE t (CONSTRAINT", "CREATE TABLE t (a DEFAULT", "CREATE TABLE t (a REFERENCES",
        "CREATE TABLE t (, , ,)", "CREATE TABLE t (a, FOREIGN KEY"})
    EXPECT_THAT(ReadCreateTable(sql).foreign_keys, IsEmpty()) << sql;
}

TEST(SchemaText, ReadsLabels) {
  struct Row {
    const char* expression;
    std::vector<std::string> labels;
  };
  const Row rows[] = {
      {"state IN ('a', 'b')", {"a", "b"}},
      {"\"state\" in ('it''s')", {"it's"}},
      {"[state] IN (1, -2, 3.5)", {"1", "-2", "3.5"}},
      {"((state) IN ('a'))", {"a"}},
      {"state IN ('a', NULL)", {"a"}},
      {"state IS NULL OR state IN ('a', 'b')", {"a", "b"}},
      {"state = 'a' OR state = 'b' OR \"State\" == 'c'", {"a", "b", "c"}},
      {"length(state) < 9 AND state IN ('a')", {"a"}},
      {"state IN ('a') /* why */", {"a"}},
      {"state NOT IN ('a')", {}},
      {"state IN ('a') OR other IN ('b')", {}},
      {"state IN ('a') OR state > 'x'", {}},
      {"x > 1 AND state IN ('a') OR x < 0", {}},
      {"lower(state) IN ('a')", {}},
      {"state IN (other)", {}},
      {"state IN (SELECT 'a')", {}},
      {"state IN ()", {}},
      {"state <= 'a'", {}},
      {"state != 'a'", {}},
      {"NOT state IN ('a')", {}},
      {"state", {}},
      {"", {}},
      {"state IN ('a", {}},
  };
  for (const Row& row : rows) {
    const auto labels = ReadLabels(row.expression);
    EXPECT_EQ(labels ? labels->values : std::vector<std::string>(), row.labels) << row.expression;
  }
}

TEST(SchemaText, BoundsTheNumberOfLabels) {
  const auto list = [](std::size_t count) {
    std::string sql = "a IN (";
    for (std::size_t i = 0; i < count; ++i) sql += (i == 0 ? "" : ",") + std::to_string(i);
    return sql + ")";
  };
  ASSERT_TRUE(ReadLabels(list(kLabelsMax)));
  EXPECT_FALSE(ReadLabels(list(kLabelsMax + 1)));
}

TEST(SchemaText, ReadsItemsAndConditionOfAnIndex) {
  const IndexText index = ReadCreateIndex(
      "CREATE UNIQUE INDEX i ON t (a, lower(b) DESC, \"c\" COLLATE NOCASE ASC) WHERE a > 1 AND b "
      "IS NULL");
  EXPECT_THAT(index.items, ElementsAre("a", "lower(b)", "\"c\""));
  EXPECT_EQ(index.predicate, "a > 1 AND b IS NULL");
  EXPECT_EQ(ReadCreateIndex("CREATE INDEX i ON t (a)").predicate, std::nullopt);
  EXPECT_THAT(ReadCreateIndex("CREATE INDEX i").items, IsEmpty());
}

TEST(SchemaText, ReadsTheCommentOfAView) {
  EXPECT_EQ(ReadViewComment("CREATE VIEW v AS -- who buys\nSELECT 1 -- not this"), "who buys");
  EXPECT_EQ(ReadViewComment("CREATE VIEW v AS SELECT 1"), "");
}

TEST(Tokens, TakesQuotesOff) {
  const auto name = [](std::string_view sql) { return NameOf(Tokenize(sql).at(0)); };
  EXPECT_EQ(name("\"a\"\"b\""), "a\"b");
  EXPECT_EQ(name("`a``b`"), "a`b");
  EXPECT_EQ(name("[a b]"), "a b");
  EXPECT_EQ(name("'it''s'"), "it's");
  EXPECT_EQ(name("plain"), "plain");
  EXPECT_EQ(name("\"open"), "open");
}

}  // namespace
}  // namespace schemaward::connect::sqlite_engine
