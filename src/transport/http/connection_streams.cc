// The streams of a session: what it listens on by GET, and how a client comes back to one that it
// has lost.

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "transport/http/connection.h"

namespace schemaward::transport::http {
namespace {

// The first revision whose clients take an event without data: it gives them an id to come back by.
constexpr std::string_view kFirstWithEmptyEvents = "2025-11-25";

}  // namespace

void Connection::OpenStream() {
  session_ = std::string(Field("Mcp-Session-Id"));
  const std::string_view version = Field("MCP-Protocol-Version");
  // 405, not 404: a client would take that for the end of its session.
  if (session_.empty() || IsWithoutSessions(version))
    return Refuse(405, "messages are sent by POST", "Allow: POST, DELETE\r\n");
  if (!AcceptedBy(Field("Accept")).stream)
    return Refuse(406, "the client must accept text/event-stream");
  if (!parser_->is_done()) return Refuse(400, "a stream is asked for without a body");
  if (!shared_.sessions->Touch(session_, principal_.id))
    return Refuse(404, "there is no such session; begin a new one");
  auto named = OptionalField("Last-Event-ID");
  // Some clients name no event in place of sending no header.
  if (named && named->empty()) named.reset();
  const auto after = named ? ReadEventId(*named) : std::nullopt;
  std::optional<Streams::Opened> opened;
  if (after) opened = shared_.streams.Resume(session_, *after, weak_from_this());
  if (!named) opened = shared_.streams.Open(session_, kListeningStream, weak_from_this());
  if (!opened) return Refuse(400, "no event of that id is kept, nor are those after it");
  if (opened->before != nullptr && opened->before.get() != this) opened->before->GiveUp();
  Replay(*opened);
}

void Connection::Replay(const Streams::Opened& opened) {
  stream_number_ = opened.last.stream;
  state_ = State::Streaming;
  ++shared_.counters.streams;
  StaysOpen();
  std::string bytes = StreamHead(in_chunks_) + FirstEvent(opened.last.number);
  for (const Streams::Event& event : opened.events)
    bytes += EventOf(event.text, in_chunks_, TextOf(event.id));
  Write(std::move(bytes));
  if (opened.has_ended) return EndStream();
  if (opened.has_missed && stream_number_ == kListeningStream)
    shared_.handler.OnMissed(session_);  // what it says comes here
  Watch();
}

// Sends the head on its way, too: nothing else may be said for long.
std::string Connection::FirstEvent(std::uint64_t number) const {
  const std::string_view version = Field("MCP-Protocol-Version");
  if (version < kFirstWithEmptyEvents) return CommentOf(in_chunks_);
  return EmptyEventOf(in_chunks_, TextOf({stream_number_, number}));
}

bool Connection::Takes(std::uint64_t number) const {
  return !is_closed_ && number == number_ &&
         (state_ == State::Waiting || state_ == State::Streaming);
}

void Connection::TakeEvent(const EventId& id, std::string_view text, bool is_last) {
  // Who does not read comes back later: what is kept is sent then.
  if (unsent_bytes_ > shared_.options.limits.unsent_bytes_max) {
    ++shared_.counters.dropped;
    return Close();
  }
  Write(EventOf(text, in_chunks_, TextOf(id)));
  if (is_last) EndStream();
}

// Returns the bytes of an event of the present request: in a session it is kept, with an id.
std::string Connection::EventBytes(std::string_view text, bool is_last) {
  if (session_.empty()) return EventOf(text, in_chunks_);
  return EventOf(text, in_chunks_,
                 TextOf(shared_.streams.Keep(session_, stream_number_, text, is_last)));
}

// Begins a stream of events as the answer to the present request. `more`: header lines.
std::string Connection::BeginEvents(std::string_view more) {
  ++shared_.counters.streams;
  std::string bytes = StreamHead(in_chunks_, more);
  if (session_.empty()) return bytes;
  shared_.streams.Open(session_, stream_number_, weak_from_this());
  if (Field("MCP-Protocol-Version") >= kFirstWithEmptyEvents) bytes += FirstEvent(0);
  return bytes;
}

void Connection::StaysOpen() {
  is_listening_ = true;
  listens_since_ = std::chrono::steady_clock::now();
}

void Connection::EndStream() {
  if (is_closed_ || state_ != State::Streaming || peer_ != nullptr) return;
  state_ = State::Finishing;
  keep_alive_ = keep_alive_ && in_chunks_;
  Write(std::string(StreamEnd(in_chunks_)));
}

void Connection::GiveUp() { peer_ == nullptr ? EndStream() : Close(); }

void Connection::EndListening() {
  if (!is_listening_) return;
  if (peer_ == nullptr) return EndStream();
  peer_->TellGone(Gone::Draining);
}

void Connection::Tick(std::chrono::steady_clock::time_point now) {
  if (!is_listening_ || state_ != State::Streaming) return;
  if (now - listens_since_ >= shared_.options.limits.listen_max) return EndListening();
  if (unsent_.empty()) Write(CommentOf(in_chunks_));
}

void SayInSession(Shared& shared, const std::string& session, std::uint64_t stream,
                  const Outgoing& outgoing) {
  if (session.empty() || outgoing.text.empty() || !shared.sessions->Has(session)) return;
  if (stream != kListeningStream && !shared.streams.Has(session, stream)) return;
  const auto at = shared.streams.At(session, stream);
  const EventId id = shared.streams.Keep(session, stream, outgoing.text, outgoing.is_last);
  if (at != nullptr && at->HasStream(stream))
    return at->TakeEvent(id, outgoing.text, outgoing.is_last);
  shared.streams.NoteUnheard(session, stream);
}

void EndSession(Shared& shared, const std::string& session) {
  shared.handler.OnClose(session, Ending::Deleted);
  for (const auto& connection : shared.streams.Forget(session)) connection->EndStream();
}

}  // namespace schemaward::transport::http
