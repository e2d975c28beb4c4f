// Query logs: replaced by origin, gone with their source, queries gone with a table they read.
#include "store/mined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/sources.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class MinedTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Store::Open(folder.File("store.db"), {.create = true});
    ASSERT_THAT(opened, IsOk());
    store = *std::move(opened);
    Index({"orders", "items"});
    orders = IdOf("orders");
    items = IdOf("items");
  }

  void Index(const std::vector<std::string>& names) {
    std::vector<catalog::Table> tables;
    for (const std::string& name : names) tables.push_back(MakeTable("main", name));
    auto put = PutIndexed(*store, "shop", tables);
    ASSERT_THAT(put, IsOk());
    source = *std::move(put);
  }

  std::int64_t IdOf(const std::string& name) {
    return store->FindTables({}, std::nullopt, name)->front().id;
  }

  TempFolder folder;
  std::unique_ptr<Store> store;
  Source source;
  std::int64_t orders = 0, items = 0;
};

TEST_F(MinedTest, KeepsEachLogByItsOrigin) {
  ASSERT_THAT(PutMinedLog(*store, source.id, {"file", "1", "{}"},
                          {{"SELECT a", 1, {{orders, {"id"}}}, ""},
                           {"SELECT b", 9, {{orders, {"o\"d,d", "id"}}, {items, {}}}, ""}}),
              IsOk());
  ASSERT_THAT(PutMinedLog(*store, source.id, {"pg_stat_statements", "7", "[]"},
                          {{"SELECT c", 5, {{orders, {}}}, ""}}),
              IsOk());
  const auto queries = MinedQueriesOf(*store, orders, 2);
  ASSERT_THAT(queries, IsOk());
  ASSERT_THAT(*queries, SizeIs(2));
  EXPECT_EQ((*queries)[0],
            (MinedQuery{"SELECT b", 9, {{orders, {"o\"d,d", "id"}}, {items, {}}}, "file"}));
  EXPECT_EQ((*queries)[1].origin, "pg_stat_statements");
  const auto logs = ListMinedLogs(*store, source.id);
  ASSERT_THAT(logs, IsOk());
  EXPECT_THAT(*logs, testing::ElementsAre(MinedLog{"file", "1", "{}"},
                                          MinedLog{"pg_stat_statements", "7", "[]"}));
  ASSERT_THAT(PutMinedLog(*store, source.id, {"file", "2", "{}"}, {}), IsOk());
  EXPECT_THAT(*MinedQueriesOf(*store, orders, 10), SizeIs(1));
  ASSERT_THAT(RemoveMinedLog(*store, source.id, "pg_stat_statements"), IsOk());
  EXPECT_THAT(*MinedQueriesOf(*store, orders, 10), IsEmpty());
  EXPECT_THAT(*ListMinedLogs(*store, source.id), SizeIs(1));
}

TEST_F(MinedTest, KeepsTheMostCalled) {
  std::vector<MinedQuery> many;
  for (std::size_t i = 0; i <= kMinedMax; ++i)
    many.push_back(
        {"SELECT " + std::to_string(i), static_cast<std::int64_t>(i), {{orders, {}}}, ""});
  ASSERT_THAT(PutMinedLog(*store, source.id, {"file", "", "{}"}, many), IsOk());
  const auto kept = MinedQueriesOf(*store, orders, kMinedMax + 10);
  ASSERT_THAT(kept, IsOk());
  EXPECT_THAT(*kept, SizeIs(kMinedMax));
  EXPECT_EQ(kept->back().calls, 1);
}

TEST_F(MinedTest, GoesWithATableThatItReads) {
  ASSERT_THAT(PutMinedLog(*store, source.id, {"file", "1", "{}"},
                          {{"SELECT both", 1, {{orders, {}}, {items, {}}}, ""},
                           {"SELECT one", 1, {{orders, {}}}, ""}}),
              IsOk());
  auto writer = IndexWriter::Begin(*store, source.id);
  ASSERT_THAT(writer, IsOk());
  ASSERT_THAT((*writer)->Remove(items), IsOk());
  ASSERT_THAT((*writer)->Commit({.indexed_at_us = 2}), IsOk());
  const auto left = MinedQueriesOf(*store, orders, 10);
  ASSERT_THAT(*left, SizeIs(1));
  EXPECT_EQ(left->front().sql, "SELECT one");
}

TEST_F(MinedTest, GoesWithItsSource) {
  ASSERT_THAT(
      PutMinedLog(*store, source.id, {"file", "1", "{}"}, {{"SELECT a", 1, {{orders, {}}}, ""}}),
      IsOk());
  ASSERT_THAT(RemoveSource(*store, "shop"), IsOk());
  EXPECT_THAT(*ListMinedLogs(*store, source.id), IsEmpty());
  EXPECT_THAT(*MinedQueriesOf(*store, orders, 10), IsEmpty());
  EXPECT_THAT(PutMinedLog(*store, source.id, {"file", "1", "{}"}, {}),
              IsError(ErrorKind::UnknownSource));
}

}  // namespace
}  // namespace schemaward::store
