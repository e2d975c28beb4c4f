#include "connect/sqlite/session.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "connect/sqlite/authorizer.h"
#include "connect/sqlite/bytecode.h"
#include "connect/sqlite/functions.h"
#include "guard/function_list.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using std::chrono::milliseconds;

constexpr int kProgressSteps =
    2'000;  // of SQLite's machine between two looks at the clock: some 20 microseconds
constexpr milliseconds kBusyMax{5'000};  // how long another program's lock is waited for
constexpr int kBusyPauseMs = 5;
constexpr std::size_t kHeaderBytes = 20;  // of the file; bytes 18 and 19 say which journal it has
constexpr char kWalFormat = 2;

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

bool IsWalFormat(const std::string& path) {
  std::array<char, kHeaderBytes> head{};
  std::ifstream file(path, std::ios::binary);
  return file.read(head.data(), head.size()) && head[18] == kWalFormat && head[19] == kWalFormat;
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
  bool loses_log = false;
};

Plan PlanFor(const std::string& path, const FileState& file) {
  if (!IsWalFormat(path)) return {};
  const bool has_wal = Exists(path + "-wal");
  const bool has_shm = Exists(path + "-shm");
  if (has_wal && has_shm) return {};
  if (!file.has_wal) return {.immutable = true};
  if (MayWriteFolderOf(path)) return {};
  return {.immutable = true, .loses_log = true};
}

}  // namespace

// What the callbacks look at. They are called by SQLite inside a step or a prepare, on the
// session's own thread.
struct Session::Watch {
  Watch(CallContext& the_ctx, milliseconds time_max)
      : ctx(the_ctx), limit(Deadline::After(the_ctx.clock, time_max)) {}

  // Sets `reason` where the call must end.
  bool MustStop() {
    if (auto check = ctx.Check(); !check)
      reason = check.error().kind();
    else if (limit.HasPassed(ctx.clock))
      reason = ErrorKind::StatementTimeout;
    return reason.has_value();
  }

  // Full-text and R-tree tables read the tables that they keep their contents in.
  static bool IsShadowOf(std::string_view name, std::string_view table) {
    static constexpr auto kSuffixes = std::to_array<std::string_view>(
        {"_config", "_content", "_data", "_docsize", "_idx", "_node", "_parent", "_rowid",
         "_segdir", "_segments", "_stat"});
    return name.starts_with(table) && std::find(kSuffixes.begin(), kSuffixes.end(),
                                                name.substr(table.size())) != kSuffixes.end();
  }

  // True where the guard found the read, or nothing was said of what it found.
  bool IsExpected(std::string_view name, std::string_view read) const {
    if (expected == nullptr) return true;
    // A common table is named too where no column of it is read, and so is a function's table.
    if (read.empty() || name == "sqlite_master" ||
        guard::FindFunction(sql::Sqlite(), name) != nullptr)
      return true;
    for (const auto* list : {expected, inside})
      for (const guard::TableRead& one : *list) {
        if (IsShadowOf(name, one.table)) return true;
        if (one.table != name) continue;
        if (read == "ROWID" ||
            std::find(one.columns.begin(), one.columns.end(), read) != one.columns.end())
          return true;
      }
    return false;
  }

  // `around`: the view or the common table that a read stands in, or null.
  bool IsExpectedRead(const char* table, const char* column, const char* around) {
    if (expected == nullptr || table == nullptr) return true;
    const std::string_view name(table), read(column == nullptr ? "" : column);
    if (around == nullptr || !views.contains(std::string(around))) return IsExpected(name, read);
    in_views.insert({std::string(name), std::string(read)});
    return true;
  }

  CallContext& ctx;
  Deadline limit;
  Mode mode = Mode::Query;
  const std::vector<guard::TableRead>* expected = nullptr;
  const std::vector<guard::TableRead>* inside = nullptr;
  std::set<std::string> views;    // of the file, once something is expected
  std::set<ColumnRead> in_views;  // what their texts read
  std::optional<ErrorKind> reason;
};

namespace {

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

Error SourceError(int code, std::string text) {
  if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
    return Error(ErrorKind::SourceUnreachable,
                 "a writer left an unfinished transaction in the database file")
        .Detail("The file is opened read-only, so it cannot be rolled back here.")
        .Hint("Open the file once with the program that writes it.")
        .Private(std::move(text));
  const auto error = [&](ErrorKind kind, const char* message) {
    return Error(kind, message).Private(std::move(text));
  };
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return error(ErrorKind::SourceUnreachable, "another program keeps the database file locked");
    case SQLITE_NOTADB:
      return error(ErrorKind::InputUnreadable, "the file is not an SQLite database");
    case SQLITE_CORRUPT:
      return error(ErrorKind::InputUnreadable, "the database file is damaged");
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      return error(ErrorKind::SourceUnreachable, "the database file could not be read");
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return error(ErrorKind::PermissionDenied, "the statement may not run in a read-only session");
    case SQLITE_READONLY:
      return error(ErrorKind::PermissionDenied, "the database file is opened for reading only");
    default:
      return error(ErrorKind::SqlRuntime, "the engine could not run the statement");
  }
}

}  // namespace

void RemoveAuthorizerForTest(Session& session) {
  sqlite3_set_authorizer(session.database().handle(), nullptr, nullptr);
}

Result<FileState> StateOf(const std::string& path) {
  struct statx status {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &status) != 0)
    return Error(ErrorKind::SourceUnreachable, "the database file is not there")
        .Hint("Check the path in SOURCE; a relative one starts in the current folder.")
        .Private(path);
  if (!S_ISREG(status.stx_mode))
    return Error(ErrorKind::InputUnreadable, "the source is not a file").Private(path);
  if (::access(path.c_str(), R_OK) != 0)
    return Error(ErrorKind::PermissionDenied, "the database file may not be read").Private(path);
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const auto ns = [](const statx_timestamp& time) {
    return time.tv_sec * kNsPerSecond + time.tv_nsec;
  };
  FileState state;
  state.device = (std::uint64_t{status.stx_dev_major} << 32) | status.stx_dev_minor;
  state.inode = status.stx_ino;
  state.size_bytes = static_cast<std::int64_t>(status.stx_size);
  state.modified_ns = ns(status.stx_mtime);
  if ((status.stx_mask & STATX_BTIME) != 0) state.born_ns = ns(status.stx_btime);
  struct stat wal {};
  state.has_wal = ::stat((path + "-wal").c_str(), &wal) == 0 && wal.st_size > 0;
  return state;
}

Session::Session(sqlite::Database database, std::unique_ptr<Watch> watch)
    : watch_(std::move(watch)), database_(std::move(database)) {}

Session::Session(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::Open(const std::string& path, Mode mode, milliseconds time_max,
                              CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(const FileState file, StateOf(path));
  const Plan plan = PlanFor(path, file);
  if (plan.loses_log)
    ctx.Warn(
        "the database has a write-ahead log that cannot be read in a folder without write "
        "permission");
  constexpr int kFlags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(UriOf(path, plan.immutable).c_str(), &handle, kFlags, nullptr);
  Session session(sqlite::Database::Adopt(handle), std::make_unique<Watch>(ctx, time_max));
  if (code != SQLITE_OK)
    return SourceError(code, handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
  session.path_ = path;
  session.file_ = file;
  session.is_immutable_ = plan.immutable;
  session.watch_->mode = mode;
  WARD_CHECK(session.Harden(mode));
  return session;
}

Status Session::Harden(Mode mode) {
  sqlite3* handle = database_.handle();
  for (const Limit& limit : kLimits) sqlite3_limit(handle, limit.id, limit.value);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  // A quoted name that is not there must be an error in what we run, not a text; views of old
  // schemas may still rely on it.
  if (mode == Mode::Query) sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  if (mode == Mode::Query && RegisterFunctions(handle) != SQLITE_OK) return ErrorNow();
  sqlite3_busy_handler(
      handle,
      [](void* watch, int calls) {
        if (milliseconds(kBusyPauseMs) * calls >= kBusyMax ||
            static_cast<Watch*>(watch)->MustStop())
          return 0;
        sqlite3_sleep(kBusyPauseMs);
        return 1;
      },
      watch_.get());
  sqlite3_progress_handler(
      handle, kProgressSteps,
      [](void* watch) { return static_cast<Watch*>(watch)->MustStop() ? 1 : 0; }, watch_.get());
  // BEGIN gives the call one snapshot. What is read first says whether the file is a database: its
  // header, and but for Mode::Header its schema, which takes some 15 microseconds a table.
  if (!database_.Execute("PRAGMA query_only=1; BEGIN; PRAGMA schema_version")) return ErrorNow();
  if (mode != Mode::Header && !database_.Execute("SELECT 1 FROM sqlite_schema LIMIT 1"))
    return ErrorNow();
  sqlite3_set_authorizer(
      handle,
      [](void* pointer, int action, const char* first, const char* second, const char* /*database*/,
         const char* inside) {
        Watch& watch = *static_cast<Watch*>(pointer);
        const bool is_expected =
            action != SQLITE_READ || watch.IsExpectedRead(first, second, inside);
        return is_expected && IsAllowed(watch.mode, action, first, second) ? SQLITE_OK
                                                                           : SQLITE_DENY;
      },
      watch_.get());
  return Ok();
}

Error Session::ErrorNow() const {
  if (watch_->reason) return StoppedBy(*watch_->reason);
  const std::string text = sqlite3_errmsg(database_.handle());
  // There is no number for it. What is asked was checked against the index, so this is drift.
  const bool is_gone = text.starts_with("no such column") || text.starts_with("no such table");
  if (watch_->mode == Mode::Query && is_gone)
    return Error(ErrorKind::SchemaDrift, "the source no longer has what the statement reads")
        .Private(text);
  return SourceError(sqlite3_extended_errcode(database_.handle()), text);
}

Status Session::Expect(const std::vector<guard::TableRead>& reads,
                       const std::vector<guard::TableRead>& inside) {
  WARD_TRY(sqlite::Statement view, Prepare("SELECT name FROM sqlite_master WHERE type = 'view'"));
  while (true) {
    WARD_TRY(const bool more, Step(view));
    if (!more) break;
    watch_->views.emplace(view.Text(0));
  }
  watch_->in_views.clear();
  watch_->expected = &reads;
  watch_->inside = &inside;
  return Ok();
}

Status Session::CheckProgram(std::string_view sql) {
  WARD_TRY(const std::vector<ColumnRead> reads, ColumnsOfProgram(*this, sql));
  for (const ColumnRead& read : reads)
    if (!watch_->in_views.contains(read) && !watch_->IsExpected(read.table, read.column))
      return Error(ErrorKind::PermissionDenied,
                   "the engine reads a column that was not found in the statement")
          .Private(read.table + "." + read.column);
  return Ok();
}

Result<sqlite::Statement> Session::Prepare(std::string_view sql) {
  ++statements_;
  const char* tail = nullptr;
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database_.handle(), sql.data(), static_cast<int>(sql.size()),
                                      0, &handle, &tail);
  if (code != SQLITE_OK) return ErrorNow();
  sqlite::Statement statement = sqlite::Statement::Adopt(database_, handle);
  const std::string_view rest = sql.substr(static_cast<std::size_t>(tail - sql.data()));
  if (handle == nullptr || rest.find_first_not_of(" \t\r\n") != std::string_view::npos)
    return Error(ErrorKind::NotARead, "the text is not one statement");
  if (sqlite3_stmt_readonly(handle) == 0) return Error(ErrorKind::NotARead, "the statement writes");
  return statement;
}

Result<bool> Session::Step(sqlite::Statement& statement) {
  if (watch_->MustStop()) return StoppedBy(*watch_->reason);
  auto row = statement.Step();
  if (!row) return ErrorNow();
  return *row;
}

Status Session::Finish() const {
  if (!is_immutable_) return Ok();
  WARD_TRY(const FileState now, StateOf(path_));
  if (now == file_) return Ok();
  return Error(ErrorKind::SourceUnreachable, "the database file was written while it was read");
}

}  // namespace schemaward::connect::sqlite_engine
