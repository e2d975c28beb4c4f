#include "transport/http/sessions.h"

#include <array>
#include <utility>

#include <sys/random.h>

#include "base/sha256.h"

namespace schemaward::transport::http {
namespace {

constexpr std::size_t kNameBytes = 32;

}  // namespace

Result<Sessions::Opened> Sessions::Open(const std::string& principal) {
  std::array<char, kNameBytes> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error(ErrorKind::Internal, "the system gives no random bytes");
  Opened opened;
  opened.name = ToHex(std::string_view(bytes.data(), bytes.size()));
  const MutexLock lock(mutex_);
  if (entries_.size() >= sessions_max_ && !entries_.empty()) {
    opened.evicted = entries_.back().name;
    by_name_.erase(opened.evicted);
    entries_.pop_back();
  }
  entries_.push_front({opened.name, principal});
  by_name_[opened.name] = entries_.begin();
  return opened;
}

bool Sessions::Touch(const std::string& name, const std::string& principal) {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second->principal != principal) return false;
  entries_.splice(entries_.begin(), entries_, found->second);
  return true;
}

bool Sessions::Close(const std::string& name, const std::string& principal) {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second->principal != principal) return false;
  entries_.erase(found->second);
  by_name_.erase(found);
  return true;
}

std::vector<std::string> Sessions::Names() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

std::size_t Sessions::count() const {
  const MutexLock lock(mutex_);
  return entries_.size();
}

}  // namespace schemaward::transport::http
