// Connecting, stopping, breaking: on each version.

#include "connect/postgres/session.h"

#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "connect/conformance/conformance.h"
#include "connect/conformance/scripted_server.h"
#include "connect/postgres/server_test.h"
#include "connect/registry.h"
#include "connect/source_spec.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::connect::postgres {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class SessionTest : public ServerTest {
 protected:
  // A role that must give a password; roles are the cluster's, so its name is this test's own.
  void GivenRole() {
    role_ = "ward_login_" + std::to_string(getpid());
    Given("DROP ROLE IF EXISTS " + role_ + "; CREATE ROLE " + role_ +
          " LOGIN PASSWORD 'a b''c@d+e%[f]:g'");
  }
  void TearDown() override {
    if (database_ != nullptr && !role_.empty()) (void)database_->Execute("DROP ROLE " + role_);
  }
  std::string role_;
};

TEST_P(SessionTest, TakesThePasswordOutOfTheSource) {
  GivenRole();
  for (const char* const password : {":a%20b%27c%40d%2Be%25%5Bf%5D%3Ag", ":a%20b'c@d+e%25[f]:g"}) {
    const auto spec = ParseSource(database_->UriFor(role_ + password));
    ASSERT_THAT(spec, IsOk());
    EXPECT_THAT(spec->location, Not(HasSubstr("c@d")));
    EXPECT_THAT(Open(spec->location, spec->secret), IsOk()) << password;
  }
}

TEST_P(SessionTest, LetsTheClientFindThePasswordByItsOwnRules) {
  GivenRole();
  const std::string file = ::testing::TempDir() + "ward_client_" + std::to_string(getpid());
  std::ofstream(file) << "*:*:*:" << role_ << ":a b'c@d+e%[f]\\:g\n";
  chmod(file.c_str(), S_IRUSR | S_IWUSR);
  EXPECT_THAT(Open(database_->UriFor(role_) + "?passfile=" + file), IsOk());
  const std::string uri = database_->uri();
  const std::size_t host = uri.find('@') + 1, port = uri.find(':', host) + 1,
                    name = uri.find('/', port) + 1;
  std::ofstream(file) << "[ward]\nhost=" << uri.substr(host, port - host - 1)
                      << "\nport=" << uri.substr(port, name - port - 1)
                      << "\ndbname=" << uri.substr(name) << "\nuser=" << role_
                      << "\npassword=a b'c@d+e%[f]:g\n";
  setenv("PGSERVICEFILE", file.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread runs
  EXPECT_THAT(Open("service=ward"), IsOk());
  EXPECT_THAT(Open("service=no_such_service"), IsError(ErrorKind::SourceUnreachable));
  unsetenv("PGSERVICEFILE");  // NOLINT(concurrency-mt-unsafe): one thread runs
}

TEST_P(SessionTest, TellsAWrongPasswordFromAMissingOne) {
  GivenRole();
  const std::string uri = database_->UriFor(role_);
  const auto wrong = Open(uri, "wrong");
  ASSERT_THAT(wrong, IsError(ErrorKind::SourceAuthFailed, "the source refused the login"));
  EXPECT_THAT(wrong.error().ToLogText(), Not(HasSubstr("wrong\"")));
  EXPECT_THAT(Open(uri), IsError(ErrorKind::MissingCredential));
}

TEST_P(SessionTest, SaysThatTheDatabaseIsNotThere) {
  const std::string uri = database_->uri();
  EXPECT_THAT(Open(uri.substr(0, uri.rfind('/')) + "/no_such_database"),
              IsError(ErrorKind::SourceUnreachable, "the server has no such database"));
}

TEST_P(SessionTest, FollowsSslmode) {
  const char* authority =
      std::getenv((variable_ + "_CA").c_str());  // NOLINT(concurrency-mt-unsafe): nobody writes
  if (authority == nullptr) GTEST_SKIP() << variable_ << "_CA is not set";
  const auto is_encrypted = [this](const std::string& options) {
    const auto connector = ConnectTo(database_->uri() + options);
    const auto said =
        Run(*connector, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_catalog.pg_backend_pid()");
    return said && !said->rows.empty() ? Describe(said->rows[0][0]) : "nothing";
  };
  // The server's certificate is its own authority: what verifies must be told of it.
  EXPECT_EQ(is_encrypted(""), "bool:true");
  EXPECT_EQ(is_encrypted("?sslmode=require"), "bool:true");
  EXPECT_EQ(is_encrypted("?sslmode=disable"), "bool:false");
  EXPECT_EQ(is_encrypted(std::string("?sslmode=verify-full&sslrootcert=") + authority),
            "bool:true");
  EXPECT_THAT(Open(database_->uri() + "?sslmode=verify-full&sslrootcert=/no/such/file"),
              IsError(ErrorKind::SourceUnreachable));
}

TEST(PostgresSession, SaysNothingToAServerWithoutTheTlsThatSourceAsksFor) {
  const SystemClock clock;
  CallContext ctx(clock);
  for (const char* const mode : {"require", "verify-ca", "verify-full"}) {
    ScriptedServer server({{true, "N"}});
    EXPECT_THAT(MakeEngine()->Open({"postgres",
                                    "postgres://ann@127.0.0.1:" + std::to_string(server.port()) +
                                        "/shop?gssencmode=disable&sslmode=" + mode,
                                    "pw"},
                                   ctx),
                IsError(ErrorKind::SourceUnreachable))
        << mode;
    EXPECT_THAT(server.Heard(), Not(HasSubstr("ann"))) << mode;
  }
}

TEST(PostgresSession, SaysOfAServerThatIsTooOldWhatIsRead) {
  const SystemClock clock;
  CallContext ctx(clock);
  constexpr std::string_view kGreeting(
      "R\0\0\0\x08\0\0\0\0S\0\0\0\x19server_version\0"
      "11.22\0K\0\0\0\x0c\0\0\0\x01\0\0\0\x02"
      "Z\0\0\0\x05I",
      54);
  ScriptedServer server({{true, std::string(kGreeting)}});
  const auto opened =
      MakeEngine()->Open({"postgres",
                          "postgres://ann@127.0.0.1:" + std::to_string(server.port()) +
                              "/shop?gssencmode=disable&sslmode=disable",
                          ""},
                         ctx);
  ASSERT_THAT(opened,
              IsError(ErrorKind::EngineUnavailable, "the server is older than PostgreSQL 12"));
  EXPECT_THAT(opened.error().hint(), HasSubstr("12 to 17"));
}

TEST_P(SessionTest, CannotBeMadeToWrite) {
  Given("CREATE TABLE kept (x integer)");
  auto connector = Connect();
  // READ WRITE must be asked for before the first query, and that was ours.
  EXPECT_THAT(Run(*connector, "SET TRANSACTION READ WRITE"), IsError(ErrorKind::SqlRuntime));
  EXPECT_FALSE(Run(*connector, "SET transaction_read_only = off"));
  EXPECT_THAT(Run(*connector, "SELECT 1; DROP TABLE kept"), IsError(ErrorKind::SqlRuntime));
  EXPECT_THAT(Run(*connector, "DROP TABLE kept"), IsError(ErrorKind::NotARead));
  EXPECT_THAT(Run(*connector, "INSERT INTO public.kept VALUES (1)"), IsError(ErrorKind::NotARead));
  EXPECT_THAT(database_->Ask("SELECT count(*) FROM kept"), IsOkAnd("0"));
}

TEST_P(SessionTest, HoldsToItsOwnLimitsOfTimeWhateverTheLogins) {
  GivenRole();
  constexpr int kHasTransactionTimeout = 17;
  Given("ALTER ROLE " + role_ + " SET statement_timeout = '500ms'");
  if (GetParam() >= kHasTransactionTimeout)
    Given("ALTER ROLE " + role_ + " SET transaction_timeout = '500ms'");
  auto connector = Open(database_->UriFor(role_), "a b'c@d+e%[f]:g");
  ASSERT_THAT(connector, IsOk());
  EXPECT_THAT(static_cast<PostgresConnector&>(**connector)
                  .RunInReadOnlyState("SELECT pg_sleep(1)", {}, ctx_),
              IsOk());
}

TEST_P(SessionTest, LeavesNoStateBehind) {
  auto connector = Connect();
  for (const char* setting :
       {"SELECT set_config('default_transaction_read_only', 'off', false)",
        "SELECT set_config('statement_timeout', '0', false)", "SET SESSION search_path = public",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"})
    (void)Run(*connector, setting);
  const auto state =
      Run(*connector,
          "SELECT current_setting('search_path'), current_setting('statement_timeout'), "
          "current_setting('transaction_read_only'), current_setting('application_name')");
  ASSERT_THAT(state, IsOk());
  EXPECT_EQ(std::get<std::string>(state->rows[0][0]), "pg_catalog, pg_temp");
  EXPECT_EQ(std::get<std::string>(state->rows[0][1]), "30s");
  EXPECT_EQ(std::get<std::string>(state->rows[0][2]), "on");
  EXPECT_EQ(std::get<std::string>(state->rows[0][3]), "schemaward");
}

TEST_P(SessionTest, GoesOnAfterWhatWasStopped) {
  Given("CREATE TABLE numbers AS SELECT n FROM generate_series(1, 100000) AS n");
  auto connector = Connect();
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, milliseconds(200));
  EXPECT_THAT(connector->RunInReadOnlyState("SELECT pg_sleep(60)", {}, ctx),
              IsError(ErrorKind::DeadlineExceeded));
  EXPECT_FALSE(connector->IsBroken());
  const auto some =
      connector->RunInReadOnlyState("SELECT n FROM public.numbers", {.rows_max = 3}, ctx_);
  ASSERT_THAT(some, IsOk());
  EXPECT_THAT(some->rows, SizeIs(3));
  EXPECT_TRUE(some->truncated);
  EXPECT_FALSE(connector->IsBroken());
  EXPECT_THAT(
      connector->RunInReadOnlyState("SELECT pg_sleep(60)", {.time_max = milliseconds(100)}, ctx_),
      IsError(ErrorKind::StatementTimeout));
  EXPECT_FALSE(connector->IsBroken());
  EXPECT_THAT(Run(*connector, "SELECT 1/0"), IsError(ErrorKind::SqlRuntime));
  EXPECT_THAT(Run(*connector, "SELECT 1"), IsOk());
}

TEST_P(SessionTest, ExplainsAStatementWithParameters) {
  Given(
      "CREATE TABLE bound (i integer, t text); INSERT INTO bound SELECT n, 'x' FROM "
      "generate_series(1, 1000) n; ANALYZE");
  auto connector = Connect();
  const auto database = connector->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  sql::Select select = sql::SampleSelect("public", "bound", {"i"}, 10);
  select.where = sql::MakeBinary(
      "and", sql::MakeBinary("<", sql::MakeColumn("t", "i"), sql::MakeLiteral({std::int64_t{500}})),
      sql::MakeBinary("=", sql::MakeColumn("t", "t"), sql::MakeLiteral({std::string("it's")})));
  const auto approved =
      guard::Guard(privacy::Policy())
          .ApproveTree(select, connector->dialect(), database->tables, ctx_.principal);
  ASSERT_THAT(approved, IsOk());
  const auto plan = connector->Explain(*approved, ctx_);
  ASSERT_THAT(plan, IsOk());
  EXPECT_GT(plan->cost, 1);
  EXPECT_THAT(plan->text, HasSubstr("Seq Scan on bound"));
}

TEST_P(SessionTest, NamesTypesThatAreNotBuiltIn) {
  Given(
      "CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TABLE t (m mood, p numeric(7,2), x xml, r "
      "int4range)");
  auto connector = Connect();
  for (int i = 0; i < 2; ++i) {  // the second time from memory
    const auto result = Run(*connector, "SELECT m, p, x, r FROM public.t");
    ASSERT_THAT(result, IsOk());
    ASSERT_THAT(result->columns, SizeIs(4));
    EXPECT_EQ(result->columns[0].type, "public.mood");
    EXPECT_EQ(result->columns[1].type, "numeric(7,2)");
    EXPECT_EQ(result->columns[2].type, "xml");
    EXPECT_EQ(result->columns[3].type, "int4range");
  }
}

TEST_P(SessionTest, SaysWhatTheRoleMayNotRead) {
  GivenRole();
  Given("CREATE TABLE closed (x integer)");
  auto connector = Open(database_->UriFor(role_), "a b'c@d+e%[f]:g");
  ASSERT_THAT(connector, IsOk());
  auto& session = static_cast<PostgresConnector&>(**connector);
  EXPECT_THAT(Run(session, "SELECT x FROM public.closed"), IsError(ErrorKind::PermissionDenied));
  EXPECT_THAT(Run(session, "SELECT 1"), IsOk());
}

TEST_P(SessionTest, SaysThatTheBackendWasKilledUnderAQuery) {
  auto connector = Connect();
  std::jthread killer([this](const std::stop_token& quit) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any moment;
    moment.wait_for(lock, quit, milliseconds(200), [] { return false; });
    (void)database_->EndSessions();
  });
  EXPECT_THAT(Run(*connector, "SELECT pg_sleep(60)"), IsError(ErrorKind::SourceUnreachable));
  EXPECT_TRUE(connector->IsBroken());
}

TEST_P(SessionTest, SeesThatTheServerEndedAnIdleSession) {
  auto connector = Connect();
  EXPECT_FALSE(connector->IsBroken());
  ASSERT_THAT(database_->EndSessions(), IsOk());
  // The end arrives a little later than the answer of who made it.
  constexpr int kTriesMax = 100'000;
  for (int i = 0; i < kTriesMax && !connector->IsBroken(); ++i) std::this_thread::yield();
  EXPECT_TRUE(connector->IsBroken());
  const std::int64_t sent = connector->StatementsSent();
  EXPECT_THAT(connector->Ping(ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(connector->StatementsSent(), sent);
}

TEST_P(SessionTest, StopsWaitingForALockInTheEndOfItsTime) {
  Given("CREATE TABLE busy (x integer)");
  auto connector = Connect();
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, milliseconds(300));
  auto holder = Connect();
  std::jthread hold(
      [this] { (void)database_->Execute("BEGIN; LOCK TABLE busy; SELECT pg_sleep(1); COMMIT"); });
  while (database_
             ->Ask("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation "
                   "= 'busy'::regclass")
             .value_or("1") != "1")
    std::this_thread::yield();
  EXPECT_THAT(connector->RunInReadOnlyState("SELECT x FROM public.busy", {}, ctx),
              IsError(ErrorKind::DeadlineExceeded));
  EXPECT_THAT(connector->Introspect({}, ctx_), IsOk());  // the catalog is read all the same
}

TEST_P(SessionTest, NeverConnectsPastItsDeadline) {
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, milliseconds(200));
  // 192.0.2.0/24 is kept for documents: nothing answers there, or the network says at once that it
  // is not reachable.
  const auto begin = std::chrono::steady_clock::now();
  const auto connector = engine_->Open({"postgres", "postgres://nobody@192.0.2.1/x", ""}, ctx);
  EXPECT_THAT(connector, ::testing::AnyOf(IsError(ErrorKind::DeadlineExceeded),
                                          IsError(ErrorKind::SourceUnreachable)));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(5000));
}

TEST_P(SessionTest, WorksOutOfItsModule) {
  Registry registry({}, {WARD_BINARY_DIR "/lib/schemaward"});
  const auto engine = registry.Find("postgres");
  ASSERT_THAT(engine, IsOk());
  auto connector = (*engine)->Open({"postgres", database_->uri(), ""}, ctx_);
  ASSERT_THAT(connector, IsOk());
  EXPECT_THAT((*connector)->Introspect({}, ctx_), IsOk());
  EXPECT_THAT((*engine)->Open({"postgres", "postgres://nobody@127.0.0.1:1/x", ""}, ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

INSTANTIATE_TEST_SUITE_P(Postgres, SessionTest, ::testing::Values(12, 15, 17),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace schemaward::connect::postgres
