#include "connect/duckdb/ddl_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::connect::duckdb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(DdlText, FindsGeneratedColumnsAmongColumnsThatOnlySoundLikeThem) {
  EXPECT_THAT(
      GeneratedColumns(
          R"(CREATE TABLE "a (b"(a INTEGER, b INTEGER GENERATED ALWAYS AS((a * 2)), "we ird, (""" INTEGER )"
          R"(GENERATED ALWAYS AS(concat(a, ')')), s VARCHAR DEFAULT(' GENERATED ALWAYS AS ('), CHECK((a > 1)), , FOREIGN KEY (a) REFERENCES b(c));)"),
      ElementsAre(Pair("b", "a * 2"), Pair("we ird, (\"", "concat(a, ')')")));
  EXPECT_THAT(GeneratedColumns("CREATE TABLE t(a INTEGER DEFAULT(3));"), IsEmpty());
  EXPECT_THAT(GeneratedColumns(""), IsEmpty());
}

TEST(DdlText, TellsColumnsOfAnIndexFromExpressions) {
  EXPECT_THAT(IndexParts("CREATE INDEX i ON child(boss);"), ElementsAre("boss"));
  EXPECT_THAT(IndexParts(R"(CREATE UNIQUE INDEX " ON (" ON "Other"."a (b"(state, "a, b");)"),
              ElementsAre("state", "a, b"));
  EXPECT_THAT(IndexParts("CREATE INDEX i ON child((lower(state)), id);"),
              ElementsAre("lower(state)", "id"));
  EXPECT_THAT(IndexParts("nothing of the kind"), IsEmpty());
}

TEST(DdlText, TakesTheSelectOfAView) {
  EXPECT_EQ(ViewSelect(R"(CREATE VIEW " AS ("."v AS w" AS SELECT a AS b FROM t AS u;)"),
            "SELECT a AS b FROM t AS u");
  EXPECT_EQ(ViewSelect("CREATE VIEW v (x, y) AS SELECT a, b FROM t;"), "");
  EXPECT_EQ(ViewSelect("CREATE TABLE t(a INTEGER);"), "");
}

TEST(DdlText, ReadsLabelsOfEnums) {
  EXPECT_THAT(EnumLabels("ENUM('sad', 'it''s, ok', ')')"), ElementsAre("sad", "it's, ok", ")"));
  EXPECT_THAT(EnumLabels("ENUM('a')[]"), IsEmpty());
  EXPECT_THAT(EnumLabels("VARCHAR"), IsEmpty());
}

TEST(DdlText, ReadsLabelsOfAPlainListOnly) {
  EXPECT_THAT(CheckLabels("(state IN ('new', 'paid', 'it''s'))", "state"),
              ElementsAre("new", "paid", "it's"));
  EXPECT_THAT(CheckLabels(R"(("a b" IN ('x')))", "a b"), ElementsAre("x"));
  for (const char* loose :
       {"((a IN ('x', 'y')) OR (a > 'z'))", "(a NOT IN ('x'))", "(a IN ('x', b))", "(a IN (1, 2))",
        "(b IN ('x'))", "(lower(a) IN ('x'))", "a IN ('x') AND (a IN ('y'))", "a IN ("})
    EXPECT_THAT(CheckLabels(loose, "a"), IsEmpty()) << loose;
}

TEST(DdlText, TakesNoLabelsPastTheBound) {
  std::string list = "'x'";
  for (std::size_t i = 1; i < kLabelsMax; ++i) list += ", 'x'";
  EXPECT_EQ(EnumLabels("ENUM(" + list + ")").size(), kLabelsMax);
  EXPECT_THAT(EnumLabels("ENUM(" + list + ", 'x')"), IsEmpty());
}

}  // namespace
}  // namespace schemaward::connect::duckdb
