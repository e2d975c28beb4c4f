#include "mcp/listeners.h"

#include <utility>

#include <fmt/format.h>

#include "json/value.h"
#include "mcp/resource_uri.h"
#include "rpc/message.h"

namespace schemaward::mcp {
namespace {

// Whether what is read at `uri` may be other than before.
bool Concerns(const Change& change, const std::string& uri) {
  const auto resource = ReadUri(uri);
  if (!resource || resource->kind->tool.empty()) return false;
  return resource->names.empty() ? !change.sources.empty()
                                 : change.sources.contains(resource->names.front());
}

std::string Notification(std::string_view method, std::string members, const std::string& request) {
  if (!request.empty()) members += (members.empty() ? "" : ",") + SubscriptionMeta(request);
  return rpc::EncodeNotification(method, '{' + members + '}');
}

}  // namespace

std::string SubscriptionMeta(const std::string& id) {
  return fmt::format(R"("_meta":{{"io.modelcontextprotocol/subscriptionId":{}}})", id);
}

void Listeners::Add(const Key& key, Listener listener) {
  const MutexLock lock(mutex_);
  entries_.try_emplace(key, Entry{std::move(listener)});
}

void Listeners::Open(const Key& key) {
  std::vector<Letter> letters;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.is_open) return;
    found->second.is_open = true;
    const Change missed = std::exchange(found->second.missed, {});
    letters.push_back(LetterOf(key, found->second, &missed));
  }
  Send(letters);
}

bool Listeners::Subscribe(const Key& key, const std::string& uri) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  std::set<std::string>& uris = found->second.listener.interests.uris;
  if (uris.size() >= kSubscriptionsMax && !uris.contains(uri)) return false;
  uris.insert(uri);
  return true;
}

void Listeners::Unsubscribe(const Key& key, const std::string& uri) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) found->second.listener.interests.uris.erase(uri);
}

void Listeners::End(const Key& key) {
  std::function<void()> end;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    end = std::move(found->second.listener.end);
    entries_.erase(found);
  }
  if (end) end();
}

void Listeners::End(const Session& session) {
  std::vector<Key> keys;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, entry] : entries_)
      if (key.session == &session) keys.push_back(key);
  }
  for (const Key& key : keys) End(key);
}

void Listeners::Tell(const Change& change) {
  std::vector<Letter> letters;
  {
    const MutexLock lock(mutex_);
    for (auto& [key, entry] : entries_) {
      if (entry.is_open)
        letters.push_back(LetterOf(key, entry, &change));
      else
        entry.missed.sources.insert(change.sources.begin(), change.sources.end());
    }
  }
  Send(letters);
}

void Listeners::TellAll(const Key& key) {
  std::vector<Letter> letters;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || !found->second.is_open) return;
    letters.push_back(LetterOf(key, found->second, nullptr));
  }
  Send(letters);
}

void Listeners::SetLog(const Key& key, LogLevel least) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) found->second.listener.interests.log = least;
}

void Listeners::Log(const LogMessage& message) {
  const std::string said = rpc::EncodeNotification(
      "notifications/message",
      fmt::format(R"({{"level":"{}","logger":"schemaward","data":{{"event":{},"message":{}}}}})",
                  kLogLevelNames[static_cast<std::size_t>(message.level)],
                  json::Quote(message.event), json::Quote(message.text)));
  std::vector<Letter> letters;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, entry] : entries_) {
      const std::optional<LogLevel> least = entry.listener.interests.log;
      if (entry.is_open && least && message.level >= *least)
        letters.push_back({entry.listener.channel, entry.listener.may_speak, {said}});
    }
  }
  Send(letters);
}

Hearing Listeners::hearing() const {
  Hearing hearing;
  const MutexLock lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    const Interests& interests = entry.listener.interests;
    hearing.changes |= interests.lists || !interests.uris.empty();
    hearing.log |= interests.log.has_value();
  }
  return hearing;
}

std::size_t Listeners::count() const {
  const MutexLock lock(mutex_);
  return entries_.size();
}

// Without a change: all that it hears of.
Listeners::Letter Listeners::LetterOf(const Key& key, const Entry& entry, const Change* change) {
  const Listener& listener = entry.listener;
  Letter letter{listener.channel, listener.may_speak, {}};
  if (listener.interests.lists && (change == nullptr || !change->sources.empty()))
    letter.messages.push_back(
        Notification("notifications/resources/list_changed", {}, key.request));
  for (const std::string& uri : listener.interests.uris)
    if (change == nullptr || Concerns(*change, uri))
      letter.messages.push_back(Notification("notifications/resources/updated",
                                             R"("uri":)" + json::Quote(uri), key.request));
  return letter;
}

void Listeners::Send(const std::vector<Letter>& letters) {
  for (const Letter& letter : letters)
    for (const std::string& message : letter.messages)
      if (!letter.may_speak || letter.may_speak()) letter.channel->Send(message);
}

}  // namespace schemaward::mcp
