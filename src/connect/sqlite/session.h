#pragma once

// One look at a database file: a handle that is opened for one call, reads, and is closed. The file
// is never changed.
//
// Three layers stand in the way of a write: the file is opened read-only, the engine is told to
// refuse (query_only, defensive), and an authorizer denies what is not on a list. How the file is
// opened depends on its journal:
//   rollback journal                 read-only; SQLite's own locks.
//   WAL with a -wal and -shm beside   read-only; takes part in the WAL, so a live writer's commits
//   are seen. WAL without them                 nobody writes; opened immutable, since an ordinary
//   open would leave both files behind. WAL with a -wal, without -shm    a writer died or the file
//   was copied: an ordinary open makes a -shm; where the folder does not
//                                    allow that, immutable, and the call warns that the log's rows
//                                    are not seen.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "guard/approved.h"
#include "sqlite/sqlite.h"

namespace schemaward::connect::sqlite_engine {

/// What a session is for, which decides what the authorizer lets through. Header: the version of
/// the schema, without reading it. Introspect: the catalog's pragmas and reads. Query: SELECT on
/// tables and listed functions.
enum class Mode : std::uint8_t { Header, Introspect, Query };

/// What must not change while a file is read as immutable, and what tells one file from another.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t born_ns = 0;  ///< 0 where the file system does not say
  bool has_wal = false;      ///< a -wal file with something in it
  bool operator==(const FileState&) const = default;
};

/// Thread: one at a time. Lifetime: `ctx` outlives it.
class Session {
 public:
  /// Errors: SourceUnreachable when the file is not there or another program keeps it locked;
  /// PermissionDenied when it may not be read; InputUnreadable when it is no SQLite database or its
  /// schema cannot be read; Cancelled, DeadlineExceeded.
  static Result<Session> Open(const std::string& path, Mode mode,
                              std::chrono::milliseconds time_max, CallContext& ctx);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) = delete;
  ~Session();

  /// From now on a statement that reads another table or column than these is refused: what SQLite
  /// itself finds must be what the guard found, in `reads` or `inside` (as Approved has them). What
  /// a view reads inside is not compared, since SQLite names all of its columns. Lifetime: both
  /// outlive the session. Errors: as Step.
  Status Expect(const std::vector<guard::TableRead>& reads,
                const std::vector<guard::TableRead>& inside);
  /// The same comparison with the program that SQLite made of `sql`, which was prepared before.
  /// Errors: PermissionDenied where it reads more.
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

  const FileState& file() const { return file_; }
  bool is_immutable() const { return is_immutable_; }
  std::int64_t statements() const { return statements_; }
  sqlite::Database& database() { return database_; }

 private:
  struct Watch;
  Session(sqlite::Database database, std::unique_ptr<Watch> watch);
  Status Harden(Mode mode);
  Error ErrorNow() const;

  std::unique_ptr<Watch> watch_;  // outlives the handle, which calls it back
  sqlite::Database database_;
  std::string path_;
  FileState file_;
  bool is_immutable_ = false;
  std::int64_t statements_ = 0;
};

/// Takes the authorizer away, to show that the layers below it hold. For tests only.
void RemoveAuthorizerForTest(Session& session);

/// Returns the state of the file at `path`. Errors: SourceUnreachable, PermissionDenied,
/// InputUnreadable for a folder.
Result<FileState> StateOf(const std::string& path);

}  // namespace schemaward::connect::sqlite_engine
