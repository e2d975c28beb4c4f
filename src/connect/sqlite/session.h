#pragma once

// One call's look at a database file: a transaction on a handle that is this call's alone, in which
// an authorizer denies what is not on a list. The file is never changed (handle.h).

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "connect/sqlite/handle.h"
#include "guard/approved.h"
#include "sqlite/sqlite.h"

namespace schemaward::connect::sqlite_engine {

/// Thread: one at a time. Lifetime: `ctx` outlives it.
class Session {
 public:
  /// Errors: SourceUnreachable when the file is not there or another program keeps it locked;
  /// PermissionDenied when it may not be read; InputUnreadable when it is no SQLite database or its
  /// schema cannot be read; Cancelled, DeadlineExceeded.
  static Result<Session> Open(const std::string& path, Mode mode,
                              std::chrono::milliseconds time_max, CallContext& ctx);
  /// The same on a handle that is open. Errors: as Open, but for those of opening.
  static Result<Session> Resume(Handle handle, std::chrono::milliseconds time_max,
                                CallContext& ctx);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) = delete;
  ~Session();

  /// From now on a statement that reads another table or column than these is refused: what SQLite
  /// itself finds must be what the guard found, in `reads` or `inside` (as Approved has them). What
  /// a view reads inside is not compared, since SQLite names all of its columns. Lifetime: both
  /// outlive the session. Errors: as Step.
  Status Expect(const std::vector<guard::TableRead>& reads,
                const std::vector<guard::TableRead>& inside);
  /// Sets what the statement must be planned with; the next session on the handle is without it.
  /// Errors: Internal for what SQLite does not have; as Step.
  Status Apply(const guard::DatabaseSession& wanted);
  /// The comparison of Expect with the program that SQLite made of `sql`, which was prepared
  /// before. Errors: PermissionDenied where it reads more.
  Status CheckProgram(std::string_view sql);

  /// Prepares one statement. Errors: as Step; NotARead when the text holds more than one statement
  /// or one that writes.
  Result<sqlite::Statement> Prepare(std::string_view sql);
  /// Moves to the next row. Errors: SqlRuntime, SourceUnreachable, InputUnreadable,
  /// PermissionDenied, StatementTimeout, Cancelled, DeadlineExceeded.
  Result<bool> Step(sqlite::Statement& statement);

  /// Errors: SourceUnreachable when the file was written while it was read as immutable: what was
  /// read may not fit together.
  Status Finish() const;

  /// Ends the transaction and gives the handle back, without lock, statement or callback; nothing
  /// where it must not be used again. Requires: no statement of the session is left; the session is
  /// not used after it.
  std::optional<Handle> Release();

  const FileState& file() const { return handle_.file; }
  bool is_immutable() const { return handle_.is_immutable; }
  std::int64_t statements() const { return statements_; }
  sqlite::Database& database() { return handle_.database; }

 private:
  struct Watch;
  Session(Handle handle, std::unique_ptr<Watch> watch);
  Status Begin();
  Error ErrorNow() const;

  std::unique_ptr<Watch> watch_;  // outlives the handle, which calls it back
  Handle handle_;
  std::int64_t statements_ = 0;
};

/// Takes the authorizer away, to show that the layers below it hold. For tests only.
void RemoveAuthorizerForTest(Session& session);

}  // namespace schemaward::connect::sqlite_engine
