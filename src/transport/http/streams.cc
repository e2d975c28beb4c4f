#include "transport/http/streams.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace schemaward::transport::http {
namespace {

constexpr std::size_t kPlacesSpare = 1'024;  // of events that are gone, before they are looked for

std::optional<std::uint64_t> ReadNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string TextOf(const EventId& id) { return fmt::format("{}-{}", id.stream, id.number); }

std::optional<EventId> ReadEventId(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto stream = ReadNumber(text.substr(0, dash)), number = ReadNumber(text.substr(dash + 1));
  if (!stream || !number) return std::nullopt;
  return EventId{*stream, *number};
}

Streams::Stream* Streams::Find(const std::string& session, std::uint64_t stream) {
  return const_cast<Stream*>(std::as_const(*this).Find(session, stream));
}

const Streams::Stream* Streams::Find(const std::string& session, std::uint64_t stream) const {
  const auto streams = sessions_.find(session);
  if (streams == sessions_.end()) return nullptr;
  const auto found = streams->second.find(stream);
  return found == streams->second.end() ? nullptr : &found->second;
}

Streams::Opened Streams::Open(const std::string& session, std::uint64_t stream,
                              std::weak_ptr<Connection> at) {
  OfSession& streams = sessions_[session];
  const auto answers = [&] { return streams.size() - streams.count(kListeningStream); };
  // Numbers grow: the first that is not the listening one is the oldest.
  while (stream != kListeningStream && answers() >= bounds_.session_streams)
    DropStream(streams, streams.upper_bound(kListeningStream));
  Stream& opened = streams[stream];
  opened.is_open = true;
  return {.last = {stream, opened.last},
          .has_missed = std::exchange(opened.is_unheard, false),
          .before = std::exchange(opened.at, std::move(at)).lock()};
}

std::optional<Streams::Opened> Streams::Resume(const std::string& session, const EventId& after,
                                               std::weak_ptr<Connection> at) {
  Stream* const stream = Find(session, after.stream);
  if (stream == nullptr || !stream->is_open || after.number > stream->last) return std::nullopt;
  Opened opened{.last = after, .has_ended = stream->has_ended};
  for (const Event& event : stream->events)
    if (event.id.number > after.number) opened.events.push_back(event);
  opened.has_missed = opened.events.size() < stream->last - after.number;
  stream->is_unheard = false;
  opened.before = std::exchange(stream->at, std::move(at)).lock();
  return opened;
}

bool Streams::Has(const std::string& session, std::uint64_t stream) const {
  return Find(session, stream) != nullptr;
}

EventId Streams::Keep(const std::string& session, std::uint64_t stream, std::string_view text,
                      bool is_last) {
  Stream& kept = sessions_[session][stream];
  const EventId id{stream, kept.is_open ? ++kept.last : 0};
  kept.has_ended |= is_last;
  if (!kept.is_open) {
    kept.is_unheard = true;
    return id;
  }
  while (!kept.events.empty() && (kept.events.size() >= bounds_.stream_events ||
                                  kept.bytes + text.size() > bounds_.stream_bytes))
    DropOldest(kept);
  if (text.size() > bounds_.stream_bytes) return id;
  kept.events.push_back({id, std::string(text)});
  kept.bytes += text.size();
  bytes_ += text.size();
  ++count_;
  order_.push_back({session, id});
  MakeRoom();
  return id;
}

std::shared_ptr<Connection> Streams::At(const std::string& session, std::uint64_t stream) const {
  const Stream* const found = Find(session, stream);
  return found == nullptr ? nullptr : found->at.lock();
}

void Streams::NoteUnheard(const std::string& session, std::uint64_t stream) {
  if (Stream* const found = Find(session, stream)) found->is_unheard = true;
}

std::vector<std::shared_ptr<Connection>> Streams::Forget(const std::string& session) {
  std::vector<std::shared_ptr<Connection>> had;
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return had;
  for (auto& [number, stream] : found->second) {
    if (auto at = stream.at.lock()) had.push_back(std::move(at));
    bytes_ -= stream.bytes;
    count_ -= stream.events.size();
  }
  sessions_.erase(found);
  return had;
}

void Streams::DropOldest(Stream& stream) {
  const std::size_t size = stream.events.front().text.size();
  stream.bytes -= size;
  bytes_ -= size;
  --count_;
  stream.events.pop_front();
}

void Streams::DropStream(OfSession& streams, OfSession::iterator which) {
  bytes_ -= which->second.bytes;
  count_ -= which->second.events.size();
  streams.erase(which);
}

void Streams::MakeRoom() {
  while (!order_.empty()) {
    const bool is_there = IsThere(order_.front());
    if (is_there && bytes_ <= bounds_.all_bytes) break;
    if (is_there) DropOldest(*Find(order_.front().session, order_.front().id.stream));
    order_.pop_front();
  }
  if (order_.size() <= 2 * count_ + kPlacesSpare) return;
  std::erase_if(order_, [this](const Place& place) { return !IsThere(place); });
}

bool Streams::IsThere(const Place& place) const {
  const Stream* const stream = Find(place.session, place.id.stream);
  return stream != nullptr && !stream->events.empty() &&
         stream->events.front().id.number <= place.id.number;
}

}  // namespace schemaward::transport::http
