#include "connect/pool.h"

#include <algorithm>
#include <utility>

namespace schemaward::connect {
namespace {

constexpr std::int64_t kRetryAfterMs = 500;  // a fair guess of when a session comes back

Error Full() {
  return Error(ErrorKind::PoolFull, "every connection to the source is busy")
      .RetryAfter(kRetryAfterMs);
}

}  // namespace

Opener OpenerOf(EnginePtr engine, std::function<Result<Target>(CallContext&)> resolve) {
  return [engine = std::move(engine),
          resolve = std::move(resolve)](CallContext& ctx) -> Result<std::unique_ptr<Connector>> {
    WARD_TRY(const Target target, resolve(ctx));
    return engine->Open(target, ctx);
  };
}

bool IsConnectionLoss(const Error& error) { return error.kind() == ErrorKind::SourceUnreachable; }

Pool::Lease::~Lease() {
  if (pool_ != nullptr) pool_->GiveBack(std::move(connector_));
}

Pool::Pool(Opener opener, const Clock& clock, PoolOptions options)
    : opener_(std::move(opener)), clock_(clock), options_(options) {}

Pool::~Pool() { Close(); }

Result<Pool::Lease> Pool::Acquire(CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  CloseIdle();
  bool is_trusted = false;
  WARD_TRY(Slot slot, TakeSlot(ctx, is_trusted));
  if (slot == nullptr) return OpenInSlot(ctx);
  // A session that was used a moment ago is not asked, but what has arrived on it is looked at: a
  // server that stops says goodbye.
  const bool is_gone = slot->IsBroken();
  if (is_trusted && !is_gone) return Lease(*this, std::move(slot));
  const Status answer =
      is_gone ? Status(Error(ErrorKind::SourceUnreachable, "the source ended the session"))
              : slot->Ping(ctx);
  if (answer) return Lease(*this, std::move(slot));
  if (!IsConnectionLoss(answer.error()) && !slot->IsBroken()) {
    GiveBack(std::move(slot));
    return answer.error();
  }
  slot.reset();
  DropIdle();
  return OpenInSlot(ctx);
}

Result<Pool::Slot> Pool::TakeSlot(CallContext& ctx, bool& is_trusted) {
  const auto until =
      std::chrono::steady_clock::now() + ctx.deadline.Left(ctx.clock, options_.acquire_max);
  MutexLock lock(mutex_);
  while (true) {
    if (closed_) return Error(ErrorKind::Internal, "the connections of the source are closed");
    if (!idle_.empty()) {
      is_trusted = clock_.Now() - idle_.back().since < options_.trusted_max;
      Slot slot = std::move(idle_.back().connector);
      idle_.pop_back();
      return slot;
    }
    if (open_ < options_.connections_max) {
      ++open_;
      return Slot();
    }
    // Wakes when a session comes back, when the caller gives up, and when time is up. The predicate
    // is the loop's.
    ++waiting_;
    const bool woken =
        wake_.wait_until(mutex_, ctx.stop, until, [this]() WARD_TS(no_thread_safety_analysis) {
          return closed_ || !idle_.empty() || open_ < options_.connections_max;
        });
    --waiting_;
    if (woken) continue;
    if (ctx.stop.stop_requested()) return Error(ErrorKind::Cancelled, "the call was cancelled");
    return Full();
  }
}

Result<Pool::Lease> Pool::OpenInSlot(CallContext& ctx) {
  auto connector = opener_(ctx);
  if (!connector) {
    FreeSlot();
    return std::move(connector).error();
  }
  return Lease(*this, *std::move(connector));
}

void Pool::GiveBack(std::unique_ptr<Connector> connector) {
  // Asked before the lock is taken: a connector may look at its socket.
  const bool is_broken = connector->IsBroken();
  {
    MutexLock lock(mutex_);
    if (!is_broken && !closed_) {
      idle_.push_back({std::move(connector), clock_.Now()});
      wake_.notify_one();
      return;
    }
  }
  connector.reset();
  FreeSlot();
}

void Pool::FreeSlot() {
  MutexLock lock(mutex_);
  --open_;
  wake_.notify_one();
}

void Pool::DropIdle() {
  std::vector<Idle> dropped;
  {
    MutexLock lock(mutex_);
    dropped.swap(idle_);
    open_ -= dropped.size();
    wake_.notify_all();
  }
  // Closed here, outside the lock: saying goodbye may take a round trip.
}

std::vector<Pool::Idle> Pool::TakeExpired() {
  const auto now = clock_.Now();
  const auto fresh = std::find_if(idle_.begin(), idle_.end(), [&](const Idle& idle) {
    return now - idle.since <= options_.idle_max;
  });
  std::vector<Idle> expired(std::make_move_iterator(idle_.begin()), std::make_move_iterator(fresh));
  idle_.erase(idle_.begin(), fresh);
  open_ -= expired.size();
  return expired;
}

void Pool::CloseIdle() {
  std::vector<Idle> expired;
  {
    MutexLock lock(mutex_);
    expired = TakeExpired();
    if (!expired.empty()) wake_.notify_all();
  }
}

void Pool::Close() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
    wake_.notify_all();
  }
  DropIdle();
}

std::size_t Pool::open_count() const {
  MutexLock lock(mutex_);
  return open_;
}

std::size_t Pool::idle_count() const {
  MutexLock lock(mutex_);
  return idle_.size();
}

PoolState Pool::state() const {
  MutexLock lock(mutex_);
  return {options_.connections_max, open_, idle_.size(), waiting_};
}

}  // namespace schemaward::connect
