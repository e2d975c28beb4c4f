#include "semantic/lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "semantic/model_cache.h"
#include "semantic/testing.h"
#include "store/testing.h"

namespace schemaward::semantic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LifecycleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store_ = *store::Store::Open(folder_.File("store.db"), {.create = true});
    source_ =
        *store::PutIndexed(*store_, "shop",
                           {TableOf("customer", "id integer, name text"),
                            TableOf("orders", "id integer, customer_id integer, total numeric")});
  }

  void Give(std::string_view kind, std::string_view text) {
    ReadFile(text, std::string(kind) + ".yaml", kind, loaded_);
  }
  void GiveShop() {
    Give("entity", "{name: customer, table: customer, identity: id}");
    Give("entity", "{name: order, table: main.orders, identity: id}");
    Give("join", "{name: order_customer, from: order, to: customer, on: {customer_id: id}}");
    Give("metric", "{name: revenue, entity: order, aggregation: sum, column: total}");
  }
  ApplyPlan Plan(bool prune = false) { return *PlanApply(*store_, source_, loaded_, prune); }
  void Apply(bool prune = false) {
    const ApplyPlan plan = Plan(prune);
    for (const FileError& error : plan.errors) ADD_FAILURE() << error.ToText();
    ASSERT_THAT(store::ChangeDefinitions(*store_, source_.id, plan.changes), IsOk());
  }

  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  store::Source source_;
  LoadedFiles loaded_;
};

TEST_F(LifecycleTest, AppliesOnceAndIsThenUnchanged) {
  GiveShop();
  const ApplyPlan first = Plan();
  EXPECT_THAT(first.difference.added, ElementsAre("entity customer", "entity order",
                                                  "join order_customer", "metric revenue"));
  Apply();
  const ApplyPlan again = Plan();
  EXPECT_FALSE(again.difference.Any());
  EXPECT_THAT(again.difference.unchanged, SizeIs(4));
  ModelCache models(*store_);
  const auto model = models.Get(source_);
  ASSERT_THAT(model, IsOk());
  EXPECT_THAT((*model)->Findings(), IsEmpty());
}

TEST_F(LifecycleTest, WhatDoesNotFitTheIndexIsRefusedWithItsLine) {
  GiveShop();
  Give("metric", "name: taxes\nentity: order\naggregation: sum\ncolumn: totl\n");
  Give("entity", "name: supplier\ntable: custmer\nidentity: id\n");
  const ApplyPlan plan = Plan();
  std::string all;
  for (const FileError& error : plan.errors) all += error.ToText() + "\n";
  EXPECT_THAT(all, HasSubstr("metric.yaml:4: "));
  EXPECT_THAT(all, HasSubstr("the nearest is \"order.total\""));
  EXPECT_THAT(all, HasSubstr("entity.yaml:2: the index has no table \"custmer\"; the nearest is "
                             "\"main.customer\""));
}

TEST_F(LifecycleTest, PruneRemovesWhatNoFileHolds) {
  GiveShop();
  Apply();
  loaded_ = {};
  Give("entity", "{name: customer, table: customer, identity: id}");
  EXPECT_FALSE(Plan(false).difference.Any()) << "without prune all stays";
  EXPECT_THAT(Plan(true).difference.removed,
              ElementsAre("entity order", "join order_customer", "metric revenue"));
  Apply(true);
  EXPECT_THAT(*store::ListDefinitions(*store_, source_.id), SizeIs(1));
}

TEST_F(LifecycleTest, PruneLeavesWhatInferenceMade) {
  GiveShop();
  ASSERT_THAT(store::ChangeDefinitions(
                  *store_, source_.id,
                  {.put = RowsOf(source_.id, loaded_.definitions, false), .remove = {}}),
              IsOk());
  loaded_ = {};
  EXPECT_FALSE(Plan(true).difference.Any());
}

TEST_F(LifecycleTest, AFileOfAnotherSourceIsNotApplied) {
  Give("entity", "{name: customer, table: nowhere, identity: id, source: other}");
  const ApplyPlan plan = Plan();
  EXPECT_FALSE(plan.difference.Any());
  EXPECT_THAT(plan.errors, IsEmpty());
}

TEST_F(LifecycleTest, ConfirmedStaysWhileTheFileSaysTheSame) {
  GiveShop();
  Apply();
  EXPECT_EQ(*Confirm(*store_, source_.id, store::DefinitionKind::Metric, {"revenue"}), 1u);
  EXPECT_EQ(*Confirm(*store_, source_.id, store::DefinitionKind::Metric, {}), 0u);
  EXPECT_FALSE(Plan().difference.Any());
  loaded_ = {};
  Give("metric", "{name: revenue, entity: order, aggregation: avg, column: total}");
  Apply();
  EXPECT_EQ(LoadDefinitions(*store_, source_.id)->metrics.front().trust.state, State::Applied)
      << "another formula is not what was confirmed";
}

TEST_F(LifecycleTest, ConfirmNamesTheNearest) {
  GiveShop();
  Apply();
  const auto confirmed = Confirm(*store_, source_.id, store::DefinitionKind::Entity, {"ordr"});
  ASSERT_THAT(confirmed, IsError(ErrorKind::UnknownEntity));
  EXPECT_EQ(confirmed.error().recovery().fuzzy_matches.front(), "order");
}

}  // namespace
}  // namespace schemaward::semantic
