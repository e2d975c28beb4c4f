#include "connect/mysql/session.h"

#include <utility>

#include <fmt/format.h>

#include "sql/dialect.h"

namespace schemaward::connect::mysql {
namespace {

using std::chrono::milliseconds;

// What sessions are pinned to: the limit of most calls, which then need not set it.
constexpr milliseconds kUsualLimit = QueryLimits().time_max;
constexpr milliseconds kShortTimeMax{10'000};
// Our own patience stands behind the server's limit, so that it is the server that ends a
// statement: that costs no second connection.
constexpr milliseconds kPatience{2'000};
constexpr milliseconds kKillTimeMax{5'000};

}  // namespace

Result<std::unique_ptr<Session>> Session::Open(const Target& target, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(Location location, ReadLocation(target.location));
  Wait wait(ctx, Deadline::After(ctx.clock, location.connect_time_max), nullptr);
  WARD_TRY(std::unique_ptr<Client> client, Client::Connect(location, target.secret, wait));
  std::unique_ptr<Session> session(
      new Session(std::move(location), target.secret, std::move(client)));  // private constructor
  WARD_CHECK(session->Settle(ctx));
  return session;
}

Status Session::Settle(CallContext& ctx) {
  WARD_TRY(const Reply reply, Ask({std::string(kAskServer), {}}, kShortTimeMax, ctx));
  WARD_TRY(server_, ReadServer(reply));
  if (server_.flavour == Flavour::SingleStore) {
    WARD_TRY(const Reply own, Ask({std::string(kAskSingleStoreVersion), {}}, kShortTimeMax, ctx));
    if (own.rows.size() == 1 && own.rows[0].size() == 1)
      server_.version_text = own.rows[0][0].value_or(server_.version_text);
  }
  Wait wait = WaitFor(ctx, kShortTimeMax);
  limit_ = kUsualLimit;
  return client_->Command(PinStatement(server_, limit_), wait);
}

Wait Session::WaitFor(const CallContext& ctx, milliseconds time_max) {
  return {ctx, Deadline::After(ctx.clock, time_max), [this, &ctx] { return Kill(ctx); }};
}

Status Session::Start(CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  if (!IsBroken()) return Ok();
  client_->Break();
  constexpr unsigned kServerLost = 2013;
  return ErrorOfCode(kServerLost, "the server ended the session");
}

// On a second connection: this one's is busy with the statement.
Status Session::Kill(const CallContext& ctx) {
  const CallContext own(ctx.clock);  // the call's stop and deadline have come
  Wait wait(own, Deadline::After(ctx.clock, kKillTimeMax), nullptr);
  WARD_TRY(const std::unique_ptr<Client> other, Client::Connect(location_, secret_, wait));
  return other->Command(fmt::format("KILL QUERY {}", client_->id()), wait);
}

Status Session::SetLimit(milliseconds time_max, Wait& wait) {
  if (!server_.has_time_limit() || limit_ == time_max || limit_ == milliseconds(0)) return Ok();
  WARD_CHECK(client_->Command(LimitStatement(server_, time_max), wait));
  limit_ = time_max;
  return Ok();
}

Status Session::Ping(CallContext& ctx) {
  WARD_CHECK(Start(ctx));
  Wait wait(ctx, Deadline::After(ctx.clock, kShortTimeMax), nullptr);
  return client_->Ping(wait);
}

Result<Reply> Session::Ask(const Statement& statement, milliseconds time_max, CallContext& ctx) {
  WARD_CHECK(Start(ctx));
  Wait wait = WaitFor(ctx, time_max + kPatience);
  WARD_CHECK(SetLimit(time_max, wait));
  Reply reply;
  const auto keep = [&reply](const std::vector<Field>&, Row row) {
    reply.rows.push_back(std::move(row));
    return true;
  };
  WARD_TRY(reply.fields, client_->Run(statement, keep, wait));
  return reply;
}

// A role's name takes no placeholder: it is quoted as any identifier is. Values are bound.
Status Session::Set(const guard::DatabaseSession& before, Wait& wait) {
  if (before.IsEmpty()) return Ok();
  if (server_.flavour == Flavour::SingleStore || server_.flavour == Flavour::TiDb)
    return Error(ErrorKind::PolicyBlocked,
                 "the policy sets a role or settings, which this server is not known to keep");
  const RowSink ignore = [](const std::vector<Field>&, const Row&) { return true; };
  const auto set = [&]() -> Status {
    for (const auto& [name, value] : before.settings) {
      const Statement one{fmt::format("SELECT @{} := ?", sql::QuoteIdentifier(sql::MySql(), name)),
                          {sql::Literal{value}}};
      const auto answered = client_->Run(one, ignore, wait);
      if (!answered) return answered.error();
    }
    if (before.role.empty()) return Ok();
    has_role_ = true;
    if (server_.flavour == Flavour::MariaDb && !own_role_) {
      std::string own;
      const RowSink keep = [&own](const std::vector<Field>&, const Row& row) {
        own = row.empty() ? "" : row[0].value_or("");
        return true;
      };
      const auto answered = client_->Run({"SELECT CURRENT_ROLE()", {}}, keep, wait);
      if (!answered) return answered.error();
      own_role_ = own;
    }
    return client_->Command("SET ROLE " + sql::QuoteIdentifier(sql::MySql(), before.role), wait);
  };
  Status done = set();
  if (done || (done.error().kind() != ErrorKind::SqlRuntime &&
               done.error().kind() != ErrorKind::PermissionDenied))
    return done;
  Error failed(ErrorKind::PermissionDenied,
               "the database role or settings that the policy asks for cannot be set");
  failed.Hint("Grant the role to the connection's login, or change the policy's session.");
  failed.Private(done.error().private_detail());
  return failed;
}

Result<std::vector<Field>> Session::Read(const Statement& statement,
                                         const guard::DatabaseSession& before, const RowSink& sink,
                                         milliseconds time_max, CallContext& ctx) {
  WARD_CHECK(Start(ctx));
  Wait wait = WaitFor(ctx, time_max + kPatience);
  Status begun = SetLimit(time_max, wait);
  if (begun) begun = Set(before, wait);
  if (begun) begun = client_->Command(BeginStatement(server_), wait);
  Result<std::vector<Field>> fields = begun ? client_->Run(statement, sink, wait)
                                            : Result<std::vector<Field>>(std::move(begun).error());
  Tidy(ctx);
  return fields;
}

// MariaDB's reset keeps the role that was taken.
Status Session::LeaveRole(Wait& wait) {
  if (!std::exchange(has_role_, false)) return Ok();
  if (server_.flavour != Flavour::MariaDb) return client_->Command("SET ROLE DEFAULT", wait);
  if (!own_role_) return Error(ErrorKind::Internal, "the session's own role is not known");
  return client_->Command(own_role_->empty()
                              ? "SET ROLE NONE"
                              : "SET ROLE " + sql::QuoteIdentifier(sql::MySql(), *own_role_),
                          wait);
}

// The answer stands whatever becomes of the session: one that cannot be reset is not used again.
void Session::Tidy(const CallContext& ctx) {
  if (client_->is_broken()) return;
  const CallContext own(ctx.clock);
  Wait wait(own, Deadline::After(ctx.clock, kShortTimeMax), nullptr);
  limit_ = kUsualLimit;
  if (!client_->Reset(wait) || !client_->Command(PinStatement(server_, limit_), wait) ||
      !LeaveRole(wait))
    client_->Break();
}

}  // namespace schemaward::connect::mysql
