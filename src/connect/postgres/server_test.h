#pragma once

// Tests on each server that the environment names. For tests only.

#include <memory>
#include <string>

#include "base/result_matchers.h"
#include "connect/postgres/postgres.h"
#include "connect/postgres/test_server.h"

namespace schemaward::connect::postgres {

/// The parameter is the version: 12, 15 or 17. Each test has a database of its own.
class ServerTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    variable_ = "SCHEMAWARD_TEST_PG" + std::to_string(GetParam());
    database_ = TestDatabase::Make(variable_.c_str());
    if (database_ == nullptr) GTEST_SKIP() << variable_ << " is not set";
  }
  void Given(std::string_view sql) { ASSERT_THAT(database_->Execute(sql), IsOk()); }
  Result<std::unique_ptr<Connector>> Open(const std::string& uri, const std::string& secret = "") {
    return engine_->Open({"postgres", uri, secret}, ctx_);
  }
  /// Opens a session; a failure ends the test.
  std::unique_ptr<PostgresConnector> Connect() { return ConnectTo(database_->uri()); }
  std::unique_ptr<PostgresConnector> ConnectTo(const std::string& uri) {
    auto connector = Open(uri);
    if (!connector) throw std::runtime_error(connector.error().ToLogText());
    return std::unique_ptr<PostgresConnector>(
        static_cast<PostgresConnector*>(connector->release()));
  }
  /// Runs one statement in the state in which queries run.
  Result<QueryResult> Run(PostgresConnector& connector, std::string sql) {
    return connector.RunInReadOnlyState(std::move(sql), {}, ctx_);
  }

  std::string variable_;
  std::unique_ptr<TestDatabase> database_;
  std::unique_ptr<Engine> engine_ = MakeEngine();
  SystemClock clock_;
  CallContext ctx_{clock_};
};

}  // namespace schemaward::connect::postgres
