#include "connect/sqlite/handle.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "connect/sqlite/functions.h"

namespace schemaward::connect::sqlite_engine {
namespace {

constexpr int kHeaderBytes = 20;  // of the file; bytes 18 and 19 say which journal it has
constexpr char kWalFormat = 2;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kNsPerMicro = 1'000;
// Times of files move in steps of some milliseconds, of some file systems in steps of two seconds.
constexpr std::int64_t kSettledNs = 2 * kNsPerSecond;

// Bounds that no schema or statement of ours comes near, and that an expression could use to eat
// memory.
struct Limit {
  int id;
  int value;
};
constexpr auto kLimits = std::to_array<Limit>({{SQLITE_LIMIT_LENGTH, 64 << 20},
                                               {SQLITE_LIMIT_SQL_LENGTH, 1'000'000},
                                               {SQLITE_LIMIT_EXPR_DEPTH, 500},
                                               {SQLITE_LIMIT_ATTACHED, 0},
                                               {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                               {SQLITE_LIMIT_WORKER_THREADS, 0},
                                               {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1'000}});

// A path as a file: URI with its special characters escaped.
std::string UriOf(const std::string& path, bool immutable) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + (immutable ? "?mode=ro&immutable=1" : "?mode=ro");
}

Result<sqlite::Database> OpenFile(const std::string& path, bool immutable) {
  constexpr int kFlags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(UriOf(path, immutable).c_str(), &raw, kFlags, nullptr);
  sqlite::Database database = sqlite::Database::Adopt(raw);
  if (code != SQLITE_OK)
    return FileError(code, raw != nullptr ? sqlite3_errmsg(raw) : sqlite3_errstr(code));
  return database;
}

// Read by SQLite's own descriptor: another one, once closed, would take every lock of this process
// off the file, under the reads of other sessions.
bool IsWalFormat(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  if (file == nullptr || file->pMethods == nullptr) return false;
  std::array<char, kHeaderBytes> head{};
  return file->pMethods->xRead(file, head.data(), kHeaderBytes, 0) == SQLITE_OK &&
         head[18] == kWalFormat && head[19] == kWalFormat;
}

bool Exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

bool MayWriteFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  return ::access(folder.c_str(), W_OK) == 0;
}

// How to open, and whether rows may be missing that way.
struct Plan {
  bool immutable = false;
  bool takes_part_in_wal = false;
  bool loses_log = false;
};

Plan PlanFor(const std::string& path, const FileState& file, bool is_wal_format) {
  if (!is_wal_format) return {};
  const bool has_wal = Exists(path + "-wal");
  const bool has_shm = Exists(path + "-shm");
  if (has_wal && has_shm) return {.takes_part_in_wal = true};
  if (!file.has_wal) return {.immutable = true};
  if (MayWriteFolderOf(path)) return {.takes_part_in_wal = true};
  return {.immutable = true, .loses_log = true};
}

// True where the next write must leave other times than the last one.
bool IsSettled(const FileState& file, const Clock& clock) {
  const std::int64_t now_ns = clock.UnixMicros() * kNsPerMicro;
  return now_ns - std::max(file.modified_ns, file.changed_ns) >= kSettledNs;
}

Status Harden(sqlite3* handle, Mode mode) {
  for (const Limit& limit : kLimits) sqlite3_limit(handle, limit.id, limit.value);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  if (mode != Mode::Query) return Ok();
  // A quoted name that is not there must be an error in what we run, not a text; views of old
  // schemas may still rely on it.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  if (RegisterFunctions(handle) != SQLITE_OK)
    return FileError(sqlite3_extended_errcode(handle), sqlite3_errmsg(handle));
  return Ok();
}

}  // namespace

Error FileError(int code, std::string text) {
  if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
    return Error(ErrorKind::SourceUnreachable,
                 "a writer left an unfinished transaction in the database file")
        .Detail("The file is opened read-only, so it cannot be rolled back here.")
        .Hint("Open the file once with the program that writes it.")
        .Private(std::move(text));
  const auto error = [&](ErrorKind kind, const char* message, const char* hint = "") {
    return Error(kind, message).Hint(hint).Private(std::move(text));
  };
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return error(ErrorKind::SourceUnreachable, "another program keeps the database file locked");
    case SQLITE_NOTADB:
      return error(ErrorKind::InputUnreadable, "the file is not an SQLite database",
                   "Check the path in SOURCE. A file that is encrypted cannot be read.");
    case SQLITE_CORRUPT:
      return error(ErrorKind::InputUnreadable, "the database file is damaged",
                   "Put a copy in its place, or save what can be: sqlite3 FILE .recover");
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      return error(ErrorKind::SourceUnreachable, "the database file could not be read");
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return error(ErrorKind::PermissionDenied, "the statement may not run in a read-only session",
                   "A virtual table that reads another table is not read: read that table.");
    case SQLITE_READONLY:
      return error(ErrorKind::PermissionDenied, "the database file is opened for reading only");
    default:
      return error(ErrorKind::SqlRuntime, "the engine could not run the statement");
  }
}

Result<FileState> StateOf(const std::string& path) {
  struct statx status {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &status) != 0)
    return Error(ErrorKind::SourceUnreachable, "the database file is not there")
        .Hint("Check the path in SOURCE; a relative one starts in the current folder.")
        .Private(path);
  if (!S_ISREG(status.stx_mode))
    return Error(ErrorKind::InputUnreadable, "the source is not a file")
        .Hint("Point SOURCE at the database file itself, not at a folder.")
        .Private(path);
  if (::access(path.c_str(), R_OK) != 0)
    return Error(ErrorKind::PermissionDenied, "the database file may not be read")
        .Hint("Let this user read it, or point SOURCE at a copy that it may read.")
        .Private(path);
  const auto ns = [](const statx_timestamp& time) {
    return time.tv_sec * kNsPerSecond + time.tv_nsec;
  };
  FileState state;
  state.device = (std::uint64_t{status.stx_dev_major} << 32) | status.stx_dev_minor;
  state.inode = status.stx_ino;
  state.size_bytes = static_cast<std::int64_t>(status.stx_size);
  state.modified_ns = ns(status.stx_mtime);
  state.changed_ns = ns(status.stx_ctime);
  if ((status.stx_mask & STATX_BTIME) != 0) state.born_ns = ns(status.stx_btime);
  struct stat wal {};
  state.has_wal = ::stat((path + "-wal").c_str(), &wal) == 0 && wal.st_size > 0;
  return state;
}

Result<Handle> OpenHandle(const std::string& path, Mode mode, CallContext& ctx) {
  WARD_TRY(const FileState file, StateOf(path));
  WARD_TRY(sqlite::Database database, OpenFile(path, false));
  const Plan plan = PlanFor(path, file, IsWalFormat(database.handle()));
  if (plan.loses_log)
    ctx.Warn(
        "the database has a write-ahead log that cannot be read in a folder without write "
        "permission");
  if (plan.immutable) {
    WARD_TRY(database, OpenFile(path, true));
  }
  WARD_CHECK(Harden(database.handle(), mode));
  const bool may_be_kept = !plan.takes_part_in_wal && !plan.loses_log && IsSettled(file, ctx.clock);
  return Handle{std::move(database), path, file, mode, plan.immutable, may_be_kept};
}

}  // namespace schemaward::connect::sqlite_engine
