// One index after another: what is found new, changed, gone; what is written; what is not read.
#include "index/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "connect/fake/fake_engine.h"
#include "json/write.h"
#include "store/samples.h"
#include "store/search_access.h"
#include "store/testing.h"

namespace schemaward::index {
namespace {

using connect::FakeCall;
using store::AddKey;
using store::MakeTable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class RunTest : public ::testing::Test {
 protected:
  RunTest() : store(*store::Store::Open(folder.File("store.db"), {.create = true})) {
    source = *store::PutSource(*store, {.name = "shop", .engine = "sqlite", .location = "/x"});
  }

  Result<Summary> Index(std::vector<catalog::Table> tables) {
    catalog::Database database;
    database.name = "shop";
    database.engine = "sqlite";
    database.engine_version = "3.40.1";
    database.fingerprint = "f" + std::to_string(++step);
    database.tables = std::move(tables);
    database.missing = missing;
    fake->SetDatabase(database);
    WARD_TRY(const auto connector, connect::FakeEngine(fake).Open({}, ctx));
    clock.Advance(std::chrono::seconds(1));
    return index::Run(*connector, *store, source, options, ctx);
  }

  store::Source Now() { return **store->FindSource("shop"); }
  std::int64_t IdOf(const std::string& name) {
    return store->FindTables({}, std::nullopt, name)->at(0).id;
  }
  /// Tables that search finds by a word.
  std::vector<std::int64_t> Search(const std::string& word) {
    std::vector<std::int64_t> ids;
    const auto done = store::WithSearch(*store, [&](store::SearchReader& reader) -> Status {
      WARD_TRY(auto term, reader.FindTerm(word));
      if (!term) return Ok();
      store::QueryConcept concept_of_word;
      concept_of_word.terms.push_back({*std::move(term), 1});
      WARD_TRY(const auto hits, reader.TopTables({&concept_of_word, 1}, 10, {}));
      for (const auto& hit : hits) ids.push_back(hit.table_id);
      return Ok();
    });
    EXPECT_THAT(done, IsOk());
    return ids;
  }

  store::TempFolder folder;
  std::unique_ptr<store::Store> store;
  store::Source source;
  std::shared_ptr<connect::FakeSource> fake =
      std::make_shared<connect::FakeSource>(catalog::Database());
  FakeClock clock;
  CallContext ctx{clock};
  RunOptions options;
  std::vector<catalog::Missing> missing;
  int step = 0;
};

TEST_F(RunTest, TheFirstIndexAddsEverything) {
  catalog::Table view = MakeTable("main", "totals");
  view.kind = catalog::TableKind::View;
  const auto summary = Index({MakeTable("main", "orders", {"id", "total"}), view});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->added, 2);
  EXPECT_THAT(summary->added_names, ElementsAre("main.orders", "main.totals"));
  EXPECT_EQ(summary->tables, 1);
  EXPECT_EQ(summary->views, 1);
  EXPECT_EQ(summary->columns, 3);
  EXPECT_FALSE(summary->IsPartial());
  EXPECT_EQ(summary->generation, 1);
  EXPECT_EQ(Now().database, "shop");
  EXPECT_EQ(Now().engine_version, "3.40.1");
  EXPECT_EQ(Now().fingerprint, "f1");
  EXPECT_EQ(Now().indexed_at_us, clock.UnixMicros());
  EXPECT_THAT(Search("order"), ElementsAre(IdOf("orders")));
}

TEST_F(RunTest, AScopeIsKeptUntilAnotherIsGiven) {
  const std::vector<catalog::Table> tables = {MakeTable("hr", "people"), MakeTable("m", "a")};
  options.scope = connect::Scope{{"m"}};
  ASSERT_THAT(Index(tables), IsOk());
  EXPECT_THAT(Now().schemas, ElementsAre("m"));
  options.scope.reset();
  const auto again = Index(tables);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->added, 0);
  EXPECT_EQ(again->unchanged, 1);
  EXPECT_THAT(Now().schemas, ElementsAre("m"));
  options.scope = connect::Scope{};
  const auto all = Index(tables);
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(all->added_names, ElementsAre("hr.people"));
  EXPECT_THAT(Now().schemas, IsEmpty());
}

TEST_F(RunTest, AGivenScopeWithoutTablesIsRefusedAndAKeptOneFollowsTheSource) {
  options.scope = connect::Scope{{"m"}};
  ASSERT_THAT(Index({MakeTable("m", "a")}), IsOk());
  options.scope = connect::Scope{{"nope"}};
  EXPECT_THAT(Index({MakeTable("m", "a")}),
              IsError(ErrorKind::InvalidArgument, HasSubstr("schema \"nope\"")));
  EXPECT_THAT(Now().schemas, ElementsAre("m"));
  options.scope.reset();
  const auto dropped = Index({MakeTable("hr", "people")});
  ASSERT_THAT(dropped, IsOk());
  EXPECT_THAT(dropped->removed_names, ElementsAre("m.a"));
  EXPECT_EQ(dropped->added, 0);
}

TEST_F(RunTest, OnlyWhatChangedIsReported) {
  ASSERT_THAT(Index({MakeTable("m", "a"), MakeTable("m", "b"), MakeTable("m", "c")}), IsOk());
  const auto a = IdOf("a"), b = IdOf("b");
  const auto summary =
      Index({MakeTable("m", "a"), MakeTable("m", "b", {"id", "x"}), MakeTable("m", "d")});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->unchanged, 1);
  EXPECT_THAT(summary->changed_names, ElementsAre("m.b"));
  EXPECT_THAT(summary->removed_names, ElementsAre("m.c"));
  EXPECT_THAT(summary->added_names, ElementsAre("m.d"));
  EXPECT_EQ(summary->generation, 2);
  EXPECT_EQ(IdOf("a"), a);
  EXPECT_EQ(IdOf("b"), b);
  EXPECT_THAT((*store->GetTable(b))->columns, SizeIs(2));
  EXPECT_THAT(*store->FindTables({}, std::nullopt, "c"), IsEmpty());
  EXPECT_EQ(Now().table_count, 3);
}

TEST_F(RunTest, AnIdIsNeverUsedAgain) {
  ASSERT_THAT(Index({MakeTable("m", "a"), MakeTable("m", "b")}), IsOk());
  const auto b = IdOf("b");
  ASSERT_THAT(Index({MakeTable("m", "a")}), IsOk());
  ASSERT_THAT(Index({MakeTable("m", "a"), MakeTable("m", "b")}), IsOk());
  EXPECT_GT(IdOf("b"), b);
}

TEST_F(RunTest, SearchFollowsTheCatalog) {
  ASSERT_THAT(Index({MakeTable("m", "invoice"), MakeTable("m", "person", {"nickname"})}), IsOk());
  const auto person = IdOf("person");
  EXPECT_THAT(Search("nickname"), ElementsAre(person));
  ASSERT_THAT(Index({MakeTable("m", "person", {"surname"})}), IsOk());
  EXPECT_THAT(Search("nickname"), IsEmpty());
  EXPECT_THAT(Search("surname"), ElementsAre(person));
  EXPECT_THAT(Search("invoice"), IsEmpty());
}

TEST_F(RunTest, NewEstimatesAreWrittenButAreNoChange) {
  catalog::Table table = MakeTable("m", "a");
  ASSERT_THAT(Index({table}), IsOk());
  table.row_estimate = 7;
  table.columns[0].statistic = catalog::Statistic{0.5, 3};
  const auto summary = Index({table});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->changed, 0);
  EXPECT_EQ(summary->unchanged, 1);
  EXPECT_EQ(summary->estimates_updated, 1);
  EXPECT_EQ((*store->GetTable(IdOf("a")))->row_estimate, 7);
}

TEST_F(RunTest, NothingChangedWritesTheStampAlone) {
  std::vector<catalog::Table> tables;
  for (int i = 0; i < 200; ++i)
    tables.push_back(MakeTable("m", "table_" + std::to_string(i), {"id", "name", "note"}));
  ASSERT_THAT(Index(tables), IsOk());
  const auto wal = folder.File("store.db-wal");
  {
    auto database = sqlite::Database::Open(store->path(), {});
    ASSERT_THAT(database->Execute("PRAGMA wal_checkpoint(TRUNCATE)"), IsOk());
  }
  ASSERT_EQ(std::filesystem::file_size(wal), 0U);
  const auto summary = Index(tables);
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->unchanged, 200);
  EXPECT_EQ(summary->generation, 2);
  EXPECT_LE(std::filesystem::file_size(wal), 4U * 4120U + 32U);  // a few pages of source and meta
}

TEST_F(RunTest, SaysWhatIsMissing) {
  missing = {{"m.secret", "permission denied"}};
  const auto summary = Index({MakeTable("m", "a")});
  ASSERT_THAT(summary, IsOk());
  EXPECT_TRUE(summary->IsPartial());
  EXPECT_EQ(Now().missing, missing);
  EXPECT_THAT(json::Write(*summary), HasSubstr("\"missing\":[{\"object\":\"m.secret\""));
}

TEST_F(RunTest, WhatIsMissingIsListedUpToABound) {
  for (std::size_t i = 0; i < kMissingMax; ++i) missing.push_back({std::to_string(i), "denied"});
  EXPECT_EQ(Index({MakeTable("m", "a")})->missing, missing);
  missing.push_back({"last", "denied"});
  const auto summary = Index({MakeTable("m", "a")});
  ASSERT_THAT(summary->missing, SizeIs(kMissingMax));
  EXPECT_EQ(summary->missing.back(), (catalog::Missing{"others", "2 more could not be read"}));
}

TEST_F(RunTest, SortsAndTakesEachPlaceOnce) {
  const auto summary = Index({MakeTable("m", "b"), MakeTable("m", "a"), MakeTable("m", "b")});
  ASSERT_THAT(summary, IsOk());
  EXPECT_THAT(summary->added_names, ElementsAre("m.a", "m.b"));
  EXPECT_THAT(summary->missing, SizeIs(1));
}

TEST_F(RunTest, NamesAreListedUpToABound) {
  std::vector<catalog::Table> tables;
  for (std::size_t i = 0; i <= kNamesMax; ++i)
    tables.push_back(MakeTable("m", "t" + std::to_string(i)));
  const auto summary = Index(tables);
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->added, static_cast<std::int64_t>(kNamesMax) + 1);
  EXPECT_THAT(summary->added_names, SizeIs(kNamesMax));
}

TEST_F(RunTest, AFailedOrCancelledRunLeavesTheOldIndex) {
  ASSERT_THAT(Index({MakeTable("m", "a")}), IsOk());
  fake->FailNth(FakeCall::Introspect, 1,
                Error(ErrorKind::SourceUnreachable, "the source does not answer"));
  EXPECT_THAT(Index({MakeTable("m", "b")}), IsError(ErrorKind::SourceUnreachable));
  std::stop_source stop;
  ctx.stop = stop.get_token();
  ctx.progress = [&](const Progress& progress) {
    if (progress.done > 0) stop.request_stop();
  };
  EXPECT_THAT(Index({MakeTable("m", "b")}), IsError(ErrorKind::Cancelled));
  EXPECT_EQ(Now().generation, 1);
  EXPECT_THAT(*store->FindTables({}, std::nullopt, "a"), SizeIs(1));
  EXPECT_THAT(*store->FindTables({}, std::nullopt, "b"), IsEmpty());
}

TEST_F(RunTest, ReportsRealProgress) {
  std::vector<catalog::Table> tables;
  for (int i = 0; i < 130; ++i) tables.push_back(MakeTable("m", "t" + std::to_string(1000 + i)));
  std::vector<std::int64_t> done;
  ctx.progress = [&](const Progress& progress) {
    if (progress.message == "writing the index") {
      EXPECT_EQ(progress.total, 130);
      done.push_back(progress.done);
    }
  };
  ASSERT_THAT(Index(tables), IsOk());
  EXPECT_THAT(done, ElementsAre(64, 128, 130));
}

class Sampling : public RunTest {
 protected:
  Sampling() { options.sample_rows = 5; }
  /// The next table's query gives two rows of so many columns: "v" and null.
  void AnswerRows(std::size_t columns) {
    connect::QueryResult result;
    result.rows.assign(2, std::vector<connect::Cell>(columns));
    for (auto& cell : result.rows[0]) cell = std::string("v");
    fake->AddResult(std::move(result));
  }
  std::vector<std::string> Sampled(const std::string& name) {
    std::vector<std::string> columns;
    const auto samples = store::ReadSamples(*store, IdOf(name));
    EXPECT_THAT(samples, IsOk());
    for (const auto& sample : *samples) columns.push_back(sample.column);
    return columns;
  }
};

TEST_F(Sampling, ReadsNothingUnlessAsked) {
  options.sample_rows = 0;
  ASSERT_THAT(Index({MakeTable("m", "a")}), IsOk());
  EXPECT_THAT(fake->texts(), IsEmpty());
}

TEST_F(Sampling, NeverAsksForFloorColumns) {
  AnswerRows(2);
  const auto summary = Index({MakeTable("m", "users", {"id", "password_hash", "city"})});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->sampled_tables, 1);
  EXPECT_THAT(Sampled("users"), ElementsAre("city", "id"));
  const auto asked = fake->texts();
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_THAT(asked[0], Not(HasSubstr("password")));
  const auto samples = store::ReadSamples(*store, IdOf("users"));
  EXPECT_THAT(samples->at(0).values, ElementsAre("v", std::nullopt));
}

TEST_F(Sampling, AColumnThatBecomesForbiddenLosesItsValues) {
  catalog::Table table = MakeTable("m", "a", {"id", "owner_ssn", "gone"});
  // Refers to a table: no number of a person, so its values may be read.
  AddKey(table, "owner_ssn", "m", "owners");
  AnswerRows(3);
  ASSERT_THAT(Index({table}), IsOk());
  ASSERT_THAT(Sampled("a"), ElementsAre("gone", "id", "owner_ssn"));
  options.sample_rows = 0;
  table.foreign_keys.clear();
  table.columns.pop_back();
  ASSERT_THAT(Index({table}), IsOk());
  EXPECT_THAT(Sampled("a"), ElementsAre("id"));
}

TEST_F(Sampling, ATableThatCannotBeReadIsSaid) {
  fake->FailNth(FakeCall::Query, 1,
                Error(ErrorKind::PermissionDenied, "the role may not read the table"));
  const auto summary = Index({MakeTable("m", "a")});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->missing,
            (std::vector<catalog::Missing>{{"m.a", "values: the role may not read the table"}}));
  EXPECT_EQ(summary->added, 1);
  EXPECT_THAT(Sampled("a"), IsEmpty());
}

TEST_F(Sampling, ALostSourceEndsTheRun) {
  fake->FailNth(FakeCall::Query, 1,
                Error(ErrorKind::SourceUnreachable, "the source does not answer"));
  EXPECT_THAT(Index({MakeTable("m", "a")}), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(Now().generation, 0);
}

}  // namespace
}  // namespace schemaward::index
