#include "mcp/caller_limit.h"

#include <utility>

namespace schemaward::mcp {

CallerLimit::Place::Place(CallerLimit& limit, std::string principal)
    : limit_(limit), principal_(std::move(principal)) {}

CallerLimit::Place::~Place() { limit_.Leave(principal_); }

std::unique_ptr<CallerLimit::Place> CallerLimit::Enter(const std::string& principal) {
  {
    const MutexLock lock(mutex_);
    std::size_t& calls = calls_[principal];
    if (calls_max_ > 0 && calls >= calls_max_) return nullptr;
    ++calls;
  }
  return std::make_unique<Place>(*this, principal);
}

void CallerLimit::Leave(const std::string& principal) {
  const MutexLock lock(mutex_);
  const auto found = calls_.find(principal);
  if (--found->second == 0) calls_.erase(found);
}

std::size_t CallerLimit::PrincipalCount() const {
  const MutexLock lock(mutex_);
  return calls_.size();
}

}  // namespace schemaward::mcp
