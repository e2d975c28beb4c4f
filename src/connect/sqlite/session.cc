#include "connect/sqlite/session.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <sqlite3.h>

#include "connect/sqlite/authorizer.h"
#include "connect/sqlite/bytecode.h"
#include "guard/function_list.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using std::chrono::milliseconds;

constexpr int kProgressSteps =
    2'000;  // of SQLite's machine between two looks at the clock: some 20 microseconds
constexpr milliseconds kBusyMax{5'000};  // how long another program's lock is waited for
constexpr int kBusyPauseMs = 5;

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

  // True of the statements by which an R-tree keeps its shadow tables, which it prepares when it is
  // connected. They do not run: the text that does is seen to read only, on a file that is opened
  // read-only.
  bool IsUpkeep(int action, const char* table) const {
    if (action != SQLITE_INSERT && action != SQLITE_UPDATE && action != SQLITE_DELETE) return false;
    if (expected == nullptr || table == nullptr) return false;
    for (const auto* list : {expected, inside})
      for (const guard::TableRead& one : *list)
        if (IsShadowOf(table, one.table)) return true;
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

}  // namespace

void RemoveAuthorizerForTest(Session& session) {
  sqlite3_set_authorizer(session.database().handle(), nullptr, nullptr);
}

Session::Session(Handle handle, std::unique_ptr<Watch> watch)
    : watch_(std::move(watch)), handle_(std::move(handle)) {}

Session::Session(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::Open(const std::string& path, Mode mode, milliseconds time_max,
                              CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(Handle handle, OpenHandle(path, mode, ctx));
  return Resume(std::move(handle), time_max, ctx);
}

Result<Session> Session::Resume(Handle handle, milliseconds time_max, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  Session session(std::move(handle), std::make_unique<Watch>(ctx, time_max));
  WARD_CHECK(session.Begin());
  return session;
}

Status Session::Begin() {
  sqlite3* handle = database().handle();
  watch_->mode = handle_.mode;
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
  // header, and but for Mode::Header its schema, which takes some 15 microseconds a table where the
  // handle is new.
  if (!database().Execute(
          "PRAGMA query_only=1; PRAGMA automatic_index=1; BEGIN; PRAGMA schema_version"))
    return ErrorNow();
  if (handle_.mode != Mode::Header && !database().Execute("SELECT 1 FROM sqlite_schema LIMIT 1"))
    return ErrorNow();
  sqlite3_set_authorizer(
      handle,
      [](void* pointer, int action, const char* first, const char* second, const char* /*database*/,
         const char* inside) {
        Watch& watch = *static_cast<Watch*>(pointer);
        if (watch.IsUpkeep(action, first)) return SQLITE_OK;
        const bool is_expected =
            action != SQLITE_READ || watch.IsExpectedRead(first, second, inside);
        return is_expected && IsAllowed(watch.mode, action, first, second) ? SQLITE_OK
                                                                           : SQLITE_DENY;
      },
      watch_.get());
  return Ok();
}

std::optional<Handle> Session::Release() {
  sqlite3* handle = database().handle();
  sqlite3_set_authorizer(handle, nullptr, nullptr);
  sqlite3_progress_handler(handle, 0, nullptr, nullptr);
  sqlite3_busy_handler(handle, nullptr, nullptr);
  if (!handle_.may_be_kept || sqlite3_next_stmt(handle, nullptr) != nullptr) return std::nullopt;
  const bool is_free =
      database().Execute("ROLLBACK") && sqlite3_txn_state(handle, nullptr) == SQLITE_TXN_NONE;
  if (!is_free) return std::nullopt;
  return std::move(handle_);
}

Error Session::ErrorNow() const {
  if (watch_->reason) return StoppedBy(*watch_->reason);
  sqlite3* handle = handle_.database.handle();
  const std::string text = sqlite3_errmsg(handle);
  // There is no number for it. What is asked was checked against the index, so this is drift.
  const bool is_gone = text.starts_with("no such column") || text.starts_with("no such table");
  if (watch_->mode == Mode::Query && is_gone)
    return Error(ErrorKind::SchemaDrift, "the source no longer has what the statement reads")
        .Private(text);
  return FileError(sqlite3_extended_errcode(handle), text);
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

Status Session::Apply(const guard::DatabaseSession& wanted) {
  if (wanted.IsEmpty()) return Ok();
  if (wanted != guard::DatabaseSession{"", {{"automatic_index", "off"}}})
    return Error(ErrorKind::Internal, "SQLite has no such setting of a statement");
  if (!database().Execute("PRAGMA automatic_index=off")) return ErrorNow();
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
  const int code = sqlite3_prepare_v3(database().handle(), sql.data(), static_cast<int>(sql.size()),
                                      0, &handle, &tail);
  if (code != SQLITE_OK) return ErrorNow();
  sqlite::Statement statement = sqlite::Statement::Adopt(database(), handle);
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
  if (!handle_.is_immutable) return Ok();
  WARD_TRY(const FileState now, StateOf(handle_.path));
  if (now == handle_.file) return Ok();
  return Error(ErrorKind::SourceUnreachable, "the database file was written while it was read");
}

}  // namespace schemaward::connect::sqlite_engine
