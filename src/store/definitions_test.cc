// Definitions: all or nothing, counted, gone with their source.

#include "store/definitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

class DefinitionsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Store::Open(folder.File("store.db"), {.create = true});
    ASSERT_THAT(opened, IsOk());
    store = *std::move(opened);
    auto put =
        PutIndexed(*store, "shop", {MakeTable("main", "orders"), MakeTable("main", "items")});
    ASSERT_THAT(put, IsOk());
    source = *std::move(put);
  }

  DefinitionRow Row(DefinitionKind kind, const std::string& name, const std::string& body) const {
    return {source.id, kind, name, body, true};
  }

  TempFolder folder;
  std::unique_ptr<Store> store;
  Source source;
};

TEST_F(DefinitionsTest, ListsByKindAndName) {
  ASSERT_THAT(ChangeDefinitions(*store, source.id,
                                {{Row(DefinitionKind::Metric, "b", "{}"),
                                  Row(DefinitionKind::Entity, "z", R"({"a":1})"),
                                  Row(DefinitionKind::Entity, "a", "{}")},
                                 {}}),
              IsOk());
  const auto rows = ListDefinitions(*store, source.id);
  ASSERT_THAT(rows, IsOk());
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ((*rows)[0].name, "a");
  EXPECT_EQ((*rows)[1].body_json, R"({"a":1})");
  EXPECT_TRUE((*rows)[1].from_files);
  EXPECT_EQ((*rows)[2].kind, DefinitionKind::Metric);
}

TEST_F(DefinitionsTest, GrowsTheGenerationWithEachChangeOnly) {
  EXPECT_EQ(*DefinitionGeneration(*store, source.id), 0);
  ASSERT_THAT(ChangeDefinitions(*store, source.id, {}), IsOk());
  EXPECT_EQ(*DefinitionGeneration(*store, source.id), 0);
  const auto row = Row(DefinitionKind::Join, "j", "{}");
  ASSERT_THAT(ChangeDefinitions(*store, source.id, {{row}, {}}), IsOk());
  ASSERT_THAT(ChangeDefinitions(*store, source.id, {{}, {row}}), IsOk());
  EXPECT_EQ(*DefinitionGeneration(*store, source.id), 2);
  EXPECT_TRUE(ListDefinitions(*store, source.id)->empty());
}

TEST_F(DefinitionsTest, RefusesASourceThatIsGone) {
  EXPECT_THAT(
      ChangeDefinitions(*store, source.id + 1, {{Row(DefinitionKind::Join, "j", "{}")}, {}}),
      IsError(ErrorKind::UnknownSource));
}

TEST_F(DefinitionsTest, GoesWithItsSource) {
  ASSERT_THAT(ChangeDefinitions(*store, source.id, {{Row(DefinitionKind::Join, "j", "{}")}, {}}),
              IsOk());
  ASSERT_THAT(RemoveSource(*store, "shop"), IsOk());
  EXPECT_TRUE(ListDefinitions(*store, source.id)->empty());
  EXPECT_EQ(*DefinitionGeneration(*store, source.id), 0);
}

}  // namespace
}  // namespace schemaward::store
