#include "connect/postgres/cells.h"

#include "base/result_matchers.h"
#include "connect/postgres/plan.h"

namespace schemaward::connect::postgres {
namespace {

using ::testing::HasSubstr;

TEST(Cells, NamesBuiltInTypesWithTheirModifiers) {
  struct {
    unsigned oid;
    int modifier;
    std::string_view name;
  } const rows[] = {
      {23, -1, "integer"},
      {1043, 24, "character varying(20)"},
      {1042, 5, "character(1)"},
      {1700, -1, "numeric"},
      {1700, ((12 << 16) | 2) + 4, "numeric(12,2)"},
      {1700, ((5 << 16) | 0x7fe) + 4, "numeric(5,-2)"},
      {1184, 3, "timestamp(3) with time zone"},
      {1083, 0, "time(0) without time zone"},
  };
  for (const auto& row : rows) EXPECT_EQ(BuiltInTypeName(row.oid, row.modifier), row.name);
  EXPECT_EQ(BuiltInTypeName(99999, -1), std::nullopt);
}

TEST(Cells, KeepsTimestampsThatAreNotDates) {
  EXPECT_EQ(std::get<std::string>(MakeCell(1114, "-infinity")), "-infinity");
  EXPECT_EQ(std::get<std::string>(MakeCell(1184, "0044-03-15 00:00:00+00 BC")),
            "0044-03-15 00:00:00+00 BC");
  EXPECT_EQ(std::get<std::string>(MakeCell(1184, "1890-01-01 00:00:00+05:53:28")),
            "1890-01-01T00:00:00+05:53:28");
}

TEST(Cells, KeepsTextThatIsNoNumber) {
  EXPECT_EQ(std::get<std::string>(MakeCell(20, "12x")), "12x");
  EXPECT_EQ(std::get<std::string>(MakeCell(17, "\\xabc")), "\\xabc");
}

TEST(Plan, ReadsCostRowsAndNodes) {
  const auto plan = ReadPlan(R"([{"Plan": {"Node Type": "Limit", "Total Cost": 12.5, "Plan Rows": 7,
      "Plans": [{"Node Type": "Index Scan", "Index Name": "i", "Relation Name": "r", "Total Cost": 9, "Plan Rows": 8}]}}])");
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->cost, 12.5);
  EXPECT_EQ(plan->rows, 7);
  EXPECT_EQ(plan->text, "Limit (cost 12.5, rows 7)\n  Index Scan using i on r (cost 9, rows 8)\n");
}

TEST(Plan, TakesNoPlanForAFailure) {
  for (const std::string_view text :
       {"", "[]", "{}", "[1]", "[{}]", "[{\"Plan\": 1}]", "[{\"Plan\": {}}]",
        "[{\"Plan\": {\"Total Cost\": \"0\", \"Plan Rows\": 1}}]"})
    EXPECT_THAT(ReadPlan(text), IsError(ErrorKind::Internal, HasSubstr("plan"))) << text;
}

}  // namespace
}  // namespace schemaward::connect::postgres
