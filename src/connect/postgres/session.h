#pragma once

// One session with one server: connects, sends statements in one flight, waits, cancels. The only
// file that drives libpq.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "connect/connector.h"
#include "connect/postgres/errors.h"
#include "connect/postgres/reply.h"
#include "connect/stop_signal.h"

struct pg_conn;

namespace schemaward::connect::postgres {

/// One statement of the extended protocol: it cannot hold a second one, and it is never given a
/// name, so that a pooler may hand each transaction to another server.
struct Statement {
  std::string sql;
  std::vector<std::optional<std::string>> parameters;  ///< as text; none is null
  /// Ends a segment: when a statement fails, those after it are skipped up to the segment's end.
  bool ends_segment = false;
  /// Takes rows one by one instead of keeping them; false means enough, and the statement is
  /// stopped. One a flight.
  std::function<bool(const Reply& row)> on_row;
};

/// What became of one statement. Skipped: neither a reply nor an error.
struct Answer {
  Reply reply;
  std::optional<Error> error;
};

/// Thread: owner. Never left in a transaction: a flight ends its own, else the session counts as
/// broken.
class Session {
 public:
  /// Connects by libpq's rules. Errors: SourceUnreachable, SourceAuthFailed, MissingCredential (the
  /// server asks for a password and there is none), PoolFull, EngineUnavailable (a server older
  /// than 12), Cancelled, DeadlineExceeded.
  static Result<std::unique_ptr<Session>> Open(const Target& target, CallContext& ctx);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Sends all statements at once and returns an answer for each. Nothing is sent twice, and
  /// nothing at all where the server has closed the session. Errors: SourceUnreachable when the
  /// connection breaks, Cancelled, DeadlineExceeded. What the engine says of a statement is in its
  /// Answer.
  /// time_max: how long the server may be silent about all of it; its own limits should end sooner.
  Result<std::vector<Answer>> Fly(std::vector<Statement> statements,
                                  std::chrono::milliseconds time_max, CallContext& ctx);

  /// 120000 is 12.0.
  int ServerVersion() const;
  /// True after a broken flight, and when the server has ended the session in the meantime.
  bool IsBroken();
  /// Statements sent so far.
  std::int64_t statements_sent() const { return statements_sent_; }

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  struct Wait;  // what one flight waits with

  explicit Session(pg_conn* connection) : connection_(connection) {}
  Status Connect(CallContext& ctx);
  Status Settle();
  Status Send(const std::vector<Statement>& statements);
  Result<std::vector<Answer>> Receive(const std::vector<Statement>& statements, Wait& wait);
  Status ReceiveOne(const Statement& statement, Answer& answer, Wait& wait);
  Result<ResultPtr> Next(Wait& wait);
  Status Stop(Wait& wait, StopCause cause);
  Error Break(std::string_view why);

  std::unique_ptr<pg_conn, Finish> connection_;
  bool broken_ = false;
  std::int64_t statements_sent_ = 0;
};

}  // namespace schemaward::connect::postgres
