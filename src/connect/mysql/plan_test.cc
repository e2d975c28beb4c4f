// Plans, as MariaDB 10.11 printed them and as MySQL 8's manual shows them.

#include "connect/mysql/plan.h"

#include "base/result_matchers.h"

namespace schemaward::connect::mysql {
namespace {

using ::testing::HasSubstr;

TEST(MysqlPlan, MultipliesTheRowsOfNestedLoops) {
  const auto plan = ReadPlan(R"({"query_block": {"select_id": 1, "nested_loop": [
    {"table": {"table_name": "a", "access_type": "ALL", "rows": 2000, "filtered": 50}},
    {"block-nl-join": {"table": {"table_name": "b", "access_type": "ALL", "rows": 10, "filtered": 100},
      "buffer_type": "flat", "join_type": "BNL"}},
    {"table": {"table_name": "c", "access_type": "eq_ref", "key": "PRIMARY", "rows": 1, "filtered": 100}}]}})");
  ASSERT_THAT(plan, IsOk());
  EXPECT_DOUBLE_EQ(plan->cost, 2000 + 1000 * 10 + 10000);
  EXPECT_DOUBLE_EQ(plan->rows, 10000);
  EXPECT_EQ(plan->text,
            "full scan of a (rows 2000)\nfull scan of b (rows 10)\n"
            "eq_ref on c using PRIMARY (rows 1)\n");
}

TEST(MysqlPlan, CountsWhatStandsInsideSortsUnionsAndSubqueries) {
  const auto plan = ReadPlan(R"({"query_block": {"select_id": 1, "filesort": {"sort_key": "x",
    "temporary_table": {"nested_loop": [{"table": {"table_name": "<derived2>", "access_type": "ALL",
      "rows": 3, "filtered": 100, "materialized": {"query_block": {"union_result": {
        "table_name": "<union2,3>", "query_specifications": [
          {"query_block": {"nested_loop": [{"table": {"table_name": "p", "access_type": "ALL", "rows": 7, "filtered": 100}}]}},
          {"query_block": {"nested_loop": [{"table": {"table_name": "q", "access_type": "ALL", "rows": 11, "filtered": 100}}]}}]}}}}}]}},
    "subqueries": [{"query_block": {"nested_loop": [{"table": {"table_name": "r", "access_type": "index", "rows": 13, "filtered": 100}}]}}]}})");
  ASSERT_THAT(plan, IsOk());
  EXPECT_DOUBLE_EQ(plan->cost, 3 + 7 + 11 + 13);
  EXPECT_DOUBLE_EQ(plan->rows, 3);
  EXPECT_THAT(plan->text, HasSubstr("full index scan of r (rows 13)"));
}

TEST(MysqlPlan, TakesTheServersOwnCostWhereItPrintsOne) {
  const auto plan =
      ReadPlan(R"({"query_block": {"select_id": 1, "cost_info": {"query_cost": "12.50"},
    "table": {"table_name": "orders", "access_type": "ALL", "rows_examined_per_scan": 100,
      "rows_produced_per_join": 33, "filtered": "33.00", "cost_info": {"read_cost": "1.0"}}}})");
  ASSERT_THAT(plan, IsOk());
  EXPECT_DOUBLE_EQ(plan->cost, 12.5);
  EXPECT_DOUBLE_EQ(plan->rows, 33);
}

TEST(MysqlPlan, ReadsConditionsThatAreNoJson) {
  const auto plan = ReadPlan(R"({
  "query_block": {
    "select_id": 1,
    "nested_loop": [
      {
        "table": {
          "table_name": "t",
          "access_type": "ALL",
          "rows": 1000,
          "filtered": 100,
          "attached_condition": "t.t = 'it\'s' and t.u = 'a": "b' and t.v <> 'c\\d'"
        }
      }
    ]
  }
})");
  ASSERT_THAT(plan, IsOk());
  EXPECT_DOUBLE_EQ(plan->cost, 1000);
  EXPECT_EQ(plan->text, "full scan of t (rows 1000)\n");
}

TEST(MysqlPlan, ReadsAPlanWithoutTables) {
  const auto plan =
      ReadPlan(R"({"query_block": {"select_id": 1, "table": {"message": "No tables used"}}})");
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->cost, 0);
  EXPECT_FALSE(plan->text.empty());
}

TEST(MysqlPlan, NeverTakesAnUnreadablePlanForACheapOne) {
  for (
      const char* text :
      {"", "[]", "{}", R"({"query_block": 1})",
       R"({"query_block": {"nested_loop": [{"table": {"table_name": "a", "access_type": "ALL"}}]}})"})
    EXPECT_THAT(ReadPlan(text), IsError(ErrorKind::Internal)) << text;
}

}  // namespace
}  // namespace schemaward::connect::mysql
