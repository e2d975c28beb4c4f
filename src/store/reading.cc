#include "store/reading.h"

#include <utility>

#include "store/reading_state.h"

namespace schemaward::store {
namespace {

// What the thread reads now.
thread_local Reading::State* current = nullptr;

}  // namespace

Reading::Reading(Store& store) {
  if (current != nullptr) return;
  state_ = std::make_unique<State>(store.impl());
  current = state_.get();
}

Reading::~Reading() {
  if (state_) current = nullptr;
}

void Reading::Renew() {
  if (current != nullptr) current->End();
}

std::optional<StateStamp> Reading::StampOf(Store& store) {
  if (State::Of(store.impl()) == nullptr) return std::nullopt;
  const auto connection = store.impl().Read();
  if (!connection || !(*connection)->IsOneState()) return std::nullopt;
  const auto version = (*connection)->Version();
  if (!version) return std::nullopt;
  return StateStamp{(*connection)->serial(), *version};
}

Reading::State* Reading::State::Of(const Store::Impl& impl) {
  return current != nullptr && &current->impl_ == &impl ? current : nullptr;
}

Reading::State::~State() { End(); }

Result<std::optional<Lease>> Reading::State::Lend(Pool& readers) {
  if (is_lent_ || is_stopped_) return std::optional<Lease>();
  if (!connection_) {
    WARD_TRY(auto lease, readers.Borrow());
    WARD_CHECK(lease->Begin());
    pool_ = &readers;
    connection_ = lease.Release();
  }
  is_lent_ = true;
  return std::optional<Lease>(std::in_place, *this, std::move(connection_));
}

void Reading::State::Return(std::unique_ptr<Connection> connection) {
  is_lent_ = false;
  connection_ = std::move(connection);
  if (std::exchange(ends_, false)) End();
}

// A connection that is lent ends its state when it comes back. One that cannot end is closed.
void Reading::State::End() {
  ends_ = is_lent_;
  if (!connection_) return;
  if (!connection_->End()) connection_.reset();
  pool_->Return(std::move(connection_));
}

void Reading::State::Stop() {
  is_stopped_ = true;
  End();
}

}  // namespace schemaward::store
