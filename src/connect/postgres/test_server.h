#pragma once

// A test's own database on a real server. For tests only.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::connect::postgres {

/// A database that is made for one test and dropped after it. Not through our own session: what is
/// tested must not be what tests.
class TestDatabase {
 public:
  /// variable: holds the URI of a superuser, as scripts/with_databases.sh sets it. Null where it is
  /// not set; throws where the server does not work.
  static std::unique_ptr<TestDatabase> Make(const char* variable);
  ~TestDatabase();

  /// The URI of the database.
  const std::string& uri() const { return uri_; }
  /// The same for another user; `user` may hold a password, as in a URI.
  std::string UriFor(std::string_view user) const;
  /// Runs statements in a session of their own. Errors: SqlRuntime.
  Status Execute(std::string_view sql) const;
  /// The first field of the first row. Errors: SqlRuntime.
  Result<std::string> Ask(const std::string& sql) const;
  /// Drops the database and makes it anew.
  Status Reset() const;
  /// Ends all sessions in the database but the one that does so.
  Status EndSessions() const;

 private:
  TestDatabase(std::string server, std::string name);
  std::string server_;  ///< the URI of the server's first database
  std::string name_, uri_;
};

/// Returns the text of a file of the checkout.
std::string ReadFile(const std::string& path);

}  // namespace schemaward::connect::postgres
