#pragma once

// One pinned, read-only session: begins, reads, stops and resets. What the library does is in
// client.h.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connect/connector.h"
#include "connect/mysql/client.h"
#include "connect/mysql/flavour.h"
#include "connect/mysql/location.h"

namespace schemaward::connect::mysql {

/// Thread: owner. Nothing is sent twice, and nothing at all where the server has ended the session.
class Session {
 public:
  /// Errors: as Client::Connect; EngineUnavailable for a server that is too old.
  static Result<std::unique_ptr<Session>> Open(const Target& target, CallContext& ctx);

  /// Runs a fixed statement of our own, outside of any transaction.
  Result<Reply> Ask(const Statement& statement, std::chrono::milliseconds time_max,
                    CallContext& ctx);
  /// Runs a statement in a transaction that only reads, and resets the session after it: nothing
  /// that it may have set or locked is left. Returns the columns.
  /// before: what a policy sets first; each setting is a user variable. Errors also:
  /// PermissionDenied where that cannot be set; then the statement has not run.
  Result<std::vector<Field>> Read(const Statement& statement, const guard::DatabaseSession& before,
                                  const RowSink& sink, std::chrono::milliseconds time_max,
                                  CallContext& ctx);
  Status Ping(CallContext& ctx);

  const ServerInfo& server() const { return server_; }
  /// True after a call that ended the session, and when the server has ended it meanwhile.
  bool IsBroken() const { return client_->is_broken() || client_->HasHungUp(); }
  std::int64_t commands_sent() const { return client_->commands_sent(); }

 private:
  Session(Location location, std::string secret, std::unique_ptr<Client> client)
      : location_(std::move(location)), secret_(std::move(secret)), client_(std::move(client)) {}
  Status Settle(CallContext& ctx);
  Status Start(CallContext& ctx);
  Wait WaitFor(const CallContext& ctx, std::chrono::milliseconds time_max);
  Status Kill(const CallContext& ctx);
  Status SetLimit(std::chrono::milliseconds time_max, Wait& wait);
  Status Set(const guard::DatabaseSession& before, Wait& wait);
  Status LeaveRole(Wait& wait);
  void Tidy(const CallContext& ctx);

  Location location_;
  std::string secret_;  // for the second connection that stops a statement
  std::unique_ptr<Client> client_;
  ServerInfo server_;
  std::chrono::milliseconds limit_{0};   // the server's own, as last set
  bool has_role_ = false;                // a policy's, to be left
  std::optional<std::string> own_role_;  // MariaDB's, before the first of a policy; empty: none
};

}  // namespace schemaward::connect::mysql
