#include "tool/answer_cache.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace schemaward::tool {
namespace {

constexpr std::size_t kEntryOverhead = 512;  // bytes: the reply's own members, list and map

// With its length, so that no two lists of parts read alike.
void AddPart(std::string& key, std::string_view part) {
  fmt::format_to(std::back_inserter(key), "{}:{}", part.size(), part);
}

std::size_t BytesOf(const std::string& key, const Reply& reply) {
  std::size_t bytes = kEntryOverhead + key.size() + reply.data_json.size();
  for (const std::string& table : reply.tables) bytes += table.size();
  return bytes;
}

// Each reader has a reply of its own: many calls run at once, each with another reader, and none of
// them can tell whether what another one kept still holds.
std::string PlaceKey(const std::string& key, const StateStamp& stamp) {
  return fmt::format("{}@{}", key, stamp.reader);
}

}  // namespace

std::string CallKey(std::string_view tool, const json::Value& args, const Principal& caller) {
  std::string key;
  AddPart(key, tool);
  AddPart(key, json::Canonical(args));
  for (const std::string& part : {caller.id, caller.client, caller.transport}) AddPart(key, part);
  key += 's';
  for (const std::string& scope : caller.scopes) AddPart(key, scope);
  key += 'c';
  for (const auto& [name, value] : caller.claims) {
    AddPart(key, name);
    AddPart(key, value);
  }
  return key;
}

std::shared_ptr<const Reply> AnswerCache::Find(const std::string& key, const StateStamp& stamp,
                                               Time now) {
  const std::string place_key = PlaceKey(key, stamp);
  const MutexLock lock(mutex_);
  const auto found = places_.find(place_key);
  if (found == places_.end()) return nullptr;
  const Place place = found->second;
  if (!(place->stamp == stamp) || now - place->made >= kKeptFor) {
    Drop(place);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, place);
  return place->reply;
}

void AnswerCache::Keep(const std::string& key, const StateStamp& stamp, Time now,
                       const Reply& reply) {
  std::string place_key = PlaceKey(key, stamp);
  const std::size_t bytes = BytesOf(place_key, reply);
  if (bytes > kReplyMax) return;
  auto kept = std::make_shared<const Reply>(reply);
  const MutexLock lock(mutex_);
  if (const auto old = places_.find(place_key); old != places_.end()) Drop(old->second);
  entries_.push_front({std::move(place_key), stamp, now, std::move(kept), bytes});
  places_.emplace(entries_.front().key, entries_.begin());
  bytes_ += bytes;
  while (bytes_ > kBytesMax) Drop(std::prev(entries_.end()));
}

std::size_t AnswerCache::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

void AnswerCache::Drop(Place place) {
  bytes_ -= place->bytes;
  places_.erase(place->key);
  entries_.erase(place);
}

}  // namespace schemaward::tool
