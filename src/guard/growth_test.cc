// Values that grow where DuckDB's memory limit does not look.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

Result<Approved> Approve(const std::string& value) {
  return ApproveOver("SELECT " + value + " FROM t", sql::DuckDb(),
                     {MakeTable("t", {"id", "plan", "tags"})});
}

TEST(Growth, AReductionAddsAndMultipliesNot) {
  for (const char* body :
       {"a + b", "a || ',' || b", "concat(a, b)", "greatest(a, b)", "a + a * b",
        "CASE WHEN a > b THEN a ELSE b END", "list_append(a, b)", "upper(a) || b", "(a + b) / 2"})
    EXPECT_THAT(Approve(std::string("list_reduce(tags, (a, b) -> ") + body + ")"), IsOk()) << body;
  for (const char* body :
       {"a || a", "concat(a, a)", "a + a", "replace(a, 'x', 'xx')", "[a, a]",
        "array_to_string(list_transform([1, 2], q -> a), '')", "CASE WHEN b THEN a || a END",
        "regexp_replace(a, '', 'xx')", "coalesce(a || a, b)", "repeat(a, 2)"})
    EXPECT_THAT(Approve(std::string("tags.list_reduce((a, b) -> ") + body + ")"),
                IsError(ErrorKind::NotARead))
        << body;
}

TEST(Growth, ALambdaMakesNoLargeValueOfEachElement) {
  EXPECT_THAT(Approve("list_transform(tags, x -> lpad(x, 20, '0'))"), IsOk());
  EXPECT_THAT(Approve("[repeat('#', 50) FOR x IN range(1000)]"), IsOk());
  EXPECT_THAT(Approve("list_transform(range(1, 13), m -> m * 2)"), IsOk());
  for (const char* value :
       {"list_transform(tags, x -> repeat('x', 10000))", "[repeat('x', 10000) FOR x IN tags]",
        "list_filter(tags, x -> len(range(1000)) > 3)", "list_transform(tags, x -> range(1000))",
        "list_transform(tags, x -> generate_series(DATE '2000-01-01', DATE '2020-01-01', "
        "INTERVAL 1 DAY))",
        "list_transform(list_transform(list_transform(tags, x -> x || x), x -> x || x), "
        "x -> x || x)"})
    EXPECT_THAT(Approve(value), IsError(ErrorKind::NotARead)) << value;
}

TEST(Growth, ASeriesThatIsAValueIsShort) {
  for (const char* value :
       {"len(range(10000))", "unnest(range(1000000))", "unnest(generate_series(1, 1000000))",
        "(SELECT sum(i) FROM range(1000000) r(i))",
        "generate_series(DATE '2020-01-01', DATE '2021-01-01', INTERVAL 1 DAY)"})
    EXPECT_THAT(Approve(value), IsOk()) << value;
  for (const char* value : {"len(range(1000000))", "unnest(range(1000000) || [id])",
                            "unnest(list_transform(range(1000000), x -> x))"})
    EXPECT_THAT(Approve(value), IsError(ErrorKind::NotARead)) << value;
}

}  // namespace
}  // namespace schemaward::guard
