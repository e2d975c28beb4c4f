#include "sql/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "sql/samples.h"

namespace schemaward::sql {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Select Simple(ExpressionPtr expression) {
  Select select;
  select.columns.push_back({std::move(expression), ""});
  select.from = TableRef{"", "t", ""};
  return select;
}

std::string TextOf(const Select& select, const Dialect& dialect) {
  auto rendered = Render(select, dialect);
  return rendered ? rendered->text : rendered.error().message();
}

ExpressionPtr Text(std::string value) { return MakeLiteral({std::move(value)}); }

Select EveryClause() {
  Select select;
  select.distinct = true;
  select.columns.push_back({MakeColumn("o", "City"), "city"});
  select.columns.push_back({MakeCall({.function = "count", .arguments = {}, .star = true}), "n"});
  select.from = TableRef{"shop", "orders", "o"};
  select.joins.push_back({JoinKind::Inner, TableRef{"shop", "people", "p"},
                          MakeBinary("=", MakeColumn("p", "id"), MakeColumn("o", "person_id"))});
  select.joins.push_back({JoinKind::Left, TableRef{"shop", "notes", ""},
                          MakeBinary("is", MakeColumn("notes", "k"), MakeColumn("o", "k"))});
  select.where = MakeBinary("and", MakeBinary("like", MakeColumn("p", "name"), Text("A%")),
                            MakeUnary("is not null", MakeColumn("o", "paid")));
  select.group_by.push_back(MakeColumn("o", "City"));
  select.order_by.push_back({MakeColumn("", "n"), true});
  select.order_by.push_back({MakeColumn("", "city"), false});
  select.limit = 10;
  return select;
}

TEST(Render, PrintsEveryClauseForPostgres) {
  EXPECT_EQ(TextOf(EveryClause(), Postgres()),
            R"(SELECT DISTINCT "o"."City" AS "city", count(*) AS "n" FROM "shop"."orders" AS "o" )"
            R"(JOIN "shop"."people" AS "p" ON ("p"."id" = "o"."person_id") )"
            R"(LEFT JOIN "shop"."notes" ON ("notes"."k" IS NOT DISTINCT FROM "o"."k") )"
            R"(WHERE (("p"."name" LIKE $1) AND ("o"."paid" IS NOT NULL)) GROUP BY "o"."City" )"
            R"(ORDER BY "n" DESC, "city" LIMIT 10)");
}

TEST(Render, PrintsEveryClauseForSqlite) {
  EXPECT_EQ(TextOf(EveryClause(), Sqlite()),
            R"(SELECT DISTINCT "o"."City" AS "city", count(*) AS "n" FROM "shop"."orders" AS "o" )"
            R"(JOIN "shop"."people" AS "p" ON ("p"."id" = "o"."person_id") )"
            R"(LEFT JOIN "shop"."notes" ON ("notes"."k" IS "o"."k") )"
            R"(WHERE (("p"."name" LIKE ?) AND ("o"."paid" IS NOT NULL)) GROUP BY "o"."City" )"
            R"(ORDER BY "n" DESC, "city" LIMIT 10)");
}

TEST(Render, PrintsEveryClauseForMySql) {
  EXPECT_EQ(TextOf(EveryClause(), MySql()),
            "SELECT DISTINCT `o`.`City` AS `city`, count(*) AS `n` FROM `shop`.`orders` AS `o` "
            "JOIN `shop`.`people` AS `p` ON (`p`.`id` = `o`.`person_id`) "
            "LEFT JOIN `shop`.`notes` ON (`notes`.`k` <=> `o`.`k`) "
            "WHERE ((`p`.`name` LIKE ?) AND (`o`.`paid` IS NOT NULL)) GROUP BY `o`.`City` "
            "ORDER BY `n` DESC, `city` LIMIT 10");
}

TEST(Render, PrintsNullSafeComparisonForDuckDb) {
  EXPECT_EQ(
      TextOf(Simple(MakeBinary("is not", MakeColumn("", "a"), MakeColumn("", "b"))), DuckDb()),
      R"(SELECT (NOT ("a" IS NOT DISTINCT FROM "b")) FROM "t")");
}

TEST(Render, QuotesNamesThatHoldTheQuote) {
  const Select select = Simple(MakeColumn("", "a\"b`c"));
  EXPECT_EQ(TextOf(select, Postgres()), R"(SELECT "a""b`c" FROM "t")");
  EXPECT_EQ(TextOf(select, MySql()), "SELECT `a\"b``c` FROM `t`");
}

TEST(Render, NeverPrintsAValue) {
  const Select select =
      Simple(MakeBinary("or", MakeBinary("=", MakeColumn("", "a"), Text("x'; DROP TABLE t --")),
                        MakeBinary("=", MakeColumn("", "a"), MakeLiteral({std::int64_t{7}}))));
  auto rendered = Render(select, Postgres());
  ASSERT_THAT(rendered, IsOk());
  EXPECT_EQ(rendered->text, R"(SELECT (("a" = $1) OR ("a" = $2)) FROM "t")");
  ASSERT_THAT(rendered->parameters, SizeIs(2));
  EXPECT_EQ(std::get<std::string>(rendered->parameters[0].value), "x'; DROP TABLE t --");
  EXPECT_EQ(std::get<std::int64_t>(rendered->parameters[1].value), 7);
  EXPECT_EQ(TextOf(select, Sqlite()), R"(SELECT (("a" = ?) OR ("a" = ?)) FROM "t")");
}

TEST(Render, TypesNumbersThatAColumnMayNotHold) {
  const auto beside_a = [](Literal value) {
    return Simple(MakeBinary(">", MakeColumn("", "a"), MakeLiteral(std::move(value))));
  };
  EXPECT_EQ(TextOf(beside_a({1.5}), Postgres()), R"(SELECT ("a" > CAST($1 AS numeric)) FROM "t")");
  EXPECT_EQ(TextOf(beside_a({std::int64_t{1} << 31}), Postgres()),
            R"(SELECT ("a" > CAST($1 AS bigint)) FROM "t")");
  EXPECT_EQ(TextOf(beside_a({(std::int64_t{1} << 31) - 1}), Postgres()),
            R"(SELECT ("a" > $1) FROM "t")");
  EXPECT_EQ(TextOf(beside_a({1.5}), Sqlite()), R"(SELECT ("a" > ?) FROM "t")");
}

TEST(Render, KeepsTheShapeOfTheTreeInBrackets) {
  const auto a = MakeColumn("", "a");
  EXPECT_EQ(TextOf(Simple(MakeUnary("-", MakeUnary("-", a))), Sqlite()),
            R"(SELECT (-(-"a")) FROM "t")");
  EXPECT_EQ(TextOf(Simple(MakeBinary("*", a, MakeBinary("+", a, a))), Sqlite()),
            R"(SELECT ("a" * ("a" + "a")) FROM "t")");
  EXPECT_EQ(TextOf(Simple(MakeUnary("not", MakeUnary("is null", a))), Sqlite()),
            R"(SELECT (NOT ("a" IS NULL)) FROM "t")");
}

TEST(Render, JoinsTextsInTheDialectsWay) {
  const Select select = Simple(MakeBinary("||", MakeColumn("", "a"), MakeColumn("", "b")));
  EXPECT_EQ(TextOf(select, Postgres()), R"(SELECT ("a" || "b") FROM "t")");
  EXPECT_EQ(TextOf(select, MySql()), "SELECT concat(`a`, `b`) FROM `t`");
}

TEST(Render, PrintsEveryListedOperator) {
  for (const char* op : {"=", "<>", "<", "<=", ">", ">=", "and", "or", "+", "-", "*", "/", "like",
                         "||", "is", "is not"})
    for (const Dialect* dialect : {&Postgres(), &Sqlite(), &MySql(), &DuckDb()})
      EXPECT_THAT(
          Render(Simple(MakeBinary(op, MakeColumn("", "a"), MakeColumn("", "b"))), *dialect),
          IsOk())
          << op;
}

TEST(Render, RefusesWhatIsNotOnTheList) {
  const auto a = MakeColumn("", "a");
  struct Row {
    const char* name;
    Select select;
  };
  Select no_columns = Simple(a);
  no_columns.columns.clear();
  Select no_table = Simple(a);
  no_table.from = TableRef{};
  Select negative = Simple(a);
  negative.limit = -1;
  Select no_condition = Simple(a);
  no_condition.joins.push_back({JoinKind::Inner, TableRef{"", "u", ""}, nullptr});
  const Row rows[] = {
      {"binary operator", Simple(MakeBinary("; drop table t; --", a, a))},
      {"upper-case operator", Simple(MakeBinary("AND", a, a))},
      {"unary operator", Simple(MakeUnary("exists", a))},
      {"function with a bracket", Simple(MakeCall({.function = "f(", .arguments = {}}))},
      {"function in upper case", Simple(MakeCall({.function = "COUNT", .arguments = {}}))},
      {"function without a name", Simple(MakeCall({.function = "", .arguments = {}}))},
      {"star with arguments",
       Simple(MakeCall({.function = "count", .arguments = {a}, .star = true}))},
      {"empty column", Simple(MakeColumn("", ""))},
      {"zero byte", Simple(MakeColumn("", std::string("a\0b", 3)))},
      {"absent operand", Simple(MakeBinary("=", a, nullptr))},
      {"no columns", no_columns},
      {"no table", no_table},
      {"negative limit", negative},
      {"join without a condition", no_condition},
  };
  for (const Row& row : rows)
    EXPECT_THAT(Render(row.select, Sqlite()),
                IsError(ErrorKind::Internal, HasSubstr("cannot be printed")))
        << row.name;
}

ExpressionPtr Nested(int depth) {
  ExpressionPtr expression = MakeColumn("", "a");
  for (int i = 1; i < depth; ++i) expression = MakeUnary("not", expression);
  return expression;
}

TEST(Render, BoundsDepth) {
  EXPECT_THAT(Render(Simple(Nested(kExpressionDepthMax)), Postgres()), IsOk());
  EXPECT_THAT(Render(Simple(Nested(kExpressionDepthMax + 1)), Postgres()),
              IsError(ErrorKind::Internal, HasSubstr("deep")));
}

TEST(Render, BoundsNodes) {
  // Shared parts count each time that they are printed, so that a small tree cannot print without
  // end.
  ExpressionPtr expression = MakeColumn("", "a");
  for (int i = 0; i < 40; ++i) expression = MakeBinary("+", expression, expression);
  EXPECT_THAT(Render(Simple(expression), Postgres()),
              IsError(ErrorKind::Internal, HasSubstr("large")));
}

TEST(SampleSelect, ReadsTheColumnsUnderTheirNames) {
  EXPECT_EQ(
      TextOf(SampleSelect("main", "Order Details", {"Id", "Unit Price"}, 5), Sqlite()),
      R"(SELECT "t"."Id" AS "Id", "t"."Unit Price" AS "Unit Price" FROM "main"."Order Details" AS "t" LIMIT 5)");
  EXPECT_EQ(TextOf(SampleSelect("", "a", {"b"}, 1), MySql()),
            "SELECT `t`.`b` AS `b` FROM `a` AS `t` LIMIT 1");
}

TEST(Dialect, IsFoundByName) {
  EXPECT_EQ(FindDialect("postgres"), &Postgres());
  EXPECT_EQ(FindDialect("sqlite"), &Sqlite());
  EXPECT_EQ(FindDialect("mysql"), &MySql());
  EXPECT_EQ(FindDialect("duckdb"), &DuckDb());
  EXPECT_EQ(FindDialect("oracle"), nullptr);
}

}  // namespace
}  // namespace schemaward::sql
