#pragma once

// What is said in the streams of sessions, kept for a while, so that a client that has lost a
// stream can come back to it by the id of the last event that it got. No header of Boost here.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::transport::http {

class Connection;

/// Names an event of a session, as STREAM-NUMBER.
struct EventId {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;  ///< from 1; 0: before the first
  bool operator==(const EventId&) const = default;
};
std::string TextOf(const EventId& id);
/// Returns nothing where `text` is no id.
std::optional<EventId> ReadEventId(std::string_view text);

/// The stream that a session listens on; those of answers have other numbers.
inline constexpr std::uint64_t kListeningStream = 0;

/// Bounded: the oldest events give way, and who comes back for them is told that it has missed
/// some. Thread: the server's.
class Streams {
 public:
  struct Bounds {
    std::size_t stream_events = 256;
    std::size_t stream_bytes = 512u << 10;
    std::size_t session_streams = 8;  ///< beside the one that it listens on
    std::size_t all_bytes = 32u << 20;
  };
  explicit Streams(Bounds bounds) : bounds_(bounds) {}

  struct Event {
    EventId id;
    std::string text;
  };
  /// What a client gets that opens a stream or comes back to it.
  struct Opened {
    EventId last;  ///< the event that `events` come after
    std::vector<Event> events{};
    bool has_missed = false;               ///< something was said that is not among them
    bool has_ended = false;                ///< nothing more will be said
    std::shared_ptr<Connection> before{};  ///< who had the stream until now; may be null
  };

  /// Returns a number for the stream of an answer.
  std::uint64_t NewNumber() { return ++last_stream_; }
  /// Begins a stream, or goes on with the one that the session listens on.
  Opened Open(const std::string& session, std::uint64_t stream, std::weak_ptr<Connection> at);
  /// Goes on after an event. Nothing where there is no such stream any more, or never was.
  std::optional<Opened> Resume(const std::string& session, const EventId& after,
                               std::weak_ptr<Connection> at);
  bool Has(const std::string& session, std::uint64_t stream) const;
  /// Keeps an event and returns its id. What is said to a session that never opened the stream is
  /// not kept, but counts as missed.
  EventId Keep(const std::string& session, std::uint64_t stream, std::string_view text,
               bool is_last);
  /// Returns who has the stream; null: nobody, or who is gone.
  std::shared_ptr<Connection> At(const std::string& session, std::uint64_t stream) const;
  /// Something was kept that nobody has got.
  void NoteUnheard(const std::string& session, std::uint64_t stream);
  /// The session is over. Returns who has its streams.
  std::vector<std::shared_ptr<Connection>> Forget(const std::string& session);
  std::size_t kept_bytes() const { return bytes_; }
  std::size_t place_count() const { return order_.size(); }

 private:
  struct Stream {
    std::uint64_t last = 0;  // number of the newest event
    std::deque<Event> events{};
    std::size_t bytes = 0;
    bool is_open = false;     // somebody has had it
    bool is_unheard = false;  // something was said while nobody had it
    bool has_ended = false;
    std::weak_ptr<Connection> at{};
  };
  using OfSession = std::map<std::uint64_t, Stream>;
  struct Place {
    std::string session;
    EventId id;
  };

  Stream* Find(const std::string& session, std::uint64_t stream);
  const Stream* Find(const std::string& session, std::uint64_t stream) const;
  void DropOldest(Stream& stream);
  void DropStream(OfSession& streams, OfSession::iterator which);
  /// Keeps to all_bytes; forgets the places of events that are gone before they add up.
  void MakeRoom();
  bool IsThere(const Place& place) const;

  const Bounds bounds_;
  std::uint64_t last_stream_ = kListeningStream;
  std::size_t bytes_ = 0, count_ = 0;  // of the events that are kept
  std::map<std::string, OfSession> sessions_;
  std::deque<Place> order_;  // of events, oldest first; some are gone
};

}  // namespace schemaward::transport::http
