// Helpers of the tests beside this file.

#include "connect/postgres/test_server.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <postgresql/libpq-fe.h>
#include <unistd.h>

namespace schemaward::connect::postgres {
namespace {

using ConnectionPtr = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using OwnedResult = std::unique_ptr<PGresult, decltype(&PQclear)>;

Result<std::string> RunOn(const std::string& uri, const std::string& sql) {
  const ConnectionPtr connection(PQconnectdb(uri.c_str()), PQfinish);
  PQsetNoticeReceiver(
      connection.get(), [](void*, const PGresult*) {}, nullptr);
  const OwnedResult result(PQexec(connection.get(), sql.c_str()), PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status == PGRES_TUPLES_OK)
    return std::string(PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "");
  if (status == PGRES_COMMAND_OK) return std::string();
  return std::move(Error(ErrorKind::SqlRuntime, "a test's own SQL failed")
                       .Private(PQerrorMessage(connection.get())));
}

}  // namespace

TestDatabase::TestDatabase(std::string server, std::string name)
    : server_(std::move(server)), name_(std::move(name)) {
  uri_ = server_.substr(0, server_.rfind('/') + 1) + name_;
}

std::unique_ptr<TestDatabase> TestDatabase::Make(const char* variable) {
  const char* server = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody writes
  if (server == nullptr || *server == '\0') return nullptr;
  std::unique_ptr<TestDatabase> database(
      new TestDatabase(server, "ward_test_" + std::to_string(getpid())));
  // A server that is named but does not work must not look like one that is not there.
  if (const Status ready = database->Reset(); !ready)
    throw std::runtime_error(ready.error().ToLogText());
  return database;
}

TestDatabase::~TestDatabase() {
  (void)EndSessions();
  (void)RunOn(server_, "DROP DATABASE IF EXISTS " + name_);
}

std::string TestDatabase::UriFor(std::string_view user) const {
  return "postgres://" + std::string(user) + uri_.substr(uri_.find('@'));
}

Status TestDatabase::Execute(std::string_view sql) const {
  WARD_CHECK(RunOn(uri_, std::string(sql)));
  return Ok();
}

Result<std::string> TestDatabase::Ask(const std::string& sql) const { return RunOn(uri_, sql); }

Status TestDatabase::EndSessions() const {
  WARD_CHECK(RunOn(
      server_, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '" +
                   name_ + "' AND pid <> pg_backend_pid()"));
  return Ok();
}

Status TestDatabase::Reset() const {
  WARD_CHECK(EndSessions());
  // A session that was told to end may need a moment.
  constexpr int kTriesMax = 50;
  auto dropped = RunOn(server_, "DROP DATABASE IF EXISTS " + name_);
  for (int i = 0; i < kTriesMax && !dropped; ++i)
    dropped = RunOn(server_, "DROP DATABASE IF EXISTS " + name_);
  WARD_CHECK(RunOn(server_, "CREATE DATABASE " + name_));
  return Ok();
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace schemaward::connect::postgres
