#pragma once

// One connection: reads a request, hands its message over, writes the answer, and so on. Included
// by the server alone, since it needs Boost.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "transport/http/gate.h"
#include "transport/http/shared.h"
#include "transport/http/stream.h"
#include "transport/http/streams.h"

namespace schemaward::transport::http {

/// Bytes on their way out: an answer's text is as long as all else, and is not copied behind its
/// head.
struct Unsent {
  std::string head, body;
  std::size_t size() const { return head.size() + body.size(); }
};

/// Thread: the server's. Lifetime: `shared` keeps it while it is open; what waits for the system
/// keeps it too.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `tls`: null for none.
  Connection(boost::asio::ip::tcp::socket socket, TlsContext tls, Shared& shared);

  /// Shakes hands where there is TLS, and reads the first request.
  void Open();
  /// Looks from now on whether the other side leaves before the answer to request `number`.
  void Watch(std::uint64_t number);
  /// Takes no further request: closes now where none is under way, else tells it.
  void Drain();
  /// Tells the call that runs to stop.
  void StopCall();
  /// Closes at once; a call that runs hears of it.
  void Close();

  /// Sends what is said about the present request; passes over what is said about another.
  void Take(std::uint64_t number, Outgoing outgoing);

  // connection_streams.cc
  /// Whether this is the present request, and what is said about it can be sent.
  bool Takes(std::uint64_t number) const;
  /// Whether it has that stream of its session, by GET.
  bool HasStream(std::uint64_t stream) const {
    return !is_closed_ && state_ == State::Streaming && peer_ == nullptr &&
           stream_number_ == stream;
  }
  /// Sends an event of the stream that it has.
  void TakeEvent(const EventId& id, std::string_view text, bool is_last);
  /// Ends the stream that a session has by it; does nothing where it has none.
  void EndStream();
  /// Leaves its stream to another.
  void GiveUp();
  /// Sends a comment where a stream is silent, and ends one that is open for too long.
  void Tick(std::chrono::steady_clock::time_point now);

 private:
  enum class State : std::uint8_t {
    Greeting,   // hands are shaken
    Reading,    // a request comes, or none
    Admitting,  // who sends it is found out
    Waiting,    // its message was handed over, nothing was said
    Streaming,  // events are sent
    Finishing,  // the last bytes of the answer go out
    Leaving,    // what still comes is thrown away, so that the answer is not
  };
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  // connection.cc
  void Begin();
  void EndExchange();
  void Leave();
  void ReadAway();
  void Watch();
  void OnReadable();
  void ReadAhead();
  void EndIn(std::chrono::milliseconds span);
  void AwaitDeadline();
  void OnDeadline();

  // connection_requests.cc
  void ReadHead();
  void OnHead(boost::beast::error_code failed);
  bool RespondToAnybody(std::string_view path);
  void RespondReady();
  void OnMetrics();
  bool RefuseByFailure(boost::beast::error_code failed);
  void OnHeadOfMcp();
  void ReadBody();
  void OnBody(boost::beast::error_code failed);
  void Admit(void (Connection::*then)());
  void OnAdmitted(std::uint64_t number, Admission admission, void (Connection::*then)());
  void HandOver(bool is_oversized);
  void HandOverOversized() { HandOver(true); }
  void DeleteSession();
  std::string_view Field(std::string_view name) const;
  std::optional<std::string> OptionalField(std::string_view name) const;
  bool IsRead() const;
  bool IsBodyFoundAlike() const;
  bool OccursTwice() const;

  // connection_answers.cc
  void TakeLast(Outgoing outgoing);
  std::string FieldsOf(const Outgoing& outgoing) const;
  void Refuse(int status, std::string_view why, std::string_view more = {});
  void Respond(int status, std::string_view type, std::string body, std::string_view more = {});
  bool IsForHeadAlone() const;
  void Write(std::string head, std::string body = {});
  void WriteNext();
  std::size_t WriteNow(boost::beast::error_code& failed);
  void OnWritten(boost::beast::error_code failed);

  // connection_streams.cc
  void OpenStream();
  void Replay(const Streams::Opened& opened);
  std::string FirstEvent(std::uint64_t number) const;
  std::string EventBytes(std::string_view text, bool is_last);
  std::string BeginEvents(std::string_view more = {});
  void StaysOpen();
  void EndListening();

  using Steady = std::chrono::steady_clock;

  Stream stream_;
  boost::asio::steady_timer timer_;
  Steady::time_point deadline_ = Steady::time_point::max();
  bool is_timed_ = false;  // timer_ is awaited; it may be due before the deadline, never after it
  Shared& shared_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  State state_ = State::Greeting;
  std::uint64_t number_ = 0;  // of the request
  bool keep_alive_ = false;
  bool in_chunks_ = false;  // a stream can end without the connection
  bool is_closed_ = false;
  bool is_watching_ = false;  // whether the other side goes
  bool is_ahead_ = false;     // bytes are read while a call runs; they wait in buffer_
  Accepted accepted_;
  Principal principal_;
  std::shared_ptr<RequestPeer> peer_;  // shared with the call
  std::string session_;                // whose streams it has; empty: none
  std::uint64_t stream_number_ = 0;    // of the present one
  bool is_listening_ = false;          // the request has no end of its own
  std::chrono::steady_clock::time_point listens_since_;
  std::deque<Unsent> unsent_;  // the first is being written
  std::size_t unsent_bytes_ = 0;
};

/// Says something in a stream of a session: keeps it, and sends it where somebody has the stream.
/// Thread: the server's.
void SayInSession(Shared& shared, const std::string& session, std::uint64_t stream,
                  const Outgoing& outgoing);
/// Tells the handler that a session is over, and ends its streams. Thread: the server's.
void EndSession(Shared& shared, const std::string& session);

}  // namespace schemaward::transport::http
