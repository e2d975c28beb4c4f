// The session of a policy: the engine's own row security decides, by what is known of the caller.

#include <unistd.h>

#include "connect/conformance/conformance.h"
#include "connect/postgres/server_test.h"
#include "guard/guard.h"

namespace schemaward::connect::postgres {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class PolicySessionTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (database_ == nullptr) return;
    role_ = "ward_reader_" + std::to_string(getpid()) + "_" + std::to_string(GetParam());
    Given("DROP ROLE IF EXISTS " + role_ + "; CREATE ROLE " + role_ +
          "; CREATE TABLE public.orders (id int, tenant text);"
          "INSERT INTO public.orders VALUES (1, 'acme'), (2, 'acme'), (3, 'zenith');"
          "ALTER TABLE public.orders ENABLE ROW LEVEL SECURITY;"
          "CREATE POLICY own ON public.orders USING (tenant = current_setting('app.tenant', true));"
          "GRANT SELECT ON public.orders TO " +
          role_);
    connector_ = Connect();
    auto introspected = connector_->Introspect({}, ctx_);
    ASSERT_THAT(introspected, IsOk());
    tables_ = introspected->tables;
  }
  void TearDown() override {
    connector_.reset();
    if (database_ != nullptr)
      (void)database_->Execute("DROP OWNED BY " + role_ + "; DROP ROLE " + role_);
  }
  // Runs the statement as a caller with one claim.
  Result<QueryResult> As(const std::string& role, const std::string& tenant,
                         std::string_view sql = "SELECT id FROM orders ORDER BY id") {
    privacy::PolicyData data;
    data.everyone.session = privacy::Session{role, {{"app.tenant", "${claims.tenant}"}}};
    const guard::Guard guard{privacy::Policy(data)};
    Principal caller;
    if (!tenant.empty()) caller.claims["tenant"] = tenant;
    guard::TableList lookup(tables_);
    WARD_TRY(const guard::Approved approved,
             guard.ApproveText({sql, {}}, sql::Postgres(), lookup, caller, nullptr));
    return connector_->Query(approved, {}, ctx_);
  }

  std::string role_;
  std::unique_ptr<PostgresConnector> connector_;
  std::vector<catalog::Table> tables_;
};

TEST_P(PolicySessionTest, RowSecurityDecidesByTheCallersClaim) {
  const auto acme = As(role_, "acme"), zenith = As(role_, "zenith");
  ASSERT_THAT(acme, IsOk());
  ASSERT_THAT(zenith, IsOk());
  EXPECT_THAT(acme->rows, SizeIs(2));
  EXPECT_THAT(zenith->rows, SizeIs(1));
  EXPECT_EQ(Describe(zenith->rows[0][0]), "int:3");
}

TEST_P(PolicySessionTest, ACallerWithoutTheClaimIsRefusedAndNothingIsSent) {
  const auto sent = connector_->StatementsSent();
  EXPECT_THAT(As(role_, ""),
              IsError(ErrorKind::PolicyBlocked, HasSubstr("claims.tenant, which is not known")));
  EXPECT_EQ(connector_->StatementsSent(), sent);
}

TEST_P(PolicySessionTest, AClaimIsAValueAndNoText) {
  const auto odd = As(role_, "x'; SET ROLE none; --");
  ASSERT_THAT(odd, IsOk());
  EXPECT_THAT(odd->rows, SizeIs(0));
}

TEST_P(PolicySessionTest, NothingOfASessionIsLeftForTheNextCall) {
  ASSERT_THAT(As(role_, "acme"), IsOk());
  const auto who = Run(*connector_,
                       "SELECT current_user = session_user, "
                       "coalesce(current_setting('app.tenant', true), '')");
  ASSERT_THAT(who, IsOk());
  EXPECT_EQ(Describe(who->rows[0][0]), "bool:true");
  EXPECT_EQ(Describe(who->rows[0][1]), "text:");
}

TEST_P(PolicySessionTest, ARoleThatCannotBeTakenIsARefusalWithoutAnyRow) {
  EXPECT_THAT(As("ward_no_such_role", "acme"),
              IsError(ErrorKind::PermissionDenied,
                      "the database role or settings that the policy asks for cannot be set"));
  EXPECT_THAT(As(role_, "acme"), IsOk());  // the session goes on
}

TEST_P(PolicySessionTest, ARoleNamedNoneGivesNobodyTheLoginsOwn) {
  EXPECT_THAT(As("NONE", "acme"), IsError(ErrorKind::PolicyBlocked));
}

// One flight: a session costs statements, and no round trip.
TEST_P(PolicySessionTest, TravelsInTheFlightOfTheStatement) {
  ASSERT_THAT(As(role_, "acme"), IsOk());
  const auto before = connector_->StatementsSent();
  ASSERT_THAT(As(role_, "acme"), IsOk());
  EXPECT_EQ(connector_->StatementsSent() - before,
            6);  // begin, pins, setting, role, work, rollback
}

TEST_P(PolicySessionTest, AnExplainRunsUnderItToo) {
  EXPECT_THAT(As(role_, "acme", "EXPLAIN SELECT id FROM orders"), IsOk());
}

INSTANTIATE_TEST_SUITE_P(Versions, PolicySessionTest, ::testing::Values(12, 15, 17));

}  // namespace
}  // namespace schemaward::connect::postgres
