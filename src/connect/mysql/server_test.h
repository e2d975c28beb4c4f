#pragma once

// Tests on the server that the environment names. For tests only.

#include <memory>
#include <stdexcept>
#include <string>

#include "base/result_matchers.h"
#include "connect/mysql/mysql.h"
#include "connect/mysql/test_server.h"

namespace schemaward::connect::mysql {

/// Each test has a database of its own.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    database_ = TestDatabase::Make();
    if (database_ == nullptr) GTEST_SKIP() << "SCHEMAWARD_TEST_MARIADB is not set";
  }
  void Given(std::string_view sql) { ASSERT_THAT(database_->Execute(sql), IsOk()); }
  Result<std::unique_ptr<Connector>> Open(const std::string& uri, const std::string& secret = "") {
    return engine_->Open({"mysql", uri, secret}, ctx_);
  }
  /// Opens a session; a failure ends the test.
  std::unique_ptr<MySqlConnector> Connect() { return ConnectAs(database_->uri()); }
  std::unique_ptr<MySqlConnector> ConnectAs(const std::string& uri,
                                            const std::string& secret = "") {
    auto connector = Open(uri, secret);
    if (!connector) throw std::runtime_error(connector.error().ToLogText());
    return std::unique_ptr<MySqlConnector>(static_cast<MySqlConnector*>(connector->release()));
  }
  /// Runs one statement in the state in which queries run.
  Result<QueryResult> Run(MySqlConnector& connector, std::string sql) {
    return connector.RunInReadOnlyState(std::move(sql), {}, ctx_);
  }

  std::unique_ptr<TestDatabase> database_;
  std::unique_ptr<Engine> engine_ = MakeEngine();
  SystemClock clock_;
  CallContext ctx_{clock_};
};

}  // namespace schemaward::connect::mysql
