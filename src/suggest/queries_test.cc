// Query logs in the store: kept, replaced, read again only where there is something new.
#include "suggest/queries.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "store/mined.h"
#include "store/testing.h"
#include "suggest/test_support.h"

namespace schemaward::suggest {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class QueriesTest : public testing::Test {
 protected:
  QueriesTest()
      : store(*store::Store::Open(folder.File("store.db"), {.create = true})),
        tables({MakeTable("customers", {{"id", "int"}, {"password", "text"}}, {"id"}),
                MakeTable("orders", {{"id", "int"}, {"customer_id", "int"}}, {"id"})}),
        source(*store::PutIndexed(*store, "shop", tables)) {}

  MinedLog Keep(const std::string& origin, const std::vector<querylog::Entry>& entries) {
    CallContext ctx(clock);
    const auto kept = KeepQueryLog(*store, source, tables, {origin, entries, {}, {}, true}, ctx);
    EXPECT_THAT(kept, IsOk());
    return kept ? *kept : MinedLog();
  }

  std::vector<store::MinedQuery> QueriesOf(const std::string& table) {
    return *store::MinedQueriesOf(*store, store->FindTables({}, std::nullopt, table)->front().id,
                                  100);
  }

  const SystemClock clock;
  store::TempFolder folder;
  std::unique_ptr<store::Store> store;
  std::vector<catalog::Table> tables;
  store::Source source;
};

constexpr const char* kJoin = "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id";

TEST_F(QueriesTest, KeepsJoinsAndExamples) {
  const MinedLog log = Keep("file", {{kJoin, 3, "line 1"}, {"SELECT `", 1, "line 2"}});
  EXPECT_EQ(log.joins, 1);
  EXPECT_EQ(log.counts.queries, 1);
  EXPECT_EQ(log.counts.unread, 1);
  const auto observed = ObservedJoins(*store, source.id);
  ASSERT_THAT(observed, IsOk());
  ASSERT_THAT(*observed, SizeIs(1));
  EXPECT_EQ(
      observed->front(),
      (querylog::ObservedJoin{"public.customers", "public.orders", {"id"}, {"customer_id"}, 1, 3}));
  ASSERT_THAT(QueriesOf("orders"), SizeIs(1));
  EXPECT_EQ(QueriesOf("customers")[0].tables[0].columns, std::vector<std::string>{"id"});
}

TEST_F(QueriesTest, ReplacesTheLogOfAnOriginAndLeavesTheOthers) {
  Keep("file", {{kJoin, 3, ""}});
  Keep("pg_stat_statements", {{kJoin, 5, ""}, {"SELECT id FROM orders", 1, ""}});
  EXPECT_EQ(ObservedJoins(*store, source.id)->front().calls, 8);
  EXPECT_EQ(ObservedJoins(*store, source.id)->front().observations, 1);
  Keep("file", {});
  EXPECT_EQ(ObservedJoins(*store, source.id)->front().calls, 5);
  EXPECT_THAT(QueriesOf("orders"), SizeIs(2));
}

TEST_F(QueriesTest, ReadsAgainOnlyWhatIsNew) {
  EXPECT_FALSE(Keep("file", {{kJoin, 100, ""}}).is_unchanged);
  const MinedLog same = Keep("file", {{kJoin, 101, ""}});
  EXPECT_TRUE(same.is_unchanged);
  EXPECT_EQ(same.joins, 1);
  EXPECT_FALSE(Keep("file", {{kJoin, 200, ""}}).is_unchanged);
  EXPECT_FALSE(Keep("file", {{"SELECT id FROM orders", 200, ""}}).is_unchanged);
  source = *store::PutIndexed(*store, "shop", tables);
  EXPECT_FALSE(Keep("file", {{"SELECT id FROM orders", 200, ""}}).is_unchanged);
}

TEST_F(QueriesTest, ALogThatIsNotThereLeavesWhatItSaid) {
  Keep("pg_stat_statements", {{kJoin, 5, ""}});
  CallContext ctx(clock);
  const auto kept = KeepQueryLog(*store, source, tables,
                                 {"pg_stat_statements", {}, {}, "may not be read", false}, ctx);
  ASSERT_THAT(kept, IsOk());
  EXPECT_EQ(kept->note, "may not be read");
  EXPECT_THAT(*ObservedJoins(*store, source.id), SizeIs(1));
  EXPECT_EQ(ToText(*kept), "queries (pg_stat_statements): may not be read");
}

TEST_F(QueriesTest, ViewsShowJoinsAndAreNoExamples) {
  CallContext ctx(clock);
  EXPECT_FALSE(KeepViews(*store, source, tables, ctx)->has_value());
  auto with_view = tables;
  with_view.push_back(MakeTable("v", {{"id", "int"}}));
  with_view.back().kind = catalog::TableKind::View;
  with_view.back().definition = kJoin;
  const auto kept = KeepViews(*store, source, with_view, ctx);
  ASSERT_THAT(kept, IsOk());
  ASSERT_TRUE(kept->has_value());
  EXPECT_EQ((*kept)->joins, 1);
  EXPECT_THAT(QueriesOf("orders"), IsEmpty());
  EXPECT_THAT(*ObservedJoins(*store, source.id), SizeIs(1));
  ASSERT_THAT(KeepViews(*store, source, tables, ctx), IsOk());
  EXPECT_THAT(*ObservedJoins(*store, source.id), IsEmpty());
}

TEST_F(QueriesTest, NothingIsKeptOfASourceThatIsGone) {
  source.id += 1;
  CallContext ctx(clock);
  EXPECT_THAT(KeepQueryLog(*store, source, tables, {"file", {}, {}, {}, true}, ctx),
              IsError(ErrorKind::UnknownSource));
  EXPECT_THAT(*ObservedJoins(*store, source.id), IsEmpty());
}

}  // namespace
}  // namespace schemaward::suggest
