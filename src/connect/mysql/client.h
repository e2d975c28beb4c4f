#pragma once

// One connection by libmariadb's non-blocking interface. The only file that drives the library.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "connect/mysql/location.h"
#include "connect/mysql/reply.h"
#include "connect/mysql/wait.h"
#include "sql/statement.h"

struct st_mysql;  // NOLINT(readability-identifier-naming): the library's own name

namespace schemaward::connect::mysql {

/// One statement, prepared and run with bound parameters: the protocol takes no second one.
struct Statement {
  std::string sql;
  std::vector<sql::Literal> parameters;
};

/// Takes a row; false means enough, and the statement is stopped.
using RowSink = std::function<bool(const std::vector<Field>& fields, Row row)>;

/// Readies the library; before the first connect, by one thread.
void StartLibrary();

/// Thread: owner. Errors of every call: those of the server, and SourceUnreachable, Cancelled,
/// DeadlineExceeded, StatementTimeout; after those that end the session is_broken() is true.
class Client {
 public:
  /// Connects without local files, second statements or automatic reconnects. Errors:
  /// MissingCredential, SourceAuthFailed, SourceUnreachable, PoolFull, Cancelled, DeadlineExceeded.
  static Result<std::unique_ptr<Client>> Connect(const Location& location,
                                                 const std::string& secret, Wait& wait);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Runs a statement of our own that gives no rows.
  Status Command(std::string_view sql, Wait& wait);
  /// Runs a statement and hands its rows to `sink`. Returns the columns. Errors: NotARead, before
  /// anything has run, for a statement that gives no columns: every kind but a read.
  Result<std::vector<Field>> Run(const Statement& statement, const RowSink& sink, Wait& wait);
  /// Takes back all that statements may have set, and ends their transaction.
  Status Reset(Wait& wait);
  Status Ping(Wait& wait);

  /// True where the server has ended the session meanwhile: between calls it has nothing else to
  /// say.
  bool HasHungUp() const;
  bool is_broken() const { return is_broken_; }
  void Break() { is_broken_ = true; }
  /// The server's number of this connection, as KILL takes it.
  std::uint64_t id() const;
  /// Commands sent since the connect.
  std::int64_t commands_sent() const { return commands_sent_; }

 private:
  struct Close {
    void operator()(st_mysql* connection) const;
  };
  class Prepared;

  Client();
  Status Configure(const Location& location);
  /// Runs one call of the library's non-blocking interface to its end.
  template <class Start, class Continue>
  void Drive(Start start, Continue proceed, Wait& wait);
  void GiveUp();
  Error Failure(Wait& wait);
  Error FailureOf(unsigned code, std::string_view text, Wait& wait);

  std::unique_ptr<st_mysql, Close> connection_;
  bool is_broken_ = false;
  std::int64_t commands_sent_ = 0;
};

}  // namespace schemaward::connect::mysql
