#include "suggest/keep.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/definitions.h"
#include "store/sources.h"
#include "store/testing.h"
#include "suggest/test_support.h"

namespace schemaward::suggest {
namespace {

using store::DefinitionKind;

class Keep : public ::testing::Test {
 protected:
  Keep() {
    store_ = store::Store::Open(folder_.File("store.db"), {.create = true}).value();
    source_ =
        store::PutSource(*store_, {.name = "shop", .engine = "ddl", .location = "/x"}).value();
  }

  KeepSummary Run(const std::vector<catalog::Table>& tables) {
    const auto kept = KeptDefinitions(*store_, source_.id).value();
    ColumnNames names;
    const auto drafts = MakeDrafts(tables, FindLinks(tables, {}, {}, names), kept, {}, names);
    return KeepDrafts(*store_, source_.id, drafts).value();
  }

  std::vector<store::DefinitionRow> Rows() {
    return store::ListDefinitions(*store_, source_.id).value();
  }

  std::vector<std::string> Stored() {
    std::vector<std::string> names;
    for (const auto& row : Rows()) names.push_back(row.name);
    return names;
  }

  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  store::Source source_;
};

const std::vector<catalog::Table> shop_tables = {
    MakeTable("customers", {{"id", "int"}}, {"id"}),
    MakeTable("orders", {{"id", "int"}, {"customer_id", "int"}}, {"id"})};

TEST_F(Keep, WritesDraftsOnceAndLeavesThemAsTheyAre) {
  const KeepSummary first = Run(shop_tables);
  EXPECT_EQ(first.added, 5);  // two entities, a join, two counts
  const auto generation = store::DefinitionGeneration(*store_, source_.id).value();
  const KeepSummary second = Run(shop_tables);
  EXPECT_EQ(second.unchanged, 5);
  EXPECT_EQ(second.added + second.changed + second.removed, 0);
  EXPECT_EQ(store::DefinitionGeneration(*store_, source_.id).value(), generation);
}

TEST_F(Keep, DraftsThatNoLongerFollowGoAway) {
  Run(shop_tables);
  const KeepSummary after = Run({shop_tables[0]});
  EXPECT_EQ(after.removed, 3);
  EXPECT_THAT(Stored(), ::testing::ElementsAre("customer", "customer_count"));
}

TEST_F(Keep, ConfirmedAndFileWrittenDefinitionsStay) {
  Run(shop_tables);
  store::DefinitionChanges changes;
  for (auto row : Rows()) {
    if (row.kind != DefinitionKind::Entity) continue;
    row.body_json.replace(row.body_json.find("\"draft\""), 7, "\"confirmed\"");
    changes.put.push_back(row);
  }
  ASSERT_TRUE(store::ChangeDefinitions(*store_, source_.id, changes).has_value());
  const KeepSummary after = Run({});
  EXPECT_EQ(after.removed, 3);
  EXPECT_THAT(Stored(), ::testing::ElementsAre("customer", "order"));
}

}  // namespace
}  // namespace schemaward::suggest
