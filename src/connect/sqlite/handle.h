#pragma once

// An open database file. The file is never changed: it is opened read-only, and the engine is told
// to refuse (defensive, trusted_schema off, bounds); a session adds query_only and the authorizer.
// How it is opened depends on its journal:
//   rollback journal                 read-only; SQLite's own locks.
//   WAL with a -wal and -shm beside  read-only; takes part in the WAL, so a live writer's commits
//                                    are seen.
//   WAL without them                 nobody writes; opened immutable, since an ordinary open would
//                                    leave both files behind.
//   WAL with a -wal, without -shm    a writer died or the file was copied: an ordinary open makes a
//                                    -shm; where the folder does not allow that, immutable, and the
//                                    call warns that the log's rows are not seen.

#include <cstdint>
#include <string>

#include "base/call_context.h"
#include "base/result.h"
#include "sqlite/sqlite.h"

namespace schemaward::connect::sqlite_engine {

/// What a session is for, which decides what the authorizer lets through. Header: the version of
/// the schema, without reading it. Introspect: the catalog's pragmas and reads. Query: SELECT on
/// tables and listed functions.
enum class Mode : std::uint8_t { Header, Introspect, Query };

/// What must not change while a file is read as immutable, and what tells one file, and one state
/// of it, from another.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size_bytes = 0;
  std::int64_t modified_ns = 0;  ///< anyone may set it back
  std::int64_t changed_ns = 0;   ///< the file system's own: of contents, names and rights
  std::int64_t born_ns = 0;      ///< 0 where the file system does not say
  bool has_wal = false;          ///< a -wal file with something in it
  bool operator==(const FileState&) const = default;
};

/// Returns the state of the file at `path`. Errors: SourceUnreachable, PermissionDenied,
/// InputUnreadable for a folder.
Result<FileState> StateOf(const std::string& path);

/// A file that is open and hardened for a mode, in no transaction. Thread: one at a time.
struct Handle {
  sqlite::Database database;
  std::string path;
  FileState file;  ///< from before it was opened
  Mode mode = Mode::Query;
  bool is_immutable = false;
  /// False where an idle handle would be in a writer's way (it takes part in a WAL), would miss
  /// rows (a log that cannot be read), or could miss a write (one so soon after the last that the
  /// file's times do not tell).
  bool may_be_kept = false;
};

/// Opens the file at `path`; nothing of it but its header is read. Errors: SourceUnreachable,
/// PermissionDenied, InputUnreadable, SqlRuntime.
Result<Handle> OpenHandle(const std::string& path, Mode mode, CallContext& ctx);

/// Returns the error that SQLite's extended result `code` stands for, its text private.
Error FileError(int code, std::string text);

}  // namespace schemaward::connect::sqlite_engine
