// --classify-content: what is kept of a check of values, and what survives a later index.
#include "index/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "connect/fake/fake_engine.h"
#include "index/run.h"
#include "store/samples.h"
#include "store/sources.h"
#include "store/testing.h"

namespace schemaward::index {
namespace {

using connect::FakeCall;
using store::MakeTable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Content : public ::testing::Test {
 protected:
  Content() : store(*store::Store::Open(folder.File("store.db"), {.create = true})) {
    source = *store::PutSource(*store, {.name = "shop", .engine = "sqlite", .location = "/x"});
    options.classify_content = true;
  }

  Result<Summary> Index(std::vector<catalog::Table> tables) {
    catalog::Database database;
    database.name = "shop";
    database.fingerprint = "f" + std::to_string(++step);
    database.tables = std::move(tables);
    fake->SetDatabase(database);
    WARD_TRY(const auto connector, connect::FakeEngine(fake).Open({}, ctx));
    return index::Run(*connector, *store, source, options, ctx);
  }

  /// The next query answers rows of two columns: numbers, and addresses of mail.
  void AnswerMail() {
    connect::QueryResult result;
    for (std::int64_t i = 0; i < 20; ++i)
      result.rows.push_back(
          {connect::Cell(i), connect::Cell("u" + std::to_string(i) + "@x.example")});
    fake->AddResult(std::move(result));
  }

  std::vector<std::string> VerdictsOf(const std::string& table, std::size_t column) {
    const auto entry = store->FindTables({}, std::nullopt, table)->at(0);
    return (*store->GetTable(entry.id))->columns.at(column).verdicts;
  }

  store::TempFolder folder;
  std::unique_ptr<store::Store> store;
  store::Source source;
  std::shared_ptr<connect::FakeSource> fake =
      std::make_shared<connect::FakeSource>(catalog::Database());
  FakeClock clock;
  CallContext ctx{clock};
  RunOptions options;
  int step = 0;
};

TEST_F(Content, KeepsTheVerdictAndNoValue) {
  AnswerMail();
  const auto summary = Index({MakeTable("m", "a", {"id", "col2"})});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->classified_columns, 1);
  EXPECT_THAT(VerdictsOf("a", 0), IsEmpty());
  EXPECT_THAT(VerdictsOf("a", 1), ElementsAre("contact:email"));
  const auto entry = store->FindTables({}, std::nullopt, "a")->at(0);
  EXPECT_THAT(*store::ReadSamples(*store, entry.id), IsEmpty());
  const auto table = *store->GetTable(entry.id);
  EXPECT_TRUE(privacy::Policy().RuleOf(*table, table->columns[1]).IsBlocked());
}

TEST_F(Content, AnIndexThatDoesNotLookKeepsWhatWasFound) {
  catalog::Table table = MakeTable("m", "a", {"id", "col2"});
  AnswerMail();
  ASSERT_THAT(Index({table}), IsOk());
  options.classify_content = false;
  const auto same = Index({table});
  ASSERT_THAT(same, IsOk());
  EXPECT_EQ(same->unchanged, 1);
  EXPECT_THAT(VerdictsOf("a", 1), SizeIs(1));
  table.comment = "changed";
  const auto changed = Index({table});
  ASSERT_THAT(changed, IsOk());
  EXPECT_EQ(changed->changed, 1);
  EXPECT_THAT(VerdictsOf("a", 1), SizeIs(1));
  table.columns[1].type = "another";
  ASSERT_THAT(Index({table}), IsOk());
  EXPECT_THAT(VerdictsOf("a", 1), IsEmpty());
}

TEST_F(Content, ALaterCheckTakesAVerdictBack) {
  const catalog::Table table = MakeTable("m", "a", {"id", "col2"});
  AnswerMail();
  ASSERT_THAT(Index({table}), IsOk());
  ASSERT_THAT(VerdictsOf("a", 1), SizeIs(1));
  ASSERT_THAT(Index({table}), IsOk());  // no rows: nothing fits
  EXPECT_THAT(VerdictsOf("a", 1), IsEmpty());
}

TEST_F(Content, ColumnsWithAVerdictAreNotSampledAndLoseTheirSamples) {
  const catalog::Table table = MakeTable("m", "a", {"id", "col2"});
  options.classify_content = false;
  options.sample_rows = 5;
  AnswerMail();
  ASSERT_THAT(Index({table}), IsOk());
  const auto entry = store->FindTables({}, std::nullopt, "a")->at(0);
  ASSERT_THAT(*store::ReadSamples(*store, entry.id), SizeIs(2));
  options.sample_rows = 0;
  options.classify_content = true;
  AnswerMail();
  ASSERT_THAT(Index({table}), IsOk());
  ASSERT_THAT(*store::ReadSamples(*store, entry.id), SizeIs(1));
  options.sample_rows = 5;
  options.classify_content = false;
  ASSERT_THAT(Index({table}), IsOk());
  EXPECT_THAT(fake->texts().back(), ::testing::Not(HasSubstr("col2")));
}

TEST_F(Content, ATableThatCannotBeReadIsSaidAndKeepsItsVerdicts) {
  const catalog::Table table = MakeTable("m", "a", {"id", "col2"});
  AnswerMail();
  ASSERT_THAT(Index({table}), IsOk());
  fake->FailNth(FakeCall::Query, 1, Error(ErrorKind::PermissionDenied, "not for this role"));
  const auto summary = Index({table});
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->missing,
            (std::vector<catalog::Missing>{{"m.a", "content: not for this role"}}));
  EXPECT_THAT(VerdictsOf("a", 1), SizeIs(1));
}

TEST_F(Content, NeverAsksForBlockedColumns) {
  catalog::Table users = MakeTable("m", "users", {"id", "email", "ssn"});
  for (catalog::Column& column : users.columns) column.type = "text";
  ASSERT_THAT(Index({users}), IsOk());
  const auto asked = fake->texts();
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_THAT(asked[0], ::testing::Not(HasSubstr("email")));
  EXPECT_THAT(asked[0], ::testing::Not(HasSubstr("ssn")));
}

}  // namespace
}  // namespace schemaward::index
