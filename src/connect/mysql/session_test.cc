// Connecting, stopping, breaking, on a real server.

#include "connect/mysql/session.h"

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <unistd.h>

#include "connect/conformance/conformance.h"
#include "connect/conformance/scripted_server.h"
#include "connect/mysql/server_test.h"
#include "connect/registry.h"
#include "connect/source_spec.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::connect::mysql {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

const char* Variable(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody writes
}

class SessionTest : public ServerTest {
 protected:
  // A user who must give a password.
  void GivenLogin() {
    login_ = "ward_login_" + std::to_string(getpid());
    Given("CREATE OR REPLACE USER '" + login_ +
          "'@'%' IDENTIFIED BY 'a b''c@d+e%[f]:g'; GRANT SELECT ON \"" + database_->name() +
          "\".* TO '" + login_ + "'@'%'");
  }
  void TearDown() override {
    if (database_ != nullptr && !login_.empty())
      (void)database_->Execute("DROP USER '" + login_ + "'@'%'");
  }
  std::string LoginUri() const { return database_->UriFor(login_, database_->name()); }
  // The value of the first cell, described.
  std::string Ask(MySqlConnector& connector, std::string sql) {
    const auto result = Run(connector, std::move(sql));
    return result && !result->rows.empty() ? Describe(result->rows[0][0]) : "nothing";
  }
  std::string login_;
};

TEST_F(SessionTest, TakesThePasswordOutOfTheSource) {
  GivenLogin();
  for (const char* const password : {":a%20b%27c%40d%2Be%25%5Bf%5D%3Ag", ":a%20b'c@d+e%25[f]:g"}) {
    const auto spec = ParseSource(database_->UriFor(login_ + password, database_->name()));
    ASSERT_THAT(spec, IsOk());
    EXPECT_THAT(spec->location, Not(HasSubstr("c@d")));
    EXPECT_THAT(Open(spec->location, spec->secret), IsOk()) << password;
  }
}

TEST_F(SessionTest, TellsAWrongPasswordFromAMissingOne) {
  GivenLogin();
  const auto wrong = Open(LoginUri(), "wrong");
  ASSERT_THAT(wrong, IsError(ErrorKind::SourceAuthFailed, "the source refused the login"));
  EXPECT_THAT(wrong.error().ToLogText(), Not(HasSubstr("wrong\"")));
  EXPECT_THAT(Open(LoginUri()), IsError(ErrorKind::MissingCredential));
}

TEST_F(SessionTest, SaysThatTheDatabaseIsNotThere) {
  EXPECT_THAT(Open(database_->UriFor("schemaward", "no_such_database")),
              IsError(ErrorKind::SourceUnreachable, "the server has no such database"));
}

TEST_F(SessionTest, FollowsSslMode) {
  const char* authority = Variable("SCHEMAWARD_TEST_MARIADB_CA");
  if (authority == nullptr) GTEST_SKIP() << "SCHEMAWARD_TEST_MARIADB_CA is not set";
  const auto cipher = [this](const std::string& options) {
    return Ask(*ConnectAs(database_->uri() + options),
               "SELECT variable_value <> '' FROM information_schema.session_status WHERE "
               "variable_name = 'Ssl_cipher'");
  };
  EXPECT_EQ(cipher(""), "int:1");
  EXPECT_EQ(cipher("?ssl-mode=required"), "int:1");
  EXPECT_EQ(cipher("?ssl-mode=disabled"), "int:0");
  const std::string trusted = std::string("&ssl-ca=") + authority;
  EXPECT_EQ(cipher("?ssl-mode=verify-identity" + trusted), "int:1");
  EXPECT_EQ(cipher("?ssl-mode=verify-ca" + trusted), "int:1");
  for (const char* untrusted : {"?ssl-mode=verify-identity", "?ssl-mode=verify-ca",
                                "?ssl-mode=verify-identity&ssl-ca=/no/such/file"})
    EXPECT_THAT(Open(database_->uri() + untrusted), IsError(ErrorKind::SourceUnreachable))
        << untrusted;
}

// The greeting of a server without TLS, and its word that the login is well.
std::vector<ScriptedServer::Step> WithoutTls() {
  constexpr std::string_view kGreeting(
      "\x0a"
      "10.11.6-MariaDB\0\x01\0\0\0"
      "12345678\0\x09\xa2\x21\x02\0\x08\0\x15\0\0\0\0\0\0\0\0\0\0"
      "123456789012\0mysql_native_password\0",
      83);
  constexpr std::string_view kWell("\x07\0\0\x02\0\0\0\x02\0\0\0", 11);
  std::string greeting(1, static_cast<char>(kGreeting.size()));
  greeting.append(3, '\0').append(kGreeting);
  return {{false, std::move(greeting)}, {true, std::string(kWell)}};
}

TEST(MysqlSession, RefusesAServerWithoutTheTlsThatSourceAsksFor) {
  const SystemClock clock;
  CallContext ctx(clock);
  for (const char* const mode : {"required", "verify-ca", "verify-identity"}) {
    ScriptedServer server(WithoutTls());
    EXPECT_THAT(MakeEngine()->Open({"mysql",
                                    "mysql://ann@127.0.0.1:" + std::to_string(server.port()) +
                                        "/shop?ssl-mode=" + mode,
                                    "pw"},
                                   ctx),
                IsError(ErrorKind::SourceUnreachable, "TLS with the source could not be set up"))
        << mode;
    // What is verified may be asked for a password as it is: nobody else hears of the login.
    const bool is_verified = std::string_view(mode) != "required";
    EXPECT_EQ(is_verified, server.Heard().empty()) << mode;
  }
}

TEST_F(SessionTest, ConnectsByASocketFile) {
  const char* file = Variable("SCHEMAWARD_TEST_MARIADB_SOCKET");
  if (file == nullptr) GTEST_SKIP() << "SCHEMAWARD_TEST_MARIADB_SOCKET is not set";
  auto connector =
      ConnectAs("mysql://" + database_->user() + "@/" + database_->name() + "?socket=" + file);
  EXPECT_THAT(Run(*connector, "SELECT 1"), IsOk());
  EXPECT_THAT(Open("mysql://x@/y?socket=/no/such/file"), IsError(ErrorKind::SourceUnreachable));
}

TEST_F(SessionTest, ReadsOnlyTheDatabaseOfTheSource) {
  Given(
      "CREATE TABLE mine (a int); CREATE DATABASE \"Other\"; CREATE TABLE \"Other\".theirs (a "
      "int)");
  const auto one = Connect()->Introspect({}, ctx_);
  ASSERT_THAT(one, IsOk());
  EXPECT_THAT(one->tables, SizeIs(1));
  EXPECT_EQ(one->name, database_->name());
  const auto all = ConnectAs(database_->UriFor(database_->user(), ""))->Introspect({}, ctx_);
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(all->tables, SizeIs(2));
}

TEST_F(SessionTest, CannotBeMadeToWrite) {
  Given(
      "CREATE TABLE kept (x integer); CREATE PROCEDURE wipe() DELETE FROM kept; "
      "INSERT INTO kept VALUES (1)");
  auto connector = ConnectAs(database_->UriFor("schemaward", database_->name()));  // a superuser
  for (const char* statement :
       {"SET SESSION TRANSACTION READ WRITE", "SET @@session.tx_read_only = 0", "COMMIT",
        "CALL wipe()", "TRUNCATE TABLE kept", "DROP TABLE kept", "CREATE TEMPORARY TABLE t (x int)",
        "SELECT 1 INTO OUTFILE '/tmp/ward_must_not_be'", "SELECT 1 INTO @ward",
        "LOCK TABLES kept READ", "DO GET_LOCK('ward', 1)",
        "SET STATEMENT max_statement_time = 0 FOR SET @a = 1",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE kept", "FLUSH TABLES"})
    EXPECT_THAT(Run(*connector, statement),
                ::testing::AnyOf(IsError(ErrorKind::NotARead), IsError(ErrorKind::SqlRuntime)))
        << statement;
  EXPECT_THAT(Run(*connector, "SELECT 1; DELETE FROM kept"), IsError(ErrorKind::SqlRuntime));
  EXPECT_THAT(Run(*connector, "INSERT INTO kept VALUES (2) RETURNING x"),
              IsError(ErrorKind::NotARead));
  EXPECT_THAT(database_->Ask("SELECT count(*) FROM kept"), IsOkAnd("1"));
  EXPECT_NE(access("/tmp/ward_must_not_be", F_OK), 0);
}

TEST_F(SessionTest, IsPinned) {
  // The server's own defaults are others: ANSI_QUOTES, latin1, +05:00.
  auto connector = Connect();
  EXPECT_EQ(Ask(*connector, "SELECT @@time_zone"), "text:+00:00");
  EXPECT_EQ(Ask(*connector, "SELECT @@character_set_results"), "text:utf8mb4");
  EXPECT_EQ(Ask(*connector, "SELECT \"text\""), "text:text");
  EXPECT_EQ(Ask(*connector, "SELECT @@tx_read_only"), "int:1");
  EXPECT_EQ(Ask(*connector, "SELECT @@max_statement_time"), "double:30");
  EXPECT_EQ(Ask(*connector, "SELECT CAST(1 AS unsigned) - CAST(2 AS unsigned)"), "int:-1");
}

TEST_F(SessionTest, LeavesNoStateBehind) {
  auto connector = Connect();
  EXPECT_EQ(Ask(*connector, "SELECT @ward := 5"), "int:5");
  EXPECT_EQ(Ask(*connector, "SELECT @ward"), "null");
  EXPECT_EQ(Ask(*connector, "SELECT GET_LOCK('ward_state', 0)"), "int:1");
  EXPECT_EQ(Ask(*connector, "SELECT IS_FREE_LOCK('ward_state')"), "int:1");
  const auto limited = connector->RunInReadOnlyState("SELECT @@max_statement_time",
                                                     {.time_max = milliseconds(5000)}, ctx_);
  ASSERT_THAT(limited, IsOk());
  EXPECT_EQ(Describe(limited->rows[0][0]), "double:5");
  EXPECT_EQ(Ask(*connector, "SELECT @@max_statement_time"), "double:30");
}

TEST_F(SessionTest, GoesOnAfterWhatWasStopped) {
  auto connector = Connect();
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, milliseconds(200));
  EXPECT_THAT(connector->RunInReadOnlyState("SELECT sleep(60)", {}, ctx),
              IsError(ErrorKind::DeadlineExceeded));
  EXPECT_FALSE(connector->IsBroken());
  EXPECT_THAT(
      connector->RunInReadOnlyState("SELECT sleep(60)", {.time_max = milliseconds(100)}, ctx_),
      IsError(ErrorKind::StatementTimeout));
  EXPECT_FALSE(connector->IsBroken());
  EXPECT_THAT(Run(*connector, "SELECT no_such_column"), IsError(ErrorKind::SchemaDrift));
  EXPECT_THAT(Run(*connector, "SELECT 1"), IsOk());
}

TEST_F(SessionTest, StopsAnAnswerThatIsMuchLargerThanWanted) {
  Given("CREATE TABLE numbers AS SELECT seq AS n FROM seq_1_to_200000");
  auto connector = Connect();
  const auto some = connector->RunInReadOnlyState(
      "SELECT a.n FROM numbers a JOIN numbers b ON b.n < 1000", {.rows_max = 3}, ctx_);
  ASSERT_THAT(some, IsOk());
  EXPECT_THAT(some->rows, SizeIs(3));
  EXPECT_TRUE(some->truncated);
  EXPECT_FALSE(connector->IsBroken());
  EXPECT_EQ(Ask(*connector, "SELECT count(*) FROM numbers"), "int:200000");
}

TEST_F(SessionTest, ExplainsAStatementWithParameters) {
  Given(
      "CREATE TABLE bound (i integer, t varchar(20)); INSERT INTO bound SELECT seq, 'x' FROM "
      "seq_1_to_1000; ANALYZE TABLE bound");
  auto connector = Connect();
  const auto database = connector->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  sql::Select select = sql::SampleSelect(database_->name(), "bound", {"i"}, 10);
  select.where = sql::MakeBinary(
      "and", sql::MakeBinary("<", sql::MakeColumn("t", "i"), sql::MakeLiteral({std::int64_t{500}})),
      sql::MakeBinary("=", sql::MakeColumn("t", "t"), sql::MakeLiteral({std::string("it's")})));
  const auto approved =
      guard::Guard(privacy::Policy())
          .ApproveTree(select, connector->dialect(), database->tables, ctx_.principal);
  ASSERT_THAT(approved, IsOk());
  const auto plan = connector->Explain(*approved, ctx_);
  ASSERT_THAT(plan, IsOk());
  EXPECT_GT(plan->cost, 900);
  EXPECT_THAT(plan->text, HasSubstr("full scan of t (rows 1000)"));
}

TEST_F(SessionTest, SaysWhatTheRoleMayNotRead) {
  GivenLogin();
  Given("CREATE DATABASE \"Other\"; CREATE TABLE \"Other\".closed (x integer)");
  auto connector = ConnectAs(LoginUri(), "a b'c@d+e%[f]:g");
  EXPECT_THAT(Run(*connector, "SELECT x FROM `Other`.closed"),
              IsError(ErrorKind::PermissionDenied));
  EXPECT_THAT(Run(*connector, "SELECT 1"), IsOk());
}

TEST_F(SessionTest, SaysThatTheSessionWasKilledUnderAQuery) {
  auto connector = Connect();
  std::jthread killer([this](const std::stop_token& quit) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any moment;
    moment.wait_for(lock, quit, milliseconds(200), [] { return false; });
    (void)database_->EndSessions();
  });
  EXPECT_THAT(Run(*connector, "SELECT sleep(60)"), IsError(ErrorKind::SourceUnreachable));
  EXPECT_TRUE(connector->IsBroken());
}

TEST_F(SessionTest, SendsNothingOverASessionThatTheServerEnded) {
  auto connector = Connect();
  EXPECT_FALSE(connector->IsBroken());
  ASSERT_THAT(database_->EndSessions(), IsOk());
  // The end arrives a little later than the answer of who made it.
  constexpr int kTriesMax = 1'000'000;
  for (int i = 0; i < kTriesMax && !connector->IsBroken(); ++i) std::this_thread::yield();
  EXPECT_TRUE(connector->IsBroken());
  const std::int64_t sent = connector->StatementsSent();
  EXPECT_THAT(connector->Ping(ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(Run(*connector, "SELECT 1"), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(connector->StatementsSent(), sent);
}

TEST_F(SessionTest, NeverConnectsPastItsDeadline) {
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, milliseconds(200));
  // 192.0.2.0/24 is kept for documents: nothing answers there, or the network says at once that it
  // is not reachable.
  const auto begin = std::chrono::steady_clock::now();
  const auto connector = engine_->Open({"mysql", "mysql://nobody@192.0.2.1/x", ""}, ctx);
  EXPECT_THAT(connector, ::testing::AnyOf(IsError(ErrorKind::DeadlineExceeded),
                                          IsError(ErrorKind::SourceUnreachable)));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(5000));
}

TEST_F(SessionTest, WorksOutOfItsModule) {
  Registry registry({}, {WARD_BINARY_DIR "/lib/schemaward"});
  const auto engine = registry.Find("mysql");
  ASSERT_THAT(engine, IsOk());
  auto connector = (*engine)->Open({"mysql", database_->uri(), ""}, ctx_);
  ASSERT_THAT(connector, IsOk());
  EXPECT_THAT((*connector)->Introspect({}, ctx_), IsOk());
  EXPECT_THAT((*engine)->Open({"mysql", "mysql://nobody@127.0.0.1:1/x", ""}, ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

}  // namespace
}  // namespace schemaward::connect::mysql
