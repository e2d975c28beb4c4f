#include "interchange/keep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "semantic/lifecycle.h"
#include "semantic/model_cache.h"
#include "store/testing.h"

namespace schemaward::interchange {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class KeepTest : public ::testing::Test {
 protected:
  KeepTest() {
    store_ = store::Store::Open(folder_.File("store.db"), {.create = true}).value();
    source_ =
        store::PutIndexed(*store_, "shop",
                          {store::MakeTable("main", "orders", {"ORDER_ID", "AMOUNT", "open"})})
            .value();
  }

  static Imported Orders() {
    Imported imported;
    semantic::Entity entity;
    entity.name = "order";
    entity.table = "main.orders";
    entity.identity = {"order_id"};
    entity.dimensions = {{"is_big", "amount > 100", "boolean", "", {}}};
    entity.trust.method = semantic::Method::DbtImport;
    semantic::Metric revenue;
    revenue.name = "revenue";
    revenue.entity = "order";
    revenue.aggregation = semantic::Aggregation::Sum;
    revenue.column = "amount";
    revenue.filters = {"order.amount > 0"};
    revenue.trust.method = semantic::Method::DbtImport;
    semantic::Metric wrong = revenue;
    wrong.name = "wrong";
    wrong.column = "amuont";
    semantic::Metric twice;
    twice.name = "twice";
    twice.type = semantic::MetricType::Derived;
    twice.expression = "wrong * 2";
    twice.inputs = {{"wrong", "", {}, "", semantic::Alignment::Calendar}};
    twice.trust = revenue.trust;
    imported.definitions.entities = {entity};
    imported.definitions.metrics = {revenue, twice, wrong};
    return imported;
  }

  semantic::Definitions Stored() { return semantic::LoadDefinitions(*store_, source_.id).value(); }

  void Write(const semantic::Definitions& definitions, bool from_files) {
    ASSERT_THAT(
        store::ChangeDefinitions(*store_, source_.id,
                                 {semantic::RowsOf(source_.id, definitions, from_files), {}}),
        IsOk());
  }

  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  store::Source source_;
};

TEST_F(KeepTest, SpellsColumnsAsTheIndexDoes) {
  ASSERT_THAT(Keep(*store_, source_, Orders(), {}), IsOk());
  const semantic::Definitions stored = Stored();
  EXPECT_THAT(stored.entities[0].identity, ElementsAre("ORDER_ID"));
  EXPECT_EQ(stored.entities[0].dimensions[0].expression, "AMOUNT > 100");
  ASSERT_THAT(stored.metrics, SizeIs(1));
  EXPECT_EQ(stored.metrics[0].column, "AMOUNT");
  EXPECT_THAT(stored.metrics[0].filters, ElementsAre("order.AMOUNT > 0"));
}

TEST_F(KeepTest, LeavesOutWhatDoesNotFitAndWhatUsesIt) {
  const auto kept = Keep(*store_, source_, Orders(), {});
  ASSERT_THAT(kept, IsOk());
  EXPECT_THAT(kept->added, ElementsAre("entity order", "metric revenue"));
  EXPECT_THAT(kept->losses, Contains(Field(&Loss::object, "metric wrong")));
  EXPECT_THAT(kept->losses, Contains(Field(&Loss::object, "metric twice")));
}

TEST_F(KeepTest, ASecondTimeChangesNothing) {
  ASSERT_THAT(Keep(*store_, source_, Orders(), {}), IsOk());
  const auto again = Keep(*store_, source_, Orders(), {});
  ASSERT_THAT(again, IsOk());
  EXPECT_THAT(again->added, IsEmpty());
  EXPECT_THAT(again->unchanged, ElementsAre("entity order", "metric revenue"));
}

TEST_F(KeepTest, ADryRunWritesNothing) {
  ASSERT_THAT(Keep(*store_, source_, Orders(), {.dry_run = true}), IsOk());
  EXPECT_THAT(Stored().entities, IsEmpty());
}

TEST_F(KeepTest, WhatPeopleWroteStaysUnlessForced) {
  semantic::Definitions own = Orders().definitions;
  own.metrics.resize(1);
  own.metrics[0].trust.method = semantic::Method::ManuallyAuthored;
  own.metrics[0].description = "ours";
  own.entities[0].identity = {"ORDER_ID"};
  own.entities[0].dimensions.clear();
  own.metrics[0].column = "AMOUNT";
  own.metrics[0].filters.clear();
  Write(own, true);
  const auto kept = Keep(*store_, source_, Orders(), {});
  ASSERT_THAT(kept, IsOk());
  EXPECT_THAT(kept->losses, Contains(Field(&Loss::reason, HasSubstr("--force"))));
  EXPECT_EQ(Stored().metrics[0].description, "ours");
  ASSERT_THAT(Keep(*store_, source_, Orders(), {.force = true}), IsOk());
  EXPECT_EQ(Stored().metrics[0].description, "");
}

TEST_F(KeepTest, DraftsGiveWay) {
  semantic::Definitions draft;
  draft.entities = {Orders().definitions.entities[0]};
  draft.entities[0].identity = {"AMOUNT"};
  draft.entities[0].trust = {semantic::Method::Inferred, semantic::State::Draft, 0, {}};
  Write(draft, false);
  ASSERT_THAT(Keep(*store_, source_, Orders(), {}), IsOk());
  EXPECT_THAT(Stored().entities[0].identity, ElementsAre("ORDER_ID"));
}

TEST_F(KeepTest, AConfirmationLastsWhileTheDefinitionSaysTheSame) {
  ASSERT_THAT(Keep(*store_, source_, Orders(), {}), IsOk());
  ASSERT_THAT(semantic::Confirm(*store_, source_.id, store::DefinitionKind::Metric, {"revenue"}),
              IsOk());
  ASSERT_THAT(Keep(*store_, source_, Orders(), {}), IsOk());
  EXPECT_EQ(Stored().metrics[0].trust.state, semantic::State::Confirmed);
  Imported changed = Orders();
  changed.definitions.metrics[0].filters.clear();
  ASSERT_THAT(Keep(*store_, source_, std::move(changed), {}), IsOk());
  EXPECT_EQ(Stored().metrics[0].trust.state, semantic::State::Applied);
}

TEST_F(KeepTest, PruningRemovesWhatTheProjectNoLongerHas) {
  ASSERT_THAT(Keep(*store_, source_, Orders(), {}), IsOk());
  Imported fewer = Orders();
  fewer.definitions.metrics.clear();
  const auto kept = Keep(*store_, source_, std::move(fewer), {.prune = true});
  ASSERT_THAT(kept, IsOk());
  EXPECT_THAT(kept->removed, ElementsAre("metric revenue"));
  EXPECT_THAT(Stored().metrics, IsEmpty());
}

}  // namespace
}  // namespace schemaward::interchange
