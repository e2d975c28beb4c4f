#pragma once

// A test's own database on a real server. For tests only.

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "connect/mysql/location.h"

struct st_mysql;  // NOLINT(readability-identifier-naming): the library's own name

namespace schemaward::connect::mysql {

/// A database, and a user who may do everything in it and in the schema "Other", both made for one
/// test and dropped after it. Tests that use it run one after another, also those of other
/// processes. Not through our own session: what is tested must not be what tests.
class TestDatabase {
 public:
  /// Null where SCHEMAWARD_TEST_MARIADB is not set, as scripts/with_databases.sh sets it; throws
  /// where the server does not work.
  static std::unique_ptr<TestDatabase> Make();
  ~TestDatabase();
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  const std::string& name() const { return name_; }
  const std::string& user() const { return user_; }
  /// The URI of the database.
  std::string uri() const { return UriFor(user_, name_); }
  /// The same for another user, who may have a password in it, and another database or none.
  std::string UriFor(std::string_view user, std::string_view database) const;
  /// Runs statements in a session of their own, whose double quotes quote names, as a superuser.
  /// Errors: SqlRuntime.
  Status Execute(std::string_view sql) const;
  /// The first field of the first row. Errors: SqlRuntime.
  Result<std::string> Ask(const std::string& sql) const;
  /// Ends all sessions of the test's user.
  Status EndSessions() const;

 private:
  explicit TestDatabase(Location server);
  Status Prepare() const;
  Location server_;
  std::string name_, user_;
  std::unique_ptr<st_mysql, void (*)(st_mysql*)> holder_;  ///< holds the lock of the one that runs
};

/// Returns the text of a file of the checkout.
std::string ReadFile(const std::string& path);

}  // namespace schemaward::connect::mysql
