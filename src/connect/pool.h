#pragma once

// A bounded pool of sessions with one source: opened at first need, shared by calls, dropped when
// they break, closed when idle.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "connect/connector.h"

namespace schemaward::connect {

/// Opens a session. Called for each connect, outside any lock, so that secrets are resolved anew
/// each time.
using Opener = std::function<Result<std::unique_ptr<Connector>>(CallContext&)>;

/// Returns an opener that asks `resolve` for the target (and its secret) at each connect.
Opener OpenerOf(EnginePtr engine, std::function<Result<Target>(CallContext&)> resolve);

struct PoolOptions {
  std::size_t connections_max = 4;
  std::chrono::milliseconds acquire_max{
      2'000};  ///< how long a call waits for a session; its deadline may be earlier
  std::chrono::milliseconds idle_max{60'000};  ///< an idle session older than this is closed
  std::chrono::milliseconds trusted_max{
      1'000};  ///< a session idle for this long is pinged before it is lent
};

/// How a pool stands at one moment.
struct PoolState {
  std::size_t connections_max = 0;
  std::size_t open = 0;     ///< open or being opened, lent or idle
  std::size_t idle = 0;     ///< of those, not lent
  std::size_t waiting = 0;  ///< calls that wait for one
};

/// True for errors that say that the session is gone, and nothing of the statement:
/// SourceUnreachable.
bool IsConnectionLoss(const Error& error);

/// Thread: any. Lifetime: outlives its leases; `clock` outlives it.
class Pool {
 public:
  /// A session that is lent. Gives it back when destroyed; a broken one is dropped. Thread: owner.
  class Lease {
   public:
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), connector_(std::move(other.connector_)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Connector& operator*() const { return *connector_; }
    Connector* operator->() const { return connector_.get(); }

   private:
    friend class Pool;
    Lease(Pool& pool, std::unique_ptr<Connector> connector)
        : pool_(&pool), connector_(std::move(connector)) {}
    Pool* pool_;
    std::unique_ptr<Connector> connector_;
  };

  Pool(Opener opener, const Clock& clock, PoolOptions options = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Lends a session, opening one where none is idle and there is room. An idle session that does
  /// not answer a ping is replaced, with all its idle neighbours: a restarted server ended them
  /// too. No statement has run by then. Errors: PoolFull with retry_after_ms when all are lent for
  /// too long; Cancelled, DeadlineExceeded; Internal after Close; the opener's.
  Result<Lease> Acquire(CallContext& ctx);

  /// Runs `work` (Connector& to Result<T>) on a session, and once more on a new one when the first
  /// is lost. For work that may run twice: reading the catalog, a ping. Statements of callers go
  /// through Acquire and run once.
  template <class Work>
  auto Repeatable(CallContext& ctx, Work work) -> decltype(work(std::declval<Connector&>()));

  /// Closes sessions that were idle for too long. Acquire does so too.
  void CloseIdle();
  /// Closes idle sessions now and lent ones when they come back; Acquire then refuses. Safe to call
  /// twice.
  void Close();

  /// Sessions that are open or being opened, lent or idle.
  std::size_t open_count() const;
  std::size_t idle_count() const;
  PoolState state() const;

 private:
  struct Idle {
    std::unique_ptr<Connector> connector;
    std::chrono::steady_clock::time_point since;
  };
  /// What Acquire got: an idle session, or (null) the right to open one.
  using Slot = std::unique_ptr<Connector>;

  Result<Slot> TakeSlot(CallContext& ctx, bool& is_trusted);
  Result<Lease> OpenInSlot(CallContext& ctx);
  void GiveBack(std::unique_ptr<Connector> connector);
  void FreeSlot();
  void DropIdle();
  std::vector<Idle> TakeExpired() REQUIRES(mutex_);

  const Opener opener_;
  const Clock& clock_;
  const PoolOptions options_;
  mutable Mutex mutex_;
  CondVar wake_;
  std::vector<Idle> idle_ GUARDED_BY(mutex_);  // the last is the latest used
  std::size_t open_ GUARDED_BY(mutex_) = 0;
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
};

template <class Work>
auto Pool::Repeatable(CallContext& ctx, Work work) -> decltype(work(std::declval<Connector&>())) {
  {
    WARD_TRY(Lease lease, Acquire(ctx));
    auto result = work(*lease);
    if (result || !IsConnectionLoss(result.error())) return result;
  }
  DropIdle();
  WARD_TRY(Lease lease, Acquire(ctx));
  return work(*lease);
}

}  // namespace schemaward::connect
