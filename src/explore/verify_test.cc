// A whole claim: what it runs, and how far it says that it has come.
#include "explore/verify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/fake_warehouse.h"

namespace schemaward::explore {
namespace {

using ::testing::ElementsAre;

class Claims : public ::testing::Test {
 protected:
  Claims() {
    QueryResult orders;
    orders.columns = {{"orders"}};
    orders.rows = {{std::int64_t{3}}};
    warehouse_.results["SELECT 1"] = orders;
    Step step;
    step.number = 1;
    step.statement = "SELECT 1";
    steps_ = {step};
    ctx_.progress = [this](const Progress& one) {
      told_.push_back(fmt::format("{} of {}: {}", one.done, one.total, one.message));
    };
  }

  static Figure Orders(std::string value, std::int64_t step) {
    return {
        "orders", std::move(value), FigureKind::OneCell, {FigureKind::OneCell, step, "orders", {}}};
  }

  const FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  std::vector<Step> steps_;
  std::vector<std::string> told_;
};

TEST_F(Claims, TellTheirProgressBehindEachFigure) {
  const Claim claim = {"three orders", {Orders("3", 1), Orders("4", 1), Orders("3", 2)}};
  const auto verified = Verify(claim, steps_, warehouse_, ctx_, 2);
  ASSERT_THAT(verified, IsOk());
  EXPECT_EQ(verified->checked[0].verdict, Verdict::Confirmed);
  EXPECT_EQ(verified->checked[1].verdict, Verdict::Adjusted);
  EXPECT_EQ(verified->checked[2].verdict, Verdict::Error) << "no such step";
  EXPECT_EQ(verified->verdict, Verdict::Error);
  EXPECT_THAT(told_, ElementsAre("3 of 5: figures checked", "4 of 5: figures checked",
                                 "5 of 5: figures checked"));
  EXPECT_EQ(warehouse_.queries.size(), 1U) << "a step that is cited twice runs once";
}

TEST_F(Claims, ThatAreStoppedTellNoMore) {
  warehouse_.failure = Error(ErrorKind::Cancelled, "the caller gave up");
  const auto verified = Verify({"three orders", {Orders("3", 1)}}, steps_, warehouse_, ctx_);
  EXPECT_THAT(verified, IsError(ErrorKind::Cancelled));
  EXPECT_TRUE(told_.empty());
}

}  // namespace
}  // namespace schemaward::explore
