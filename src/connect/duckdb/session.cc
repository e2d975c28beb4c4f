#include "connect/duckdb/session.h"

#include <algorithm>
#include <utility>

namespace schemaward::connect::duckdb {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookEvery{50};  // a stop request wakes the watcher by this time
constexpr milliseconds kInterruptEvery{10};
constexpr milliseconds kPauseMin{1};

Error StoppedBy(ErrorKind reason) {
  switch (reason) {
    case ErrorKind::Cancelled:
      return {reason, "the call was cancelled"};
    case ErrorKind::DeadlineExceeded:
      return {reason, "the call ran out of time"};
    default:
      return {reason, "the statement ran into its time limit"};
  }
}

}  // namespace

Watch::Watch(const Api& api, Connection connection, milliseconds time_max, CallContext& ctx)
    : api_(api),
      connection_(connection),
      ctx_(ctx),
      limit_(Deadline::After(ctx.clock, time_max)),
      thread_([this](const std::stop_token& quit) { Run(quit); }) {}

std::optional<ErrorKind> Watch::MustStop() const {
  if (auto check = ctx_.Check(); !check) return check.error().kind();
  if (limit_.HasPassed(ctx_.clock)) return ErrorKind::StatementTimeout;
  return std::nullopt;
}

// An interrupt between two statements is lost, so it is repeated until the call has ended.
void Watch::Run(const std::stop_token& quit) {
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  while (!quit.stop_requested()) {
    if (MustStop()) {
      api_.interrupt(connection_);
      wake_.wait_for(lock, quit, kInterruptEvery, never);
      continue;
    }
    const milliseconds left = limit_.Earlier(ctx_.deadline).Left(ctx_.clock, kLookEvery);
    wake_.wait_for(lock, quit, std::max(left, kPauseMin), never);
  }
}

Session::Session(Lease lease, Owned<Connection> connection, milliseconds time_max, CallContext& ctx)
    : lease_(std::move(lease)),
      connection_(std::move(connection)),
      watch_(lease_->api(), connection_.get(), time_max, ctx) {}

Result<std::unique_ptr<Session>> Session::Open(Lease lease, Joins joins, milliseconds time_max,
                                               CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(Owned<Connection> connection, lease->Connect(joins));
  return std::unique_ptr<Session>(
      new Session(std::move(lease), std::move(connection), time_max, ctx));
}

Status Session::MayGoOn() const {
  if (const auto reason = watch_.MustStop()) return StoppedBy(*reason);
  if (!lease_->IsBroken()) return Ok();
  return std::move(
      Error(ErrorKind::SourceUnreachable, "the database file must be opened again")
          .Detail("Another call found that the file had changed, or that the engine gave it up.")
          .Hint("Send the call again."));
}

Error Session::ErrorOf(const char* text, During during) {
  const std::string_view said = text == nullptr ? "" : text;
  if (const auto reason = watch_.MustStop()) return StoppedBy(*reason);
  if (IsFatal(said)) lease_->MarkBroken();
  return MakeError(said, during);
}

Result<Statement> Session::Prepare(std::string_view sql, During during, bool is_explain) {
  WARD_CHECK(MayGoOn());
  if (sql.find('\0') != std::string_view::npos)
    return Error(ErrorKind::NotARead, "the statement holds a zero byte");
  ++statements_;
  Prepared raw = nullptr;
  const State state = api().prepare(connection_.get(), std::string(sql).c_str(), &raw);
  Statement statement{Owned<Prepared>(raw, api().destroy_prepare)};
  if (state != State::Success) return ErrorOf(api().prepare_error(raw), during);
  const StatementType wanted = is_explain ? StatementType::Explain : StatementType::Select;
  if (api().prepared_statement_type(raw) != wanted)
    return Error(ErrorKind::NotARead, "the statement is not a SELECT");
  return statement;
}

Status Session::Bind(Statement& statement, const std::vector<sql::Literal>& parameters) {
  Prepared raw = statement.prepared.get();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::uint64_t at = i + 1;
    const auto& value = parameters[i].value;
    State state = State::Success;
    if (const auto* flag = std::get_if<bool>(&value))
      state = api().bind_boolean(raw, at, *flag);
    else if (const auto* integer = std::get_if<std::int64_t>(&value))
      state = api().bind_int64(raw, at, *integer);
    else if (const auto* number = std::get_if<double>(&value))
      state = api().bind_double(raw, at, *number);
    else if (const auto* text = std::get_if<std::string>(&value))
      state = api().bind_varchar_length(raw, at, text->data(), text->size());
    else
      state = api().bind_null(raw, at);
    if (state != State::Success) return ErrorOf(api().prepare_error(raw), During::Query);
  }
  return Ok();
}

Result<Rows> Session::Execute(Statement& statement, During during) {
  WARD_CHECK(MayGoOn());
  const auto pending_of = api().pending_prepared_streaming != nullptr
                              ? api().pending_prepared_streaming
                              : api().pending_prepared;
  Pending raw = nullptr;
  const State begun = pending_of(statement.prepared.get(), &raw);
  const Owned<Pending> pending(raw, api().destroy_pending);
  if (begun != State::Success)
    return ErrorOf(raw == nullptr ? "" : api().pending_error(raw), during);
  RawResult result{};
  const State done = api().execute_pending(raw, &result);
  Rows rows(api(), result);
  if (done != State::Success) return ErrorOf(api().result_error(&rows.raw()), during);
  return rows;
}

Result<Owned<Chunk>> Session::Next(Rows& rows, During during) {
  WARD_CHECK(MayGoOn());
  Owned<Chunk> chunk(api().fetch_chunk(rows.raw()), api().destroy_data_chunk);
  if (!chunk)
    if (const char* text = api().result_error(&rows.raw()); text != nullptr && *text != '\0')
      return ErrorOf(text, during);
  WARD_CHECK(MayGoOn());  // what was read of a file that changed is no answer
  return chunk;
}

Status Session::Attempt(const std::string& sql) {
  RawResult raw{};
  const State state = api().query(connection_.get(), sql.c_str(), &raw);
  Rows rows(api(), raw);
  if (state == State::Success) return Ok();
  return ErrorOf(api().result_error(&rows.raw()), During::Query);
}

}  // namespace schemaward::connect::duckdb
