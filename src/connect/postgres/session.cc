#include "connect/postgres/session.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include <postgresql/libpq-fe.h>

namespace schemaward::connect::postgres {
namespace {

constexpr int kServerVersionMin = 120000;
constexpr std::chrono::milliseconds kConnectTimeMax{10'000};
// How long a server may take to obey a cancel before the connection is given up.
constexpr std::chrono::milliseconds kCancelGrace{5'000};
// Notices peers that are gone, also while PQcancel connects anew.
constexpr const char* kTcpUserTimeoutMs = "10000";

void IgnoreNotice(void*, const PGresult*) {}

// Later keywords win: what stands before dbname can be changed by SOURCE, what stands after it
// cannot.
PGconn* Start(const Target& target) {
  std::vector<const char*> keys = {"fallback_application_name", "tcp_user_timeout", "dbname",
                                   "client_encoding"};
  std::vector<const char*> values = {"schemaward", kTcpUserTimeoutMs, target.location.c_str(),
                                     "UTF8"};
  if (!target.secret.empty()) {
    keys.push_back("password");
    values.push_back(target.secret.c_str());
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  return PQconnectStartParams(keys.data(), values.data(), 1);
}

// libpq's own connect_timeout is not looked at by its non-blocking interface.
std::chrono::milliseconds ConnectTimeMax(PGconn* connection) {
  constexpr int kMillis = 1000, kSecondsLeast = 2;  // less than 2 s is rounded up, as libpq does
  auto longest = kConnectTimeMax;
  PQconninfoOption* options = PQconninfo(connection);
  for (const PQconninfoOption* option = options; option != nullptr && option->keyword != nullptr;
       ++option) {
    if (std::string_view(option->keyword) != "connect_timeout" || option->val == nullptr) continue;
    int seconds = 0;
    std::from_chars(option->val, option->val + std::strlen(option->val), seconds);
    if (seconds > 0)
      longest = std::chrono::milliseconds(std::max(seconds, kSecondsLeast) * kMillis);
  }
  PQconninfoFree(options);
  return longest;
}

// PQcancel waits for the server to hang up and cannot be interrupted: where the network has fallen
// silent it does not come back. So it has a thread of its own, which owns all it uses and is left
// alone once the grace is over. Returns why it failed; empty: the server has been told.
std::string CancelWithin(PGconn* connection, std::chrono::milliseconds grace) {
  using Cancel = std::unique_ptr<PGcancel, void (*)(PGcancel*)>;
  Cancel cancel(PQgetCancel(connection), PQfreeCancel);
  if (cancel == nullptr) return "nothing to cancel";
  std::promise<std::string> told;
  std::future<std::string> answer = told.get_future();
  try {
    std::thread([cancel = std::move(cancel), told = std::move(told)]() mutable {
      std::array<char, 256> why{};
      const bool is_told = PQcancel(cancel.get(), why.data(), static_cast<int>(why.size())) == 1;
      told.set_value(is_told ? "" : std::string("cannot cancel: ") + why.data());
    }).detach();
  } catch (const std::system_error& e) {
    return e.what();
  }
  if (answer.wait_for(grace) != std::future_status::ready) return "no answer to a cancel in time";
  return answer.get();
}

// libpq itself gives no state for a connection that it lost; FATAL ends the session.
Error FailureOf(const PGresult* result, StopCause cause) {
  const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char* const text = PQresultErrorMessage(result);
  if (state == nullptr) return ErrorOfState("08006", text, cause);
  const bool goes_on = severity != nullptr && std::string_view(severity) == "ERROR";
  return goes_on ? ErrorOfStatement(state, text, cause) : ErrorOfState(state, text, cause);
}

StopCause CauseOf(Wake wake) {
  return wake == Wake::Cancelled ? StopCause::Cancelled : StopCause::Deadline;
}

}  // namespace

// A flight waits by its call's rules until it is stopped; then only for the server to obey.
struct Session::Wait {
  Wait(const CallContext& the_ctx, Deadline the_until)
      : ctx(the_ctx),
        signal(the_ctx),
        drain_ctx(the_ctx.clock),
        drain(drain_ctx),
        until(the_until) {}
  const CallContext& ctx;
  StopSignal signal;
  CallContext drain_ctx;  // without stop and deadline
  StopSignal drain;
  bool stopped = false;
  Deadline until;
  StopCause cause = StopCause::None;

  Wake For(int socket, bool to_write) {
    return (stopped ? drain : signal).WaitFor(socket, to_write, until);
  }
};

void Session::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

Session::~Session() = default;

int Session::ServerVersion() const { return PQserverVersion(connection_.get()); }

Error Session::Break(std::string_view why) {
  broken_ = true;
  return ErrorOfState("08006", std::string(why) + ": " + PQerrorMessage(connection_.get()));
}

Result<std::unique_ptr<Session>> Session::Open(const Target& target, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  PGconn* connection = Start(target);
  if (connection == nullptr) return Error(ErrorKind::Internal, "no memory for a connection");
  std::unique_ptr<Session> session(new Session(connection));  // the constructor is private
  WARD_CHECK(session->Connect(ctx));
  WARD_CHECK(session->Settle());
  return session;
}

// Thread: PQconnectStart resolves host names in the system's resolver, which cannot be interrupted.
Status Session::Connect(CallContext& ctx) {
  PGconn* connection = connection_.get();
  PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
  // Before the login: what the server notes of it would else be printed to standard error.
  PQsetNoticeReceiver(connection, IgnoreNotice, nullptr);
  StopSignal signal(ctx);
  const Deadline until = Deadline::After(ctx.clock, ConnectTimeMax(connection));
  PostgresPollingStatusType state =
      PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
    const Wake wake = signal.WaitFor(PQsocket(connection), state == PGRES_POLLING_WRITING, until);
    if (wake == Wake::TimedOut)
      return ErrorOfConnect("no answer in time " + std::string(PQerrorMessage(connection)), false);
    if (wake != Wake::Ready) return ErrorOfState("", "while connecting", CauseOf(wake));
    state = PQconnectPoll(connection);
  }
  if (state == PGRES_POLLING_OK) return Ok();
  return ErrorOfConnect(PQerrorMessage(connection), PQconnectionNeedsPassword(connection) != 0);
}

Status Session::Settle() {
  PGconn* connection = connection_.get();
  if (ServerVersion() < kServerVersionMin)
    return std::move(Error(ErrorKind::EngineUnavailable, "the server is older than PostgreSQL 12")
                         .Hint("PostgreSQL 12 to 17 are supported."));
  if (PQsetnonblocking(connection, 1) != 0 || PQenterPipelineMode(connection) != 1)
    return Break("no pipeline");
  broken_ = false;
  return Ok();
}

// Between flights the server has nothing to say but that it ends the session.
bool Session::IsBroken() {
  PGconn* connection = connection_.get();
  broken_ = broken_ || PQconsumeInput(connection) != 1 || PQstatus(connection) != CONNECTION_OK;
  return broken_;
}

Result<std::vector<Answer>> Session::Fly(std::vector<Statement> statements,
                                         std::chrono::milliseconds time_max, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  if (IsBroken()) return Break("the server ended the session");
  if (statements.empty()) return std::vector<Answer>();
  statements.back().ends_segment = true;
  WARD_CHECK(Send(statements));
  Wait wait(ctx, Deadline::After(ctx.clock, time_max));
  auto answers = Receive(statements, wait);
  broken_ = broken_ || PQtransactionStatus(connection_.get()) != PQTRANS_IDLE;
  // Whatever became of the connection meanwhile, the caller hears why it was stopped.
  if (wait.cause != StopCause::None)
    return ErrorOfState("57014", answers ? "stopped by us" : answers.error().private_detail(),
                        wait.cause);
  return answers;
}

Status Session::Send(const std::vector<Statement>& statements) {
  PGconn* connection = connection_.get();
  for (const Statement& statement : statements) {
    std::vector<const char*> values;
    values.reserve(statement.parameters.size());
    for (const auto& parameter : statement.parameters)
      values.push_back(parameter ? parameter->c_str() : nullptr);
    if (PQsendQueryParams(connection, statement.sql.c_str(), static_cast<int>(values.size()),
                          nullptr, values.data(), nullptr, nullptr, 0) != 1)
      return Break("cannot send");
    ++statements_sent_;
    if (statement.ends_segment && PQpipelineSync(connection) != 1) return Break("cannot sync");
  }
  return Ok();
}

// Stops what the server runs for this session. The answers are still read, so that the session can
// go on.
Status Session::Stop(Wait& wait, StopCause cause) {
  wait.stopped = true;
  wait.cause = cause;
  if (const std::string why = CancelWithin(connection_.get(), kCancelGrace); !why.empty())
    return Break(why);
  wait.until = Deadline::After(wait.ctx.clock, kCancelGrace);
  return Ok();
}

// The next result; null where a statement's results end.
Result<ResultPtr> Session::Next(Wait& wait) {
  PGconn* connection = connection_.get();
  while (true) {
    const int unsent = PQflush(connection);
    if (unsent < 0) return Break("cannot flush");
    if (unsent == 0 && PQisBusy(connection) == 0) return ResultPtr(PQgetResult(connection));
    const Wake wake = wait.For(PQsocket(connection), unsent > 0);
    if (wake == Wake::TimedOut) return Break("no answer in time");
    if (wake != Wake::Ready) {
      WARD_CHECK(Stop(wait, CauseOf(wake)));
    } else if (PQconsumeInput(connection) != 1) {
      return Break("cannot read");
    }
  }
}

Status Session::ReceiveOne(const Statement& statement, Answer& answer, Wait& wait) {
  // A statement that is skipped, since one before it failed, has no rows to take one by one.
  const bool is_skipped = PQpipelineStatus(connection_.get()) == PQ_PIPELINE_ABORTED;
  if (statement.on_row && !is_skipped && PQsetSingleRowMode(connection_.get()) != 1)
    return Break("no single rows");
  while (true) {
    WARD_TRY(ResultPtr result, Next(wait));
    if (result == nullptr) return Ok();
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_SINGLE_TUPLE) {
      if (!wait.stopped && !statement.on_row(Reply(std::move(result))))
        WARD_CHECK(Stop(wait, StopCause::None));
    } else if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      answer.reply = Reply(std::move(result));
    } else if (status == PGRES_FATAL_ERROR &&
               !(statement.on_row && wait.stopped && wait.cause == StopCause::None)) {
      answer.error = FailureOf(result.get(), wait.cause);
    } else if (status == PGRES_COPY_OUT || status == PGRES_COPY_IN || status == PGRES_COPY_BOTH) {
      return Break("COPY is not a read");
    }
    if (PQstatus(connection_.get()) == CONNECTION_BAD) return Break("connection lost");
  }
}

Result<std::vector<Answer>> Session::Receive(const std::vector<Statement>& statements, Wait& wait) {
  std::vector<Answer> answers(statements.size());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    WARD_CHECK(ReceiveOne(statements[i], answers[i], wait));
    if (!statements[i].ends_segment) continue;
    WARD_TRY(const ResultPtr sync, Next(wait));
    if (sync == nullptr || PQresultStatus(sync.get()) != PGRES_PIPELINE_SYNC)
      return Break("out of step");
  }
  return answers;
}

}  // namespace schemaward::connect::postgres
