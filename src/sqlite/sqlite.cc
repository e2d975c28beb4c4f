#include "sqlite/sqlite.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace schemaward::sqlite {
namespace {

constexpr int kPageCacheUnit = -1;  // a negative cache_size is in KiB

std::string_view HintOf(int code) {
  switch (code) {
    case SQLITE_NOTADB:
      return "It is no file of SQLite, or is damaged: name another, or put a copy in its place.";
    case SQLITE_CANTOPEN:
      return "Name a file, in a folder that is there and that this user may read and write.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "This user may not write to it or its folder: change their rights, or name another.";
    default:
      return {};
  }
}

}  // namespace

Error ErrorOf(sqlite3* database, int code) {
  const std::string text = fmt::format(
      "sqlite {}: {}", code, database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code));
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error(ErrorKind::StoreLocked, "another process holds the database file").Private(text);
    case SQLITE_FULL:
      return Error(ErrorKind::DiskFull, "the disk is full").Private(text);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_IOERR:
      return Error(ErrorKind::StoreUnusable, "the database file cannot be used")
          .Hint(HintOf(code & 0xFF))
          .Private(text);
    case SQLITE_INTERRUPT:
      return Error(ErrorKind::Cancelled, "the call was cancelled").Private(text);
    default:
      return Error(ErrorKind::SqlRuntime, "the statement failed").Private(text);
  }
}

Statement::Statement(Statement&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)),
      statement_(std::exchange(other.statement_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(statement_, other.statement_);
  return *this;
}

Statement Statement::Adopt(const Database& database, sqlite3_stmt* statement) {
  return {database.handle(), statement};
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::Bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_, index, value);
  return *this;
}

Statement& Statement::Bind(int index, double value) {
  sqlite3_bind_double(statement_, index, value);
  return *this;
}

Statement& Statement::Bind(int index, std::string_view text) {
  sqlite3_bind_text64(statement_, index, text.data() != nullptr ? text.data() : "", text.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::BindBlob(int index, std::string_view bytes) {
  sqlite3_bind_blob64(statement_, index, bytes.data() != nullptr ? bytes.data() : "", bytes.size(),
                      SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::BindNull(int index) {
  sqlite3_bind_null(statement_, index);
  return *this;
}

Statement& Statement::Bind(int index, const std::optional<std::string>& text) {
  return text ? Bind(index, std::string_view(*text)) : BindNull(index);
}

Statement& Statement::Bind(int index, const std::optional<std::int64_t>& value) {
  return value ? Bind(index, *value) : BindNull(index);
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  Error error = ErrorOf(database_, code);
  sqlite3_reset(statement_);
  return error;
}

Status Statement::Run() {
  while (true) {
    WARD_TRY(const bool more, Step());
    if (!more) return Ok();
  }
}

void Statement::Reset() { sqlite3_reset(statement_); }

int Statement::ColumnCount() const { return sqlite3_column_count(statement_); }
std::string_view Statement::ColumnName(int column) const {
  return sqlite3_column_name(statement_, column);
}
int Statement::Type(int column) const { return sqlite3_column_type(statement_, column); }
std::int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_, column); }
double Statement::Double(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? std::string_view()
             : std::string_view(text,
                                static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::string_view Statement::Blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return bytes == nullptr
             ? std::string_view()
             : std::string_view(bytes,
                                static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::optional<std::string> Statement::OptionalText(int column) const {
  if (IsNull(column)) return std::nullopt;
  return std::string(Text(column));
}

std::optional<std::int64_t> Statement::OptionalInt(int column) const {
  if (IsNull(column)) return std::nullopt;
  return Int(column);
}

// Refused, and harmless, where somebody else has started the library before.
static bool ConfigureLibrary() {
  constexpr int kFirstPages = 4;  // of a connection's cache at once; 20 if nothing is said
  // Nobody asks how much memory SQLite holds, and to count it takes a lock at each allocation.
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK &&
         sqlite3_config(SQLITE_CONFIG_PAGECACHE, nullptr, 0, kFirstPages) == SQLITE_OK;
}

Result<Database> Database::Open(const std::string& path, const OpenOptions& options) {
  [[maybe_unused]] static const bool once = ConfigureLibrary();
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (options.create) flags |= SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database(handle);
  if (code != SQLITE_OK) return ErrorOf(handle, code);
  sqlite3_busy_timeout(handle, options.busy_timeout_ms);
  WARD_CHECK(
      database.Execute(fmt::format("PRAGMA cache_size={}", kPageCacheUnit * options.cache_kib)));
  return database;
}

Database::Database(Database&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(database_, other.database_);
  return *this;
}

Database::~Database() { sqlite3_close_v2(database_); }

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return ErrorOf(database_, code);
  return Statement(database_, statement);
}

Status Database::Execute(std::string_view sql) {
  const std::string text(sql);
  const int code = sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return ErrorOf(database_, code);
  return Ok();
}

std::int64_t Database::LastInsertRowid() const { return sqlite3_last_insert_rowid(database_); }
std::int64_t Database::Changes() const { return sqlite3_changes64(database_); }
void Database::Interrupt() { sqlite3_interrupt(database_); }

Result<Transaction> Transaction::Begin(Database& database) {
  WARD_CHECK(database.Execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // A failed rollback leaves nothing to do: SQLite rolls back by itself when the file is closed.
  if (database_ != nullptr) (void)database_->Execute("ROLLBACK");
}

Status Transaction::Commit() {
  WARD_CHECK(database_->Execute("COMMIT"));
  database_ = nullptr;
  return Ok();
}

}  // namespace schemaward::sqlite
