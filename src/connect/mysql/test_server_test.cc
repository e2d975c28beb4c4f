// Helpers of the tests beside this file.

#include "connect/mysql/test_server.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <mariadb/mysql.h>
#include <unistd.h>

namespace schemaward::connect::mysql {
namespace {

using ConnectionPtr = std::unique_ptr<MYSQL, void (*)(MYSQL*)>;

constexpr const char* kPin =
    "SET NAMES utf8mb4, @@session.sql_mode = 'ANSI_QUOTES', @@session.time_zone = '+00:00', "
    "@@session.max_recursive_iterations = 1000000";

Error Failed(MYSQL* connection) {
  return std::move(
      Error(ErrorKind::SqlRuntime, "a test's own SQL failed").Private(mysql_error(connection)));
}

// The first field of the last answer.
Result<std::string> RunOn(MYSQL* connection, std::string_view sql) {
  if (mysql_real_query(connection, sql.data(), sql.size()) != 0) return Failed(connection);
  std::string first;
  int more = 0;
  while (more == 0) {
    MYSQL_RES* const result = mysql_store_result(connection);
    if (result != nullptr) {
      const MYSQL_ROW row = mysql_fetch_row(result);
      first = row != nullptr && row[0] != nullptr ? row[0] : "";
      mysql_free_result(result);
    }
    more = mysql_next_result(connection);
  }
  if (more > 0) return Failed(connection);
  return first;
}

Result<ConnectionPtr> Connect(const Location& server, const char* database) {
  ConnectionPtr connection(mysql_init(nullptr), mysql_close);
  if (mysql_real_connect(connection.get(), server.host.c_str(), server.user.c_str(), "", database,
                         server.port, nullptr, CLIENT_MULTI_STATEMENTS) == nullptr)
    return Failed(connection.get());
  WARD_CHECK(RunOn(connection.get(), kPin));
  return connection;
}

}  // namespace

TestDatabase::TestDatabase(Location server)
    : server_(std::move(server)),
      name_(fmt::format("ward_test_{}", getpid())),
      user_(fmt::format("ward_user_{}", getpid())),
      holder_(nullptr, mysql_close) {}

std::unique_ptr<TestDatabase> TestDatabase::Make() {
  const char* uri = std::getenv("SCHEMAWARD_TEST_MARIADB");  // NOLINT(concurrency-mt-unsafe)
  if (uri == nullptr || *uri == '\0') return nullptr;
  auto server = ReadLocation(uri);
  if (!server) throw std::runtime_error(server.error().ToLogText());
  std::unique_ptr<TestDatabase> database(new TestDatabase(*std::move(server)));
  auto holder = Connect(database->server_, nullptr);
  // A server that is named but does not work must not look like one that is not there.
  if (!holder) throw std::runtime_error(holder.error().ToLogText());
  if (RunOn(holder->get(), "SELECT GET_LOCK('ward_test', 100)").value_or("") != "1")
    throw std::runtime_error("another test has the server");
  database->holder_ = std::move(*holder);
  if (const Status ready = database->Prepare(); !ready)
    throw std::runtime_error(ready.error().ToLogText());
  return database;
}

Status TestDatabase::Prepare() const {
  WARD_CHECK(RunOn(
      holder_.get(),
      fmt::format("DROP DATABASE IF EXISTS \"{0}\"; DROP DATABASE IF EXISTS \"Other\"; CREATE "
                  "DATABASE \"{0}\"; CREATE OR REPLACE USER '{1}'@'%'; GRANT ALL ON \"{0}\".* TO "
                  "'{1}'@'%'; GRANT ALL ON \"Other\".* TO '{1}'@'%'",
                  name_, user_)));
  return Ok();
}

TestDatabase::~TestDatabase() {
  if (holder_ == nullptr) return;  // the server did not answer: there is nothing to take away
  (void)EndSessions();
  (void)RunOn(holder_.get(),
              fmt::format("DROP DATABASE IF EXISTS \"{}\"; DROP DATABASE IF EXISTS \"Other\"; DROP "
                          "USER '{}'@'%'",
                          name_, user_));
}

std::string TestDatabase::UriFor(std::string_view user, std::string_view database) const {
  return fmt::format("mysql://{}@{}:{}/{}", user, server_.host, server_.port, database);
}

Status TestDatabase::Execute(std::string_view sql) const {
  WARD_TRY(const ConnectionPtr connection, Connect(server_, name_.c_str()));
  WARD_CHECK(RunOn(connection.get(), sql));
  return Ok();
}

Result<std::string> TestDatabase::Ask(const std::string& sql) const {
  WARD_TRY(const ConnectionPtr connection, Connect(server_, name_.c_str()));
  return RunOn(connection.get(), sql);
}

Status TestDatabase::EndSessions() const {
  WARD_CHECK(RunOn(holder_.get(), fmt::format("KILL USER '{}'", user_)));
  return Ok();
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace schemaward::connect::mysql
