// The warehouse behind an exploration, over a real index: what a written name means, how much of a
// table is shown, and what search gives.
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/application.h"
#include "app/server.h"
#include "base/result_matchers.h"
#include "explore/actions.h"
#include "explore/limits.h"
#include "index/documents.h"
#include "store/testing.h"
#include "tools/warehouse.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Indexed as a database is, with what search knows of each table.
Result<store::Source> PutSearchable(Application& application, const std::string& name,
                                    const std::vector<catalog::Table>& tables) {
  store::Store& store = **application.Store(true);
  WARD_TRY(const store::Source source,
           store::PutSource(store, {.name = name, .engine = "sqlite", .location = "/no/" + name}));
  WARD_TRY(auto writer, store::IndexWriter::Begin(store, source.id));
  const index::DocumentMaker documents(application.searcher().lexicon());
  for (const catalog::Table& table : tables) {
    WARD_TRY(const auto id, writer->Add(table, store::HashOf(table)));
    WARD_CHECK(writer->PutSearch(id, documents.Make(source.id, table)));
  }
  WARD_TRY(const auto generation, writer->Commit({.indexed_at_us = 1}));
  EXPECT_EQ(generation, 1);
  WARD_TRY(auto found, store.FindSource(name));
  return *std::move(found);
}

class IndexWarehouseTest : public ::testing::Test {
 protected:
  IndexWarehouseTest()
      : folder_(fs::temp_directory_path() /
                fmt::format("ward_index_warehouse_{}_{}",
                            ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                            ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    application_ = std::make_unique<Application>(
        *Config::Load({{"store", (folder_ / "store.db").string()}}, nothing, folder_.string()));
  }
  ~IndexWarehouseTest() override {
    warehouse_.reset();
    server_.reset();
    application_.reset();
    fs::remove_all(folder_);
  }

  void SetUp() override {
    std::vector<std::string> names;
    for (int i = 0; i < 60; ++i) names.push_back(fmt::format("c{}", i));
    for (const char* name : {"made_at", "item_id", "id"}) names.emplace_back(name);
    catalog::Table wide = store::MakeTable("sales", "wide", names);
    wide.columns[60].type = "timestamp";
    wide.primary_key = catalog::Key{.name = "", .columns = {"id"}};
    catalog::ForeignKey to_items;
    to_items.columns = {"item_id"};
    to_items.target_schema = "sales";
    to_items.target_table = "items";
    to_items.target_columns = {"id"};
    wide.foreign_keys = {to_items};
    catalog::Table orders = store::MakeTable("sales", "Orders", {"id", "total"});
    orders.row_estimate = 1'200;
    const auto source = PutSearchable(*application_, "shop",
                                      {orders, store::MakeTable("old", "Orders", {"id"}),
                                       store::MakeTable("sales", "items", {"id"}),
                                       store::MakeTable("hr", "people", {"id"}), wide});
    ASSERT_THAT(source, IsOk());
    auto server = ToolServer::Create(*application_, {.sets = {"catalog"}, .served = {"shop"}});
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
    warehouse_ = std::make_unique<tools::IndexWarehouse>(server_->services().For(ctx()),
                                                         server_->invoker(), *source);
  }

  CallContext& ctx() {
    if (!ctx_) ctx_.emplace(application_->CommandContext());
    return *ctx_;
  }
  explore::ResolvedName Resolve(const std::string& name) {
    return warehouse_->Resolve(name, ctx()).value();
  }

  fs::path folder_;
  std::unique_ptr<Application> application_;
  std::unique_ptr<ToolServer> server_;
  std::unique_ptr<tools::IndexWarehouse> warehouse_;
  std::optional<CallContext> ctx_;
};

TEST_F(IndexWarehouseTest, AQualifiedNameAndABareOneThatFitsOneTableMeanIt) {
  EXPECT_EQ(Resolve("sales.Orders").name, "sales.Orders");
  EXPECT_EQ(Resolve("items").name, "sales.items");
  EXPECT_EQ(Resolve("SALES.ITEMS").name, "sales.items") << "case folds where one table fits";
  EXPECT_EQ(Resolve("People").name, "hr.people");
}

TEST_F(IndexWarehouseTest, ABareNameThatFitsSeveralMeansNoneAndNamesThem) {
  const auto several = Resolve("orders");
  EXPECT_EQ(several.name, "");
  EXPECT_TRUE(several.is_ambiguous);
  EXPECT_THAT(several.near, UnorderedElementsAre("sales.Orders", "old.Orders"));
}

TEST_F(IndexWarehouseTest, AnUnknownNameMeansNoneAndNamesTheNearest) {
  const auto none = Resolve("sales.itens");
  EXPECT_EQ(none.name, "");
  EXPECT_FALSE(none.is_ambiguous);
  EXPECT_THAT(none.near, Contains("sales.items"));
  for (const char* odd : {"", ".", "a.b.c.d", "'; DROP TABLE x", "nothing_like_it_at_all"})
    EXPECT_EQ(Resolve(odd).name, "") << odd;
}

TEST_F(IndexWarehouseTest, ALookupOfAWideTableShowsKeysAndTimesAndCountsTheRest) {
  explore::State state;
  explore::Action action;
  action.kind = explore::ActionKind::LookupSchema;
  action.tables = {"wide", "sales.WIDE", "gone"};
  const auto step = explore::CarryOut(state, action, *warehouse_, ctx());
  ASSERT_THAT(step, IsOk());
  EXPECT_EQ(step->error, "");
  EXPECT_EQ(state.lookups_used, 1);
  EXPECT_THAT(step->observation, ContainsRegex("- id integer [^\n]*\\[key\\]"));
  EXPECT_THAT(step->observation, ContainsRegex("- item_id integer [^\n]*\\[-> sales.items\\]"));
  EXPECT_THAT(step->observation, ContainsRegex("- made_at timestamp [^\n]*\\[time\\]"));
  EXPECT_THAT(step->observation, HasSubstr("- c46 "));
  EXPECT_THAT(step->observation, ::testing::Not(HasSubstr("- c47 ")));
  EXPECT_THAT(step->observation, HasSubstr("and 13 columns more, not shown"));
  EXPECT_THAT(step->observation, HasSubstr("Not found: gone"));
  EXPECT_THAT(state.seen, UnorderedElementsAre("sales.wide"));
}

TEST_F(IndexWarehouseTest, ASearchGivesNoMoreThanItIsAskedForAndOnlyTablesOfItsSource) {
  ASSERT_THAT(
      PutSearchable(*application_, "other", {store::MakeTable("sales", "items_too", {"id"})}),
      IsOk());
  const auto one = warehouse_->Search("id", 1, ctx());
  ASSERT_THAT(one, IsOk());
  EXPECT_THAT(*one, SizeIs(1)) << "every table has it";
  const auto all = warehouse_->Search("items", explore::kSearchHitsMax, ctx());
  ASSERT_THAT(all, IsOk());
  std::vector<std::string> names;
  for (const auto& hit : *all) names.push_back(hit.name);
  EXPECT_THAT(names, Contains("sales.items"));
  EXPECT_THAT(names, ::testing::Not(Contains("sales.items_too")));
  const auto none = warehouse_->Search("zzzz qqqq", explore::kSearchHitsDefault, ctx());
  ASSERT_THAT(none, IsOk());
  EXPECT_THAT(*none, IsEmpty());
}

TEST_F(IndexWarehouseTest, ACallThatIsOverAsksNothing) {
  std::stop_source stop;
  stop.request_stop();
  ctx().stop = stop.get_token();
  EXPECT_THAT(warehouse_->Lookup({"sales.items"}, ctx()), IsError(ErrorKind::Cancelled));
  EXPECT_THAT(warehouse_->Search("items", 10, ctx()), IsError(ErrorKind::Cancelled));
}

}  // namespace
}  // namespace schemaward::app
