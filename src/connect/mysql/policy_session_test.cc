// The session of a policy on MariaDB: a role and user variables, gone after the call.

#include <unistd.h>

#include "connect/conformance/conformance.h"
#include "connect/mysql/server_test.h"
#include "guard/guard.h"
#include "sql/dialect.h"

namespace schemaward::connect::mysql {
namespace {

using ::testing::SizeIs;

class PolicySessionTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (database_ == nullptr) return;
    role_ = "ward_role_" + std::to_string(getpid());
    Given("CREATE OR REPLACE ROLE " + role_);
    Given("CREATE TABLE \"" + database_->name() + "\".orders (id int, tenant varchar(20))");
    Given("INSERT INTO \"" + database_->name() + "\".orders VALUES (1, 'acme'), (2, 'zenith')");
    Given("CREATE FUNCTION \"" + database_->name() +
          "\".tenant() RETURNS varchar(20) READS SQL DATA RETURN @\"app.tenant\"");
    Given("CREATE SQL SECURITY DEFINER VIEW \"" + database_->name() +
          "\".own_orders AS SELECT id FROM \"" + database_->name() + "\".orders WHERE tenant = \"" +
          database_->name() + "\".tenant()");
    Given("GRANT SELECT ON \"" + database_->name() + "\".* TO " + role_);
    Given("GRANT " + role_ + " TO '" + database_->user() + "'@'%'");
    connector_ = Connect();
  }
  void TearDown() override {
    connector_.reset();
    if (database_ != nullptr) (void)database_->Execute("DROP ROLE " + role_);
  }
  Result<QueryResult> As(const std::string& role, const std::string& tenant, std::string_view sql) {
    privacy::PolicyData data;
    data.everyone.session = privacy::Session{role, {{"app.tenant", "${claims.tenant}"}}};
    const guard::Guard guard{privacy::Policy(data)};
    Principal caller;
    caller.claims["tenant"] = tenant;
    catalog::Table view;
    view.schema = database_->name();
    view.name = "own_orders";
    catalog::Column id;
    id.name = "id";
    id.type = "int";
    view.columns.push_back(id);
    const std::vector<catalog::Table> tables = {view};
    guard::TableList lookup(tables);
    WARD_TRY(const guard::Approved approved,
             guard.ApproveText({sql, {}}, sql::MySql(), lookup, caller, nullptr));
    return connector_->Query(approved, {}, ctx_);
  }
  std::string Ask(std::string sql) {
    const auto result = Run(*connector_, std::move(sql));
    return result && !result->rows.empty() ? Describe(result->rows[0][0]) : "nothing";
  }

  std::string role_;
  std::unique_ptr<MySqlConnector> connector_;
};

TEST_F(PolicySessionTest, AViewDecidesByTheCallersClaim) {
  const auto acme = As(role_, "acme", "SELECT id FROM own_orders");
  const auto zenith = As(role_, "zenith", "SELECT id FROM own_orders");
  ASSERT_THAT(acme, IsOk());
  ASSERT_THAT(zenith, IsOk());
  ASSERT_THAT(acme->rows, SizeIs(1));
  ASSERT_THAT(zenith->rows, SizeIs(1));
  EXPECT_EQ(Describe(acme->rows[0][0]), "int:1");
  EXPECT_EQ(Describe(zenith->rows[0][0]), "int:2");
}

TEST_F(PolicySessionTest, NothingOfASessionIsLeftForTheNextCall) {
  ASSERT_THAT(As(role_, "acme", "SELECT id FROM own_orders"), IsOk());
  EXPECT_EQ(Ask("SELECT current_role() IS NULL"), "int:1");
  EXPECT_EQ(Ask("SELECT @`app.tenant` IS NULL"), "int:1");
}

TEST_F(PolicySessionTest, AClaimIsAValueAndNoText) {
  const auto odd = As(role_, "x' OR '1'='1", "SELECT id FROM own_orders");
  ASSERT_THAT(odd, IsOk());
  EXPECT_THAT(odd->rows, SizeIs(0));
}

TEST_F(PolicySessionTest, ARoleThatCannotBeTakenIsARefusalWithoutAnyRow) {
  EXPECT_THAT(As("ward_no_such_role", "acme", "SELECT id FROM own_orders"),
              IsError(ErrorKind::PermissionDenied,
                      "the database role or settings that the policy asks for cannot be set"));
}

}  // namespace
}  // namespace schemaward::connect::mysql
