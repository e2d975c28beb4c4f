// pg_stat_statements on real servers: where it is loaded, where it is not, and for whom.
#include "connect/postgres/query_log.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/postgres/postgres.h"
#include "connect/postgres/test_server.h"
#include "guard/guard.h"

namespace schemaward::connect::postgres {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SearchPath, IsSplitAsPostgresqlReadsIt) {
  EXPECT_THAT(SplitSearchPath("\"$user\", public", "ann"), ElementsAre("ann", "public"));
  EXPECT_THAT(SplitSearchPath("a,\"B \"\",\"\"c\" ,d", "ann"), ElementsAre("a", "B \",\"c", "d"));
  EXPECT_THAT(SplitSearchPath("", "ann"), IsEmpty());
}

class QueryLogTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    database_ = TestDatabase::Make(GetParam());
    if (database_ == nullptr) GTEST_SKIP() << GetParam() << " names no server";
  }

  Result<QueryLog> ReadAs(const std::string& uri, std::size_t limit = 100) {
    CallContext ctx(clock_);
    WARD_TRY(auto connector, MakeEngine()->Open({"postgres", uri, ""}, ctx));
    return connector->ReadQueryLog(limit, ctx);
  }

  /// Skips where the server does not have the library, or has not loaded it.
  bool Install() {
    if (!database_->Execute("CREATE EXTENSION pg_stat_statements SCHEMA public")) return false;
    // Of this database: tests beside this one have theirs on the same server.
    return static_cast<bool>(database_->Ask(
        "SELECT public.pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = "
        "current_database()), 0)"));
  }

  const SystemClock clock_;
  std::unique_ptr<TestDatabase> database_;
};

TEST_P(QueryLogTest, SaysThatTheExtensionIsNotThere) {
  const auto log = ReadAs(database_->uri());
  ASSERT_THAT(log, IsOk());
  EXPECT_FALSE(log->is_there);
  EXPECT_THAT(log->note, HasSubstr("not installed"));
  EXPECT_THAT(log->search_path, ElementsAre("schemaward", "public"));
}

TEST_P(QueryLogTest, GivesTheStatementsWithTheMostCallsAndNoneOfOurOwn) {
  if (!Install()) GTEST_SKIP() << "this server has not loaded pg_stat_statements";
  ASSERT_THAT(database_->Execute("CREATE TABLE a (id int); CREATE TABLE b (a_id int)"), IsOk());
  for (int i = 0; i < 3; ++i)
    ASSERT_THAT(
        database_->Ask("SELECT 1 FROM a JOIN b ON b.a_id = a.id WHERE a.id = " + std::to_string(i)),
        IsOk());
  ASSERT_THAT(database_->Ask("SELECT count(*) FROM a"), IsOk());
  CallContext ctx(clock_);
  auto connector = MakeEngine()->Open({"postgres", database_->uri(), ""}, ctx);
  ASSERT_THAT(connector, IsOk());
  sql::Select ours;
  ours.columns.push_back({sql::MakeColumn("a", "id"), "mine"});
  ours.from = sql::TableRef{"public", "a", "a"};
  catalog::Table table;
  table.schema = "public";
  table.name = "a";
  table.columns.emplace_back().name = "id";
  const auto approved =
      guard::Guard(privacy::Policy()).ApproveTree(ours, sql::Postgres(), {table}, ctx.principal);
  ASSERT_THAT(approved, IsOk());
  ASSERT_THAT((*connector)->Query(*approved, {}, ctx), IsOk());

  const auto log = (*connector)->ReadQueryLog(100, ctx);
  ASSERT_THAT(log, IsOk());
  ASSERT_TRUE(log->is_there) << log->note;
  EXPECT_EQ(log->note, "");
  ASSERT_GE(log->queries.size(), 2u);
  EXPECT_EQ(log->queries[0].sql, "SELECT $1 FROM a JOIN b ON b.a_id = a.id WHERE a.id = $2");
  EXPECT_EQ(log->queries[0].calls, 3);
  for (const LoggedQuery& query : log->queries) EXPECT_THAT(query.sql, Not(HasSubstr("mine")));
  EXPECT_EQ((*connector)->ReadQueryLog(1, ctx)->queries.size(), 1u);
}

TEST_P(QueryLogTest, ARoleWithoutTheRightGetsItsOwnStatementsAndANote) {
  if (!Install()) GTEST_SKIP() << "this server has not loaded pg_stat_statements";
  ASSERT_THAT(database_->Execute("DROP ROLE IF EXISTS ward_log_reader; CREATE ROLE "
                                 "ward_log_reader LOGIN PASSWORD 'x'; CREATE TABLE a (id int)"),
              IsOk());
  ASSERT_THAT(database_->Ask("SELECT count(*) FROM a"), IsOk());
  const auto log = ReadAs(database_->UriFor("ward_log_reader:x"));
  ASSERT_THAT(log, IsOk());
  EXPECT_TRUE(log->is_there);
  EXPECT_THAT(log->queries, IsEmpty());
  EXPECT_THAT(log->note, HasSubstr("pg_read_all_stats"));
  ASSERT_THAT(database_->Execute("REVOKE SELECT ON pg_stat_statements FROM PUBLIC"), IsOk());
  const auto refused = ReadAs(database_->UriFor("ward_log_reader:x"));
  ASSERT_THAT(refused, IsOk());
  EXPECT_FALSE(refused->is_there);
  EXPECT_THAT(refused->note, HasSubstr("may not"));
  (void)database_->Execute("DROP OWNED BY ward_log_reader; DROP ROLE ward_log_reader");
}

INSTANTIATE_TEST_SUITE_P(Servers, QueryLogTest,
                         testing::Values("SCHEMAWARD_TEST_PG12", "SCHEMAWARD_TEST_PG15",
                                         "SCHEMAWARD_TEST_PG17"),
                         [](const auto& server) { return std::string(server.param).substr(16); });

}  // namespace
}  // namespace schemaward::connect::postgres
