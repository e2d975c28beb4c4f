#pragma once

// One call's session with an open file: a connection of its own, and a watcher that interrupts the
// engine when the call must end.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "connect/connector.h"
#include "connect/duckdb/errors.h"
#include "connect/duckdb/instance.h"
#include "connect/duckdb/rows.h"
#include "sql/statement.h"

namespace schemaward::connect::duckdb {

/// Interrupts a connection, again and again, from the moment at which the call was given up or ran
/// out of time. Thread: made and destroyed by the call's; has one of its own.
class Watch {
 public:
  Watch(const Api& api, Connection connection, std::chrono::milliseconds time_max,
        CallContext& ctx);
  /// Why the call must end, if it must. Thread: any.
  std::optional<ErrorKind> MustStop() const;

 private:
  void Run(const std::stop_token& quit);

  const Api& api_;
  const Connection connection_;
  const CallContext& ctx_;
  const Deadline limit_;
  std::mutex mutex_;  // guards nothing: what waits is woken by stop requests
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the rest
};

/// A prepared statement and the types of its columns. Lifetime: of its session.
struct Statement {
  Owned<Prepared> prepared;
};

/// Thread: one at a time. Lifetime: `ctx` outlives it.
class Session {
 public:
  /// Errors: SourceUnreachable, Cancelled, DeadlineExceeded.
  static Result<std::unique_ptr<Session>> Open(Lease lease, Joins joins,
                                               std::chrono::milliseconds time_max,
                                               CallContext& ctx);

  /// Prepares one statement that is a SELECT, or an EXPLAIN where `is_explain`. Errors: NotARead
  /// when it is another; SourceUnreachable, here and below, where another call gave the file up;
  /// those of MakeError.
  Result<Statement> Prepare(std::string_view sql, During during, bool is_explain = false);
  Status Bind(Statement& statement, const std::vector<sql::Literal>& parameters);
  /// Runs up to the first row. Errors: StatementTimeout, Cancelled, DeadlineExceeded, and those of
  /// MakeError.
  Result<Rows> Execute(Statement& statement, During during);
  /// Returns the next piece, an empty owner at the end. Errors: as Execute.
  Result<Owned<Chunk>> Next(Rows& rows, During during);

  /// Runs `sql` as it stands, for tests of what the engine refuses.
  Status Attempt(const std::string& sql);

  const Api& api() const { return lease_->api(); }
  const Instance& instance() const { return *lease_; }
  std::int64_t statements() const { return statements_; }

 private:
  Session(Lease lease, Owned<Connection> connection, std::chrono::milliseconds time_max,
          CallContext& ctx);
  Status MayGoOn() const;
  Error ErrorOf(const char* text, During during);

  Lease lease_;
  Owned<Connection> connection_;
  Watch watch_;
  std::int64_t statements_ = 0;
};

}  // namespace schemaward::connect::duckdb
