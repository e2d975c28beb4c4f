#include "mcp/consent_book.h"

namespace schemaward::mcp {

ConsentBook::Place::~Place() {
  if (book_ == nullptr) return;
  const MutexLock lock(book_->mutex_);
  --book_->waiting_;
}

std::optional<ConsentBook::Place> ConsentBook::Wait() {
  const MutexLock lock(mutex_);
  if (waiting_ >= waiting_max_) return std::nullopt;
  ++waiting_;
  return std::optional<Place>(std::in_place, *this);
}

bool ConsentBook::Use(std::string_view state, std::chrono::microseconds asked_at,
                      std::chrono::microseconds now, std::chrono::microseconds good_for) {
  const MutexLock lock(mutex_);
  used_.erase(used_.begin(), used_.lower_bound(now - good_for));
  const auto [first, last] = used_.equal_range(asked_at);
  for (auto used = first; used != last; ++used)
    if (used->second == state) return false;
  if (used_.size() >= kConsentsUsedMax) return false;
  used_.emplace(asked_at, state);
  return true;
}

}  // namespace schemaward::mcp
