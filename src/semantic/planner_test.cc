// Questions over a small shop: which rows are read, what is refused, and which call mends it.

#include "semantic/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "json/read.h"
#include "json/value.h"
#include "json/write.h"
#include "semantic/compile.h"
#include "semantic/testing.h"

namespace schemaward::semantic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kNow = 1'718'000'000'000'000;  // 2024-06-10

Question Asked(std::string_view json) {
  Question question;
  const auto parsed = json::Parse(json);
  EXPECT_TRUE(parsed.has_value()) << json;
  const auto report = json::Read(parsed->value(), question);
  EXPECT_TRUE(report.ok()) << json << (report.ok() ? "" : report.problems.front().text);
  return question;
}

class PlannerTest : public testing::Test {
 protected:
  Result<Planned> Plan(std::string_view json) {
    mended.reset();
    PlanOptions options;
    options.now_utc = kNow;
    options.may_probe = false;
    return MakePlan(*model, Asked(json), options, mended);
  }
  std::string Text(std::string_view json) {
    const auto planned = Plan(json);
    if (!planned) return planned.error().ToLogText();
    return planned->plan.ToText(*model);
  }

  std::shared_ptr<const Model> model = ShopModel();
  std::optional<Question> mended;
};

TEST_F(PlannerTest, TheShopHasNoProblems) {
  for (const Model::Finding& finding : model->Findings())
    ADD_FAILURE() << finding.definition << ": " << finding.problem.message;
}

TEST_F(PlannerTest, JoinsToOneAndKeepsRowsWithoutAPartner) {
  const std::string text = Text(R"({"name":"revenue","group_by":["customer.country"]})");
  EXPECT_THAT(text, HasSubstr("rows of order_item"));
  EXPECT_THAT(text, HasSubstr("to-one join order as order by item_order"));
  EXPECT_THAT(text, HasSubstr("to-one join customer as customer by order_customer"));
  EXPECT_THAT(text, HasSubstr("status <> 'cancelled'"));
  EXPECT_THAT(text, Not(HasSubstr("once a group")));
}

TEST_F(PlannerTest, AFilterAcrossAToManyJoinRepeatsNothing) {
  const auto planned = Plan(
      R"({"name":"orders","filters":[{"column":"product.category","op":"=","value":"toys"},{"column":"order_item.quantity","op":">","value":2}]})");
  ASSERT_THAT(planned, IsOk());
  EXPECT_THAT(planned->plan.semi_joins, ElementsAre("item_order"));
  EXPECT_TRUE(planned->plan.fan_out_joins.empty());
  EXPECT_FALSE(planned->plan.is_inflated_by_fan_out);
  const auto& rows = std::get<MeasureNode>(planned->plan.nodes.front()).rows;
  EXPECT_EQ(rows.conditions.size(), 1U) << "both leaves must be met by the same item";
}

TEST_F(PlannerTest, AGroupAcrossAToManyJoinCountsEachRowOnceAGroup) {
  const auto planned = Plan(R"({"name":"orders","group_by":["product.category"]})");
  ASSERT_THAT(planned, IsOk());
  EXPECT_THAT(planned->plan.fan_out_joins, ElementsAre("item_order"));
  EXPECT_TRUE(planned->plan.is_inflated_by_fan_out);
  EXPECT_THAT(planned->plan.ToText(*model), HasSubstr("each row once a group"));
}

TEST_F(PlannerTest, FactsOfAChasmAreAggregatedApart) {
  const auto planned = Plan(R"({"metrics":["orders","tickets"],"group_by":["customer.country"]})");
  ASSERT_THAT(planned, IsOk());
  EXPECT_EQ(planned->plan.nodes.size(), 2U);
  EXPECT_FALSE(planned->plan.is_inflated_by_fan_out);
}

TEST_F(PlannerTest, LeavesOfTheSameRowsAreAggregatedTogether) {
  const auto planned = Plan(R"({"metrics":["paid","median_payment"]})");
  ASSERT_THAT(planned, IsOk());
  EXPECT_EQ(planned->plan.nodes.size(), 1U);
}

TEST_F(PlannerTest, RolesTellTwoPathsApart) {
  EXPECT_THAT(Text(R"({"name":"orders","group_by":["billing.city","shipping.city"]})"),
              testing::AllOf(HasSubstr("by order_billing"), HasSubstr("by order_shipping")));
  EXPECT_THAT(Text(R"({"name":"employees","group_by":["manager.name"]})"),
              HasSubstr("join employee as manager by employee_manager"));
}

struct Refusal {
  const char* name;
  const char* question;
  ErrorKind kind;
  const char* mended;  // what the mended question holds
};

class Refuses : public PlannerTest, public testing::WithParamInterface<Refusal> {};

TEST_P(Refuses, AndMends) {
  const Refusal& row = GetParam();
  auto planned = Plan(row.question);
  ASSERT_FALSE(planned.has_value());
  EXPECT_EQ(planned.error().kind(), row.kind) << planned.error().ToLogText();
  ASSERT_TRUE(mended.has_value());
  EXPECT_THAT(json::WriteArguments(*mended), HasSubstr(row.mended));
  // The mended call may have further faults; following them ends at a plan.
  for (int round = 0; round < 4 && mended; ++round) {
    const std::string next = json::WriteArguments(*mended);
    planned = Plan(next);
    if (planned) break;
  }
  EXPECT_THAT(planned, IsOk());
}

INSTANTIATE_TEST_SUITE_P(
    All, Refuses,
    testing::Values(
        Refusal{"UnknownMetric", R"({"name":"revenu"})", ErrorKind::UnknownMetric,
                R"("name":"revenue")"},
        Refusal{"NoName", R"({})", ErrorKind::InvalidArgument, R"("name":)"},
        Refusal{"GroupColumn", R"({"name":"revenue","group_by":["customer.contry"]})",
                ErrorKind::UnknownGroupBy, R"("customer.country")"},
        Refusal{"FilterColumn",
                R"({"name":"revenue","filters":[{"column":"customer.contry","value":"DE"}]})",
                ErrorKind::UnknownFilter, R"("customer.country")"},
        Refusal{"Entity", R"({"name":"revenue","group_by":["custmer.country"]})",
                ErrorKind::UnknownEntity, R"("customer.country")"},
        Refusal{
            "Op",
            R"({"name":"revenue","filters":[{"column":"customer.country","op":"equalz","value":"DE"}]})",
            ErrorKind::MalformedName, R"("name":"revenue")"},
        Refusal{"Value",
                R"({"name":"orders","filters":[{"column":"order.id","op":"eq","value":"x"}]})",
                ErrorKind::MalformedName, R"("name":"orders")"},
        Refusal{"Parallel", R"({"name":"orders","group_by":["address.city"]})",
                ErrorKind::AmbiguousJoin, "address.city=order_billing"},
        Refusal{"Unreachable", R"({"name":"employees","group_by":["customer.country"]})",
                ErrorKind::UnreachableEntity, R"({"name":"employees"})"},
        Refusal{"Via", R"({"name":"orders","via":["no_such"]})", ErrorKind::UnknownViaJoin,
                R"({"name":"orders"})"},
        Refusal{"ViaOnNoPath",
                R"({"name":"orders","group_by":["customer.country"],"via":["employee_manager"]})",
                ErrorKind::UnknownViaJoin, R"("name":"orders")"},
        Refusal{"OrderBy", R"({"name":"orders","order_by":["no_such desc"]})",
                ErrorKind::UnknownOrderBy, R"("column":"orders")"},
        Refusal{"Grain", R"({"name":"orders","time_grain":"fortnight"})",
                ErrorKind::InvalidTimeGrain, R"("time_grain":)"},
        Refusal{"TooFine",
                R"({"name":"paid","time_dimension":"payment.paid_on","time_grain":"hour"})",
                ErrorKind::GrainMismatch, R"("time_grain":"day")"},
        Refusal{"TwoTimes", R"({"name":"employees","time_grain":"month","group_by":["ticket.id"]})",
                ErrorKind::UnreachableEntity, R"("employees")"},
        Refusal{"Zone", R"({"name":"orders","time_zone":"Europe/Berln"})", ErrorKind::MalformedName,
                "Europe/Berlin"},
        Refusal{"Range", R"({"name":"orders","time_range":"last_mnth"})", ErrorKind::MalformedName,
                "last_month"},
        Refusal{"OffsetAlone", R"({"name":"revenue_growth"})", ErrorKind::GrainMismatch,
                R"("time_grain":"month")"},
        Refusal{"Having", R"({"name":"orders","having":[{"metric":"order","op":">","value":1}]})",
                ErrorKind::UnknownMetric, R"("metric":"orders")"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(PlannerTest, SeveralColumnsOfTimeAreNotGuessedBetween) {
  std::optional<Question> unused;
  Definitions definitions = DefinitionsOf(R"({
    "entities":[{"name":"ticket","table":"tickets","identity":"id"}],
    "metrics":[{"name":"tickets","entity":"ticket","aggregation":"count"}]})");
  const auto other = Model::Build(
      definitions, {TableOf("tickets", "id integer, opened_at timestamp, closed_at timestamp")});
  PlanOptions options;
  options.now_utc = kNow;
  const auto planned =
      MakePlan(*other, Asked(R"({"name":"tickets","time_grain":"day"})"), options, unused);
  ASSERT_THAT(planned, IsError(ErrorKind::AmbiguousTime));
  EXPECT_THAT(planned.error().recovery().fuzzy_matches,
              ElementsAre("ticket.opened_at", "ticket.closed_at"));
  EXPECT_EQ(unused->time_dimension, "ticket.opened_at");
}

TEST_F(PlannerTest, TimeIsInheritedOverToOneJoins) {
  const auto planned = Plan(R"({"name":"revenue","time_grain":"monthly"})");
  ASSERT_THAT(planned, IsOk());
  ASSERT_EQ(planned->times.size(), 1U);
  EXPECT_EQ(planned->times.front().name, "order.placed_at");
  EXPECT_TRUE(planned->times.front().is_inherited);
  EXPECT_THAT(planned->times.front().via, ElementsAre("item_order"));
}

TEST_F(PlannerTest, SaysThatThereIsNoTime) {
  const auto planned = Plan(R"({"name":"employees","time_grain":"month"})");
  ASSERT_THAT(planned, IsOk());
  EXPECT_TRUE(planned->plan.time.is_unavailable);
  EXPECT_FALSE(planned->plan.time.grain.has_value());
}

TEST_F(PlannerTest, AnEarlierYearIsReadByItsOwnDates) {
  const auto planned = Plan(
      R"({"name":"orders","time_grain":"month","time_range":{"start":"2024-02-01","end":"2024-04-01"},"compare":"1 year"})");
  ASSERT_THAT(planned, IsOk());
  ASSERT_EQ(planned->plan.values.size(), 3U);
  EXPECT_EQ(planned->plan.values[1].name, "orders_previous");
  const Spine& spine = planned->plan.spines.front();
  ASSERT_EQ(spine.periods.size(), 2U);
  EXPECT_EQ(spine.periods[0].label, "2024-02-01");
  constexpr std::int64_t kFebruary2023 = 1'675'209'600'000'000;
  constexpr std::int64_t kMarch2023 = 1'677'628'800'000'000;
  EXPECT_EQ(spine.periods[0].from, kFebruary2023);
  EXPECT_EQ(spine.periods[0].until, kMarch2023);
}

TEST_F(PlannerTest, CompilesEveryMetric) {
  for (const ModelMetric& metric : model->metrics()) {
    const auto planned = Plan(R"({"name":")" + metric.definition.name +
                              R"(","time_grain":"month","time_range":"last_year"})");
    if (metric.definition.entity == "employee" || metric.definition.entity == "tag") continue;
    ASSERT_THAT(planned, IsOk()) << metric.definition.name;
    EXPECT_THAT(Compile(*model, planned->plan), IsOk()) << metric.definition.name;
  }
}

}  // namespace
}  // namespace schemaward::semantic
