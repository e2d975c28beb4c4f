#pragma once

// A thin owner of SQLite handles: open, prepare, bind, step. The store, the audit file and the
// SQLite engine stand on it. Thread: a Database and its statements belong to one thread at a time
// (opened with NOMUTEX), but for Interrupt.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace schemaward::sqlite {

class Database;

/// A prepared statement. Bind indexes start at 1, column indexes at 0, as SQLite's do.
/// Lifetime: ends before its Database. Views that a column returns live until the next Step or
/// Reset.
class Statement {
 public:
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  Statement& Bind(int index, std::int64_t value);
  Statement& Bind(int index, double value);
  Statement& Bind(int index, std::string_view text);
  Statement& BindBlob(int index, std::string_view bytes);
  Statement& BindNull(int index);
  Statement& Bind(int index, const std::optional<std::string>& text);
  Statement& Bind(int index, const std::optional<std::int64_t>& value);

  /// Moves to the next row; false at the end, where the statement is reset. Errors: as Database.
  Result<bool> Step();
  /// Runs to the end and resets. Errors: as Database.
  Status Run();
  /// Forgets the row it stands on; bindings stay.
  void Reset();

  int ColumnCount() const;
  std::string_view ColumnName(int column) const;
  /// SQLITE_INTEGER 1, FLOAT 2, TEXT 3, BLOB 4, NULL 5.
  int Type(int column) const;
  bool IsNull(int column) const { return Type(column) == 5; }
  std::int64_t Int(int column) const;
  double Double(int column) const;
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;
  std::optional<std::string> OptionalText(int column) const;
  std::optional<std::int64_t> OptionalInt(int column) const;

  sqlite3_stmt* handle() const { return statement_; }

  /// Takes ownership of a statement that was prepared elsewhere.
  static Statement Adopt(const Database& database, sqlite3_stmt* statement);

 private:
  friend class Database;
  Statement(sqlite3* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}
  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

struct OpenOptions {
  bool read_only = false;
  bool create = false;
  int busy_timeout_ms = 5000;
  int cache_kib = 512;  ///< page cache; small, since the idle program has 10 MiB in all
};

/// An open database file. Errors of every call: StoreLocked (busy or locked), DiskFull,
/// StoreUnusable (corrupt, not a database, cannot open), Cancelled (interrupted), SqlRuntime
/// (anything else); the engine's text is in private_detail.
class Database {
 public:
  /// Opens `path` (a file, or ":memory:").
  static Result<Database> Open(const std::string& path, const OpenOptions& options);
  /// Takes ownership of a handle that was opened elsewhere, with flags that Open does not offer.
  static Database Adopt(sqlite3* database) { return Database(database); }
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<Statement> Prepare(std::string_view sql);
  /// Runs one or more statements without parameters or rows. For fixed text only.
  Status Execute(std::string_view sql);
  std::int64_t LastInsertRowid() const;
  std::int64_t Changes() const;
  /// Stops what runs. Thread: any, while the Database lives.
  void Interrupt();
  sqlite3* handle() const { return database_; }

 private:
  explicit Database(sqlite3* database) : database_(database) {}
  sqlite3* database_ = nullptr;
};

/// BEGIN IMMEDIATE now; rolls back when destroyed, unless committed.
/// Lifetime: ends before its Database.
class Transaction {
 public:
  static Result<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

/// Returns the error that SQLite's result code stands for, its text private.
Error ErrorOf(sqlite3* database, int code);

}  // namespace schemaward::sqlite
