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
  if (const Entries* givers = WhoGivesWay(principal); givers != nullptr) {
    opened.evicted = givers->back().name;
    Erase(opened.evicted);
  }
  Entries& own = by_principal_[principal];
  own.push_front({opened.name, principal, ++heard_});
  by_name_[opened.name] = own.begin();
  return opened;
}

const Sessions::Entries* Sessions::WhoGivesWay(const std::string& principal) const {
  const auto own = by_principal_.find(principal);
  if (own != by_principal_.end() && own->second.size() >= bounds_.of_one) return &own->second;
  if (by_name_.size() < bounds_.all) return nullptr;
  const Entries* most = nullptr;
  for (const auto& [id, entries] : by_principal_)
    if (most == nullptr || entries.size() > most->size() ||
        (entries.size() == most->size() && entries.back().heard < most->back().heard))
      most = &entries;
  return most;
}

void Sessions::Erase(const std::string& name) {
  const auto found = by_name_.find(name);
  const auto owner = by_principal_.find(found->second->principal);
  owner->second.erase(found->second);
  by_name_.erase(found);
  if (owner->second.empty()) by_principal_.erase(owner);
}

bool Sessions::Touch(const std::string& name, const std::string& principal) {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second->principal != principal) return false;
  Entries& own = by_principal_.find(principal)->second;
  own.splice(own.begin(), own, found->second);
  own.front().heard = ++heard_;
  return true;
}

bool Sessions::Close(const std::string& name, const std::string& principal) {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second->principal != principal) return false;
  Erase(name);
  return true;
}

std::vector<std::string> Sessions::Names() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  names.reserve(by_name_.size());
  for (const auto& [name, entry] : by_name_) names.push_back(name);
  return names;
}

bool Sessions::Has(const std::string& name) const {
  const MutexLock lock(mutex_);
  return by_name_.contains(name);
}

std::size_t Sessions::count() const {
  const MutexLock lock(mutex_);
  return by_name_.size();
}

}  // namespace schemaward::transport::http
