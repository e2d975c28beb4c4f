#include "sql/read/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "sql/rewrite.h"

namespace schemaward::sql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Again(std::string_view text) {
  auto read = ReadExpression(text);
  if (!read) return read.error().message();
  return PrintExpression(*read);
}

TEST(Expression, ReadsAndPrints) {
  struct Row {
    const char* text;
    const char* printed;
  };
  for (const Row& row : {
           Row{"amount", "amount"},
           Row{"Orders.Amount", "Orders.Amount"},
           Row{R"("order" . "a ""b""")", R"(order."a ""b""")"},
           Row{R"("plain")", "plain"},
           Row{R"("case")", R"("case")"},
           Row{"1 + 2 * 3 - 4", "1 + 2 * 3 - 4"},
           Row{"(1 + 2) * (3 - 4)", "(1 + 2) * (3 - 4)"},
           Row{"1 - (2 - 3)", "1 - (2 - 3)"},
           Row{"a / b / c", "a / b / c"},
           Row{"a / (b / c)", "a / (b / c)"},
           Row{"-a", "-a"},
           Row{"- - a", "-(-a)"},
           Row{"-5", "-5"},
           Row{"- (5)", "-(5)"},
           Row{"a - -5", "a - -5"},
           Row{"+5", "5"},
           Row{"-9223372036854775808", "-9223372036854775808"},
           Row{"1.50 + .5 + 2. + 1e3 + 1E-7", "1.5 + 0.5 + 2.0 + 1000.0 + 1e-07"},
           Row{"'it''s' || name || 'x'", "'it''s' || name || 'x'"},
           Row{"a || b + c", "a || b + c"},
           Row{"TRUE and not FALSE or NULL", "true and not false or null"},
           Row{"not (a and b)", "not (a and b)"},
           Row{"not not a", "not (not a)"},
           Row{"(a or b) and c", "(a or b) and c"},
           Row{"not a = b", "not a = b"},
           Row{"a == 1", "a = 1"},
           Row{"a != 1 and b <> 2", "a <> 1 and b <> 2"},
           Row{"a<=1 and b>=2 and c<3 and d>4", "a <= 1 and b >= 2 and c < 3 and d > 4"},
           Row{"(a = b) = c", "(a = b) = c"},
           Row{"a is null or b IS NOT NULL", "a is null or b is not null"},
           Row{"a is true and b is not false",
               "a is not distinct from true and b is distinct from false"},
           Row{"a is distinct from b", "a is distinct from b"},
           Row{"status in ('paid', 'shipped')", "status in ('paid', 'shipped')"},
           Row{"a not in (1,2)", "a not in (1, 2)"},
           Row{"a between 1 and 2 and b", "a >= 1 and a <= 2 and b"},
           Row{"a not between 1 and 2", "not (a >= 1 and a <= 2)"},
           Row{"name not like 'A%'", "not name like 'A%'"},
           Row{"case when a > 0 then 1 else 0 end", "case when a > 0 then 1 else 0 end"},
           Row{"CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'b' END",
               "case when x = 1 then 'a' when x = 2 then 'b' end"},
           Row{"cast(a as varchar)", "cast(a as text)"},
           Row{"cast(a as double precision)", "cast(a as double)"},
           Row{"cast(a as timestamp with time zone)", "cast(a as timestamptz)"},
           Row{"cast(a as timestamp without time zone)", "cast(a as timestamp)"},
           Row{"a::int + b::numeric", "cast(a as integer) + cast(b as decimal)"},
           Row{"Coalesce(a, b, 0)", "coalesce(a, b, 0)"},
           Row{"round(a * 1.2, 2)", "round(a * 1.2, 2)"},
           Row{"CEILING(a) + floor(b)", "ceil(a) + floor(b)"},
           Row{"nullif(trim(lower(upper(a))), '')", "nullif(trim(lower(upper(a))), '')"},
           Row{"length(a) + abs(b)", "length(a) + abs(b)"},
           Row{"price * (1 - coalesce(discount, 0))", "price * (1 - coalesce(discount, 0))"},
           Row{"\xC3\xA9t\xC3\xA9", "\"\xC3\xA9t\xC3\xA9\""},
       }) {
    EXPECT_EQ(Again(row.text), row.printed) << row.text;
    EXPECT_EQ(Again(row.printed), row.printed) << row.text;
  }
}

TEST(Expression, DividesTruly) {
  auto read = ReadExpression("a / 2");
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(std::holds_alternative<Ratio>((*read)->node));
}

TEST(Expression, SaysWhereAndWhatWasExpected) {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{"", "at byte 0: expected a column, a value or a function, found the end"},
           Row{"a +", "at byte 3: expected a column, a value or a function, found the end"},
           Row{"a b", "at byte 2: expected an operator or the end, found \"b\""},
           Row{"(a", "at byte 2: expected \")\", found the end"},
           Row{"a in ()", "at byte 6: expected a column"},
           Row{"a in b", "at byte 5: expected \"(\", found \"b\""},
           Row{"a between 1", "at byte 11: expected and"},
           Row{"a is 5", "at byte 5: expected null, true, false or distinct from, found \"5\""},
           Row{"case end", "at byte 5: expected a column"},
           Row{"case a end", "at byte 7: expected when"},
           Row{"case when a then b", "at byte 18: expected end"},
           Row{"cast(a as money)", "at byte 10: expected a type"},
           Row{"cast(a as decimal(10,2))", "at byte 17: expected a type without a length"},
           Row{"'abc", "at byte 0: expected a closing quote"},
           Row{"\"abc", "at byte 0: expected a closing quote"},
           Row{"\"\"", "expected a name"},
           Row{"a -- b", "at byte 2: expected an expression without comments"},
           Row{"a /* b */", "at byte 2: expected an expression without comments"},
           Row{"a; drop table b",
               "at byte 1: expected a name, a value or an operator, found \";\""},
           Row{"$1", "found \"$\""},
           Row{"a.b.c", "at byte 3: expected a name of two parts"},
           Row{"select", "found \"select\""},
           Row{"exists (select 1)", "found \"exists\""},
           Row{"12abc", "at byte 0: expected a number"},
           Row{"9223372036854775808", "expected a number of 64 bits"},
           Row{"1e999", "expected a number of 64 bits"},
           Row{"nullif(a)", "at byte 0: expected 2 arguments"},
           Row{"abs(a, b)", "at most 1 items"},
           Row{"a = b = c", "at byte 6: expected an operator or the end"},
       })
    EXPECT_THAT(ReadExpression(row.text), IsError(ErrorKind::SqlSyntax, HasSubstr(row.message)))
        << row.text;
}

TEST(Expression, NamesTheNearestFunction) {
  auto refused = ReadExpression("1 + coalesc(a, 0)");
  ASSERT_THAT(refused, IsError(ErrorKind::SqlSyntax, HasSubstr("coalesc")));
  EXPECT_EQ(refused.error().recovery().fuzzy_matches.front(), "coalesce");
  EXPECT_THAT(refused.error().detail(), HasSubstr("bytes 4 to 11"));
  for (const char* text : {"sum(a)", "pg_sleep(1)", "random()"})
    EXPECT_THAT(ReadExpression(text), IsError(ErrorKind::SqlSyntax, HasSubstr("function")));
}

std::string Nested(const char* before, int count, const char* after) {
  std::string text;
  for (int i = 0; i < count; ++i) text += before;
  text += "a";
  for (int i = 0; i < count; ++i) text += after;
  return text;
}

TEST(Expression, BoundsDepthAndSize) {
  EXPECT_THAT(ReadExpression(Nested("(", kReadDepthMax - 1, ")")), IsOk());
  EXPECT_THAT(ReadExpression(Nested("", kReadDepthMax - 1, " + a")), IsOk());
  for (const auto& text :
       {Nested("(", kReadDepthMax, ")"), Nested("", kReadDepthMax, " + a"),
        Nested("not ", kReadDepthMax + 1, ""), Nested("- ", kReadDepthMax + 1, ""),
        Nested("", kReadDepthMax, " is null"), Nested("abs(", kReadDepthMax, ")"),
        Nested("", kReadDepthMax, "::text"), Nested("case when ", kReadDepthMax, " then b end"),
        Nested("((((((((", 800, "")})
    EXPECT_THAT(ReadExpression(text), IsError(ErrorKind::SqlSyntax)) << text.substr(0, 20);
  const std::string longest = "'" + std::string(kExpressionTextMax - 2, 'x') + "'";
  EXPECT_THAT(ReadExpression(longest), IsOk());
  EXPECT_THAT(ReadExpression(longest + " "), IsError(ErrorKind::SqlSyntax));
  std::string list = "a in (0";
  for (std::size_t i = 1; i < kReadItemsMax; ++i) list += ",0";
  EXPECT_THAT(ReadExpression(list + ")"), IsOk());
  EXPECT_THAT(ReadExpression(list + ",0)"), IsError(ErrorKind::SqlSyntax));
}

TEST(Rewrite, ReplacesColumnsWhereverTheyStand) {
  auto read = ReadExpression(
      "case when a in (b, 1) then coalesce(c, d) / e else -cast(f as text) || g end");
  ASSERT_THAT(read, IsOk());
  std::vector<std::string> seen;
  ASSERT_THAT(VisitColumns(*read,
                           [&](const ColumnRef& column) {
                             seen.push_back(column.column);
                             return Ok();
                           }),
              IsOk());
  EXPECT_THAT(seen, ElementsAre("a", "b", "c", "d", "e", "f", "g"));
  auto changed = RewriteColumns(*read, [](const ColumnRef& column) -> Result<ExpressionPtr> {
    if (column.column == "e") return ReadExpression("x + 1");
    return column.column == "g" ? nullptr : MakeColumn("t", column.column);
  });
  ASSERT_THAT(changed, IsOk());
  EXPECT_EQ(PrintExpression(*changed),
            "case when t.a in (t.b, 1) then coalesce(t.c, t.d) / (x + 1) else -cast(t.f as text) "
            "|| g end");
}

TEST(Rewrite, PassesFailuresOn) {
  auto read = ReadExpression("a + b");
  ASSERT_THAT(read, IsOk());
  EXPECT_THAT(RewriteColumns(*read,
                             [](const ColumnRef& column) -> Result<ExpressionPtr> {
                               return Error(ErrorKind::UnknownColumn, column.column);
                             }),
              IsError(ErrorKind::UnknownColumn, "a"));
}

}  // namespace
}  // namespace schemaward::sql
