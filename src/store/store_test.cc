// Reading: names, pages, keys, and what the store says when it cannot.
#include "store/store.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/result_matchers.h"
#include "sqlite/sqlite.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() : store(*Store::Open(folder.File("state/store.db"), {.create = true})) {}

  std::vector<std::string> Names(const std::vector<TableEntry>& entries) {
    std::vector<std::string> names;
    for (const TableEntry& entry : entries) names.push_back(entry.schema + "." + entry.name);
    return names;
  }

  std::int64_t IdOf(const std::string& schema, const std::string& name) {
    const auto found = store->FindTables({}, schema, name);
    for (const TableEntry& entry : *found)
      if (entry.schema == schema && entry.name == name) return entry.id;
    return 0;
  }

  TempFolder folder;
  std::unique_ptr<Store> store;
};

TEST_F(StoreTest, OpensWithoutTouchingTheFile) {
  struct stat info {};
  EXPECT_NE(::stat(store->path().c_str(), &info), 0);
  EXPECT_THAT(store->ListSources(), IsOkAnd(IsEmpty()));
  EXPECT_EQ(::stat(store->path().c_str(), &info), 0);
}

// COVERS: R-CLI-3
TEST_F(StoreTest, FileAndFolderAreTheOwnersAlone) {
  ASSERT_THAT(PutIndexed(*store, "shop", {MakeTable("main", "orders")}), IsOk());
  struct stat info {};
  for (const char* suffix : {"", "-wal", "-shm"}) {
    ASSERT_EQ(::stat((store->path() + suffix).c_str(), &info), 0) << suffix;
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << suffix;
  }
  ASSERT_EQ(::stat(folder.File("state").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
}

TEST_F(StoreTest, IsNotCreatedUnlessAsked) {
  const auto other = *Store::Open(folder.File("none.db"), {});
  EXPECT_THAT(other->ListSources(), IsError(ErrorKind::StoreUnusable, "there is no store yet"));
  struct stat info {};
  EXPECT_NE(::stat(other->path().c_str(), &info), 0);
}

TEST_F(StoreTest, LeavesSomebodyElsesDatabaseAlone) {
  const std::string path = folder.File("theirs.db");
  {
    auto theirs = sqlite::Database::Open(path, {.create = true});
    ASSERT_THAT(theirs->Execute("CREATE TABLE t(a)"), IsOk());
  }
  const auto other = *Store::Open(path, {.create = true});
  EXPECT_THAT(other->ListSources(),
              IsError(ErrorKind::StoreUnusable, HasSubstr("but not a store")));
  auto theirs = sqlite::Database::Open(path, {});
  auto mode = theirs->Prepare("PRAGMA journal_mode");
  EXPECT_THAT(mode->Step(), IsOkAnd(true));
  EXPECT_EQ(mode->Text(0), "delete");
}

TEST_F(StoreTest, SaysThatATextFileIsNoStore) {
  const std::string path = folder.File("text.db");
  {
    std::FILE* file = std::fopen(path.c_str(), "w");
    std::fputs(std::string(200, 'x').c_str(), file);
    std::fclose(file);
  }
  EXPECT_THAT((*Store::Open(path, {}))->ListSources(), IsError(ErrorKind::StoreUnusable));
}

TEST_F(StoreTest, GivesBackTheTableThatWasPut) {
  catalog::Table table = MakeTable("public", "orders", {"id", "customer_id"});
  table.columns[1].labels = {"a", "b"};
  table.columns[1].statistic = catalog::Statistic{0.25, 1'000};
  table.row_estimate = 12;
  table.primary_key = catalog::Key{"orders_pkey", {"id"}};
  AddKey(table, "customer_id", "public", "customers");
  ASSERT_THAT(PutIndexed(*store, "shop", {table}), IsOk());
  const auto got = store->GetTable(IdOf("public", "orders"));
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(*got, table);
  EXPECT_THAT(store->GetTable(999), IsOkAnd(std::optional<catalog::Table>()));
}

// COVERS: R-NAME-1
TEST_F(StoreTest, FindsNamesWhateverTheirCase) {
  ASSERT_THAT(PutIndexed(*store, "shop",
                         {MakeTable("Main", "Orders"), MakeTable("main", "orders"),
                          MakeTable("main",
                                    "\xC3\x9C"
                                    "bersicht"),
                          MakeTable("main", "STRASSE")}),
              IsOk());
  EXPECT_THAT(Names(*store->FindTables({}, std::nullopt, "ORDERS")),
              ElementsAre("Main.Orders", "main.orders"));
  EXPECT_THAT(Names(*store->FindTables({}, "MAIN", "oRders")),
              ElementsAre("Main.Orders", "main.orders"));
  EXPECT_THAT(Names(*store->FindTables({}, std::nullopt,
                                       "\xC3\xBC"
                                       "BERSICHT")),
              ElementsAre("main.\xC3\x9C"
                          "bersicht"));
  EXPECT_THAT(Names(*store->FindTables({}, std::nullopt,
                                       "stra\xC3\x9F"
                                       "e")),
              ElementsAre("main.STRASSE"));
  EXPECT_THAT(*store->FindTables({}, "other", "orders"), IsEmpty());
  EXPECT_THAT(*store->FindTables({}, std::nullopt, "ord\xC3\xA9rs"), IsEmpty());
}

TEST_F(StoreTest, FindsAtMostSoMany) {
  std::vector<catalog::Table> tables;
  for (std::size_t i = 0; i <= Store::kFindMax; ++i)
    tables.push_back(MakeTable("s" + std::to_string(i), "users"));
  ASSERT_THAT(PutIndexed(*store, "many", tables), IsOk());
  EXPECT_THAT(store->FindTables({}, std::nullopt, "users"), IsOkAnd(SizeIs(Store::kFindMax)));
}

TEST_F(StoreTest, VisitsInOrderOfSourceSchemaName) {
  const auto first =
      PutIndexed(*store, "zoo", {MakeTable("b", "x"), MakeTable("a", "z"), MakeTable("a", "B")});
  const auto second = PutIndexed(*store, "ant", {MakeTable("a", "a")});
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  std::vector<TableEntry> seen;
  const auto keep = [&](const TableEntry& entry) {
    seen.push_back(entry);
    return seen.size() < 4;
  };
  ASSERT_THAT(store->VisitTables({}, keep), IsOk());
  EXPECT_THAT(Names(seen), ElementsAre("a.B", "a.z", "b.x", "a.a"));
  seen.clear();
  const std::vector<std::int64_t> only = {second->id};
  ASSERT_THAT(store->VisitTables(only, keep), IsOk());
  EXPECT_THAT(Names(seen), ElementsAre("a.a"));
  seen.clear();
  ASSERT_THAT(store->VisitTables({},
                                 [&](const TableEntry& entry) {
                                   seen.push_back(entry);
                                   return false;
                                 }),
              IsOk());
  EXPECT_THAT(seen, SizeIs(1));
}

TEST_F(StoreTest, AVisitorMayAskTheStore) {
  ASSERT_THAT(PutIndexed(*store, "shop", {MakeTable("m", "a"), MakeTable("m", "b")}), IsOk());
  int found = 0;
  ASSERT_THAT(store->VisitTables({},
                                 [&](const TableEntry& entry) {
                                   const auto table = store->GetTable(entry.id);
                                   if (table && *table) ++found;
                                   return true;
                                 }),
              IsOk());
  EXPECT_EQ(found, 2);
}

TEST_F(StoreTest, PagesMeetEndToEnd) {
  ASSERT_THAT(
      PutIndexed(*store, "one", {MakeTable("a", "a"), MakeTable("a", "b"), MakeTable("b", "a")}),
      IsOk());
  ASSERT_THAT(PutIndexed(*store, "two", {MakeTable("a", "a"), MakeTable("a", "c")}), IsOk());
  std::vector<std::string> all;
  std::optional<TableEntry> after;
  for (int page = 0; page < 3; ++page) {
    const auto entries = store->ListTables({}, after, 2);
    ASSERT_THAT(entries, IsOk());
    for (const std::string& name : Names(*entries)) all.push_back(name);
    after = entries->back();
  }
  EXPECT_THAT(all, ElementsAre("a.a", "a.b", "b.a", "a.a", "a.c"));
  EXPECT_THAT(store->ListTables({}, after, 2), IsOkAnd(IsEmpty()));
}

TEST_F(StoreTest, AnEntryIsFoundByItsId) {
  ASSERT_THAT(PutIndexed(*store, "one", {MakeTable("a", "a"), MakeTable("a", "b")}), IsOk());
  EXPECT_EQ((*store->GetEntry(IdOf("a", "b")))->name, "b");
  EXPECT_FALSE(store->GetEntry(999)->has_value());
}

TEST_F(StoreTest, CountsSchemas) {
  catalog::Table view = MakeTable("a", "v");
  view.kind = catalog::TableKind::MaterializedView;
  catalog::Table foreign = MakeTable("a", "f");
  foreign.kind = catalog::TableKind::ForeignTable;
  const auto source =
      PutIndexed(*store, "one", {foreign, MakeTable("a", "t"), view, MakeTable("b", "t")});
  ASSERT_THAT(source, IsOk());
  EXPECT_EQ(source->table_count, 3);
  EXPECT_EQ(source->view_count, 1);
  const auto counts = store->CountSchemas(source->id);
  ASSERT_THAT(counts, IsOkAnd(SizeIs(2)));
  EXPECT_EQ((*counts)[0].schema, "a");
  EXPECT_EQ((*counts)[0].tables, 2);
  EXPECT_EQ((*counts)[0].views, 1);
  EXPECT_EQ((*counts)[1].tables, 1);
}

class Edges : public StoreTest {
 protected:
  std::vector<std::pair<std::int64_t, std::int64_t>> Of(std::int64_t id) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    const auto edges = store->EdgesOf(id);
    EXPECT_THAT(edges, IsOk());
    for (const KeyEdge& edge : *edges) pairs.emplace_back(edge.from_id, edge.to_id);
    return pairs;
  }
};

TEST_F(Edges, LeadBothWays) {
  catalog::Table orders = MakeTable("m", "orders");
  AddKey(orders, "customer_id", "m", "customers");
  AddKey(orders, "parent_id", "m", "orders");
  catalog::Table items = MakeTable("m", "items");
  AddKey(items, "order_id", "m", "orders");
  ASSERT_THAT(PutIndexed(*store, "s", {MakeTable("m", "customers"), items, orders}), IsOk());
  const auto c = IdOf("m", "customers"), i = IdOf("m", "items"), o = IdOf("m", "orders");
  EXPECT_THAT(Of(o), ElementsAre(Pair(i, o), Pair(o, c), Pair(o, o)));
  EXPECT_THAT(Of(c), ElementsAre(Pair(o, c)));
  const auto edges = store->EdgesOf(i);
  EXPECT_EQ(edges->at(0).key, items.foreign_keys[0]);
}

TEST_F(Edges, WaitForATargetThatIsIndexedLater) {
  catalog::Table orders = MakeTable("m", "orders");
  AddKey(orders, "customer_id", "m", "customers");
  const auto source = PutIndexed(*store, "s", {orders});
  ASSERT_THAT(source, IsOk());
  const auto o = IdOf("m", "orders");
  EXPECT_THAT(Of(o), IsEmpty());
  {
    auto writer = IndexWriter::Begin(*store, source->id);
    const auto customers = MakeTable("m", "customers");
    ASSERT_THAT((*writer)->Add(customers, HashOf(customers)), IsOk());
    ASSERT_THAT((*writer)->Commit({}), IsOk());
  }
  EXPECT_THAT(Of(o), ElementsAre(Pair(o, IdOf("m", "customers"))));
}

TEST_F(Edges, FoldTheTargetsNameUnlessTwoTablesFit) {
  catalog::Table a = MakeTable("m", "a"), b = MakeTable("m", "b"), c = MakeTable("m", "c");
  AddKey(a, "x", "M", "TARGET");  // fits two tables, neither exactly
  AddKey(b, "x", "m", "Target");  // fits one of them exactly
  AddKey(c, "x", "m", "A");       // fits one
  ASSERT_THAT(
      PutIndexed(*store, "s", {MakeTable("m", "Target"), a, b, c, MakeTable("m", "target")}),
      IsOk());
  EXPECT_THAT(Of(IdOf("m", "a")), ElementsAre(Pair(IdOf("m", "c"), IdOf("m", "a"))));
  EXPECT_THAT(Of(IdOf("m", "b")), ElementsAre(Pair(IdOf("m", "b"), IdOf("m", "Target"))));
  EXPECT_THAT(Of(IdOf("m", "target")), IsEmpty());
}

TEST_F(Edges, StayWithinTheirSource) {
  catalog::Table orders = MakeTable("m", "orders");
  AddKey(orders, "customer_id", "m", "customers");
  ASSERT_THAT(PutIndexed(*store, "one", {orders}), IsOk());
  ASSERT_THAT(PutIndexed(*store, "two", {MakeTable("m", "customers")}), IsOk());
  EXPECT_THAT(Of(IdOf("m", "orders")), IsEmpty());
  EXPECT_THAT(Of(IdOf("m", "customers")), IsEmpty());
}

TEST_F(StoreTest, KeepsOneInstanceKey) {
  const auto key = store->InstanceKey();
  ASSERT_THAT(key, IsOkAnd(SizeIs(32)));
  EXPECT_THAT((*Store::Open(store->path(), {}))->InstanceKey(), IsOkAnd(*key));
  EXPECT_NE(*(*Store::Open(folder.File("other.db"), {.create = true}))->InstanceKey(), *key);
}

TEST_F(StoreTest, ManyThreadsReadAtOnce) {
  ASSERT_THAT(PutIndexed(*store, "s", {MakeTable("m", "a"), MakeTable("m", "b")}), IsOk());
  const auto id = IdOf("m", "a");
  std::vector<std::thread> threads;
  std::vector<int> found(8, 0);
  for (int& count : found)
    threads.emplace_back([&count, id, this] {
      for (int i = 0; i < 50; ++i) {
        const auto table = store->GetTable(id);
        if (table && *table && (*table)->name == "a") ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(found, ::testing::Each(50));
}

}  // namespace
}  // namespace schemaward::store
