#include "store/impl.h"

#include <atomic>

#include "store/reading_state.h"
#include "store/schema.h"

namespace schemaward::store {
namespace {

constexpr int kReadCacheKib = 256;
constexpr int kWriteCacheKib = 4096;  // released after each index; dirty pages spill to the WAL

constexpr std::string_view kReaderSettings = "PRAGMA query_only=1;";
// The WAL is cut back to 4 MiB after a large index. Values that are deleted leave the file's pages
// too, however SQLite was built.
constexpr std::string_view kWriterSettings =
    "PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=4194304; PRAGMA temp_store=MEMORY; "
    "PRAGMA secure_delete=1;";

std::uint64_t NextSerial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Connection::Connection(sqlite::Database database)
    : serial_(NextSerial()), database_(std::move(database)) {}

Result<Use> Connection::Prepared(std::string_view sql) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) {
    WARD_TRY(auto statement, database_.Prepare(sql));
    found = statements_.emplace(sql, std::move(statement)).first;
  }
  return Use(found->second);
}

Status Connection::Begin() {
  WARD_TRY(auto statement, Prepared("BEGIN"));
  WARD_CHECK(statement->Run());
  is_one_state_ = true;
  return Ok();
}

// Nothing was written; a failure would be a fault of ours or the disk's.
Status Connection::End() {
  WARD_TRY(auto statement, Prepared("COMMIT"));
  WARD_CHECK(statement->Run());
  is_one_state_ = false;
  return Ok();
}

SearchReader& Connection::search() {
  if (!search_) search_.emplace(database_);
  return *search_;
}

Result<std::unique_ptr<Connection>> Pool::OpenOne() const {
  const bool reads = access_ == Access::Read;
  WARD_TRY(auto database,
           sqlite::Database::Open(path_, {.busy_timeout_ms = busy_timeout_ms_,
                                          .cache_kib = reads ? kReadCacheKib : kWriteCacheKib}));
  WARD_CHECK(database.Execute(reads ? kReaderSettings : kWriterSettings));
  return std::make_unique<Connection>(std::move(database));
}

Result<std::unique_ptr<Connection>> Pool::TakeIdle() {
  const MutexLock lock(mutex_);
  if (borrowed_ >= kBorrowedMax)
    return Error(ErrorKind::StoreLocked, "every connection to the store is in use");
  ++borrowed_;
  if (idle_.empty()) return std::unique_ptr<Connection>();
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

Result<Lease> Pool::Borrow() {
  WARD_TRY(auto connection, TakeIdle());
  if (!connection) {
    auto opened = OpenOne();
    if (!opened) {
      Return(nullptr);
      return std::move(opened).error();
    }
    connection = *std::move(opened);
  }
  return Lease(*this, std::move(connection));
}

void Pool::Return(std::unique_ptr<Connection> connection) {
  const MutexLock lock(mutex_);
  --borrowed_;
  if (connection && idle_.size() < kIdleMax) idle_.push_back(std::move(connection));
}

void Pool::Clear() {
  std::vector<std::unique_ptr<Connection>> idle;
  const MutexLock lock(mutex_);
  idle.swap(idle_);
}

Store::Impl::Impl(std::string path, StoreOptions options)
    : path_(std::move(path)),
      options_(options),
      readers_(path_, options.busy_timeout_ms, Access::Read),
      writers_(path_, options.busy_timeout_ms, Access::Write) {}

Status Store::Impl::EnsureReady() {
  const MutexLock lock(mutex_);
  if (ready_) return Ok();
  WARD_CHECK(PrepareFile(path_, options_));
  ready_ = true;
  return Ok();
}

Result<Lease> Store::Impl::Read() {
  WARD_CHECK(EnsureReady());
  if (Reading::State* state = Reading::State::Of(*this)) {
    WARD_TRY(auto lease, state->Lend(readers_));
    if (lease) return *std::move(lease);
  }
  return readers_.Borrow();
}

Result<Lease> Store::Impl::Write() {
  WARD_CHECK(EnsureReady());
  if (Reading::State* state = Reading::State::Of(*this)) state->Stop();
  return writers_.Borrow();
}

std::string Store::Impl::KnownKey() {
  const MutexLock lock(mutex_);
  return key_;
}

void Store::Impl::KeepKey(const std::string& key) {
  const MutexLock lock(mutex_);
  key_ = key;
}

}  // namespace schemaward::store
