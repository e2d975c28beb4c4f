#pragma once

// Inside the store: its connections. For files of this module only.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "sqlite/sqlite.h"
#include "store/search_store.h"
#include "store/store.h"

namespace schemaward::store {

/// A prepared statement in use; it is reset at the end, so that no read transaction stays open.
/// Lifetime: ends before its Connection's lease.
class Use {
 public:
  explicit Use(sqlite::Statement& statement) : statement_(&statement) {}
  Use(Use&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Use& operator=(Use&&) = delete;
  ~Use() {
    if (statement_ != nullptr) statement_->Reset();
  }
  sqlite::Statement* operator->() const { return statement_; }
  sqlite::Statement& operator*() const { return *statement_; }

 private:
  sqlite::Statement* statement_;
};

/// A handle and its prepared statements. Thread: one at a time.
class Connection {
 public:
  explicit Connection(sqlite::Database database);
  sqlite::Database& database() { return database_; }

  /// Never that of another connection of this process.
  std::uint64_t serial() const { return serial_; }
  /// SQLite's data_version: another where another connection has changed the file. Requires: a
  /// connection of Read.
  Result<std::int64_t> Version();

  /// Returns `sql` prepared; prepared once for each connection. One Use of a text at a time.
  /// Requires: `sql` is a literal, since its address is kept.
  Result<Use> Prepared(std::string_view sql);

  /// All sources, sorted by name. Read again only where another connection has changed the file: a
  /// call asks for them several times. Requires: a connection of Read. Lifetime: to the next call.
  Result<const std::vector<Source>*> Sources();

  /// From here to End what is read is one state. Requires: IsOneState() is false.
  Status Begin();
  Status End();
  bool IsOneState() const { return is_one_state_; }

  /// Search on this handle; made at first need and kept, for its prepared statements.
  SearchReader& search();

 private:
  const std::uint64_t serial_;
  sqlite::Database database_;
  // Both end before database_.
  std::unordered_map<std::string_view, sqlite::Statement> statements_;
  std::optional<SearchReader> search_;
  bool is_one_state_ = false;
  std::vector<Source> sources_;
  std::optional<std::int64_t> sources_version_;  // SQLite's data_version of them
};

/// Where a borrowed connection goes back to.
class Home {
 public:
  Home() = default;
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  virtual ~Home() = default;
  /// Takes `connection` back; null: it was closed.
  virtual void Return(std::unique_ptr<Connection> connection) = 0;
};

/// A borrowed connection. Lifetime: ends before its home. Thread: its borrower's.
class Lease {
 public:
  Lease(Home& home, std::unique_ptr<Connection> connection)
      : home_(&home), connection_(std::move(connection)) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease() {
    if (connection_) home_->Return(std::move(connection_));
  }
  Connection* operator->() const { return connection_.get(); }
  Connection& operator*() const { return *connection_; }
  /// Gives up the connection: the caller brings it home.
  std::unique_ptr<Connection> Release() { return std::move(connection_); }

 private:
  Home* home_;
  std::unique_ptr<Connection> connection_;
};

enum class Access : std::uint8_t { Read, Write };

/// Borrowed connections of one kind. Thread: any.
class Pool final : public Home {
 public:
  Pool(std::string path, int busy_timeout_ms, Access access)
      : path_(std::move(path)), busy_timeout_ms_(busy_timeout_ms), access_(access) {}

  /// Never waits for another borrower (a visitor may ask the store again): opens one more handle
  /// where none is idle. Errors: StoreLocked when kBorrowedMax are out.
  Result<Lease> Borrow();

  void Return(std::unique_ptr<Connection> connection) override;

  /// Closes the idle handles.
  void Clear();

  static constexpr std::size_t kIdleMax = 4;       ///< kept open between calls
  static constexpr std::size_t kBorrowedMax = 64;  ///< out at once

 private:
  Result<std::unique_ptr<Connection>> OpenOne() const;
  Result<std::unique_ptr<Connection>> TakeIdle();

  const std::string path_;
  const int busy_timeout_ms_;
  const Access access_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ GUARDED_BY(mutex_);
  std::size_t borrowed_ GUARDED_BY(mutex_) = 0;
};

/// Thread: any.
class Store::Impl {
 public:
  Impl(std::string path, StoreOptions options);

  const std::string& path() const { return path_; }

  /// A connection that can only read: that of the thread's Reading where one lives. The first call
  /// creates or migrates the file. A lease that runs several statements sees one state only between
  /// Begin and End.
  Result<Lease> Read();
  /// A connection that can write. Writers of all processes take turns at BEGIN IMMEDIATE.
  Result<Lease> Write();

  /// The instance key once it was read, else empty; it never changes.
  std::string KnownKey() EXCLUDES(mutex_);
  void KeepKey(const std::string& key) EXCLUDES(mutex_);

 private:
  Status EnsureReady() EXCLUDES(mutex_);

  const std::string path_;
  const StoreOptions options_;
  Pool readers_;
  Pool writers_;
  Mutex mutex_;
  bool ready_ GUARDED_BY(mutex_) = false;
  std::string key_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::store
