#include "transport/http/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <fmt/format.h>
#include <sys/socket.h>

namespace schemaward::transport::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using beast::error_code;

constexpr std::string_view kEndpoint = "/mcp";
constexpr std::string_view kTextType = "text/plain; charset=utf-8";
constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::size_t kBufferBytesMax = 128u << 10;  // read ahead of what is taken apart
constexpr std::size_t kAheadBytesMax = 16u << 10;    // of a request that comes early, under TLS
constexpr std::chrono::milliseconds kLeaveMax{1'000};
constexpr int kUnavailable =
    503;                  // to all; as one who asks too much, its caller is told when to come again
constexpr int kOld = 10;  // HTTP/1.0 as a number: it has no chunks

// Headers that two readers could take for different ones where they occur twice.
constexpr std::array<std::string_view, 7> kOnce = {
    "Host",       "Authorization", "Mcp-Session-Id", "MCP-Protocol-Version",
    "Mcp-Method", "Mcp-Name",      "Content-Type"};

beast::string_view Of(std::string_view text) { return {text.data(), text.size()}; }
std::string_view Of(beast::string_view text) { return {text.data(), text.size()}; }

bool IsParseFailure(error_code failed) {
  static const error_code sample = beast::http::make_error_code(beast::http::error::bad_method);
  return failed.category() == sample.category() && failed != beast::http::error::end_of_stream &&
         failed != beast::http::error::partial_message;
}

// A failure as JSON-RPC writes it; `why` is ours, so it needs no escapes.
std::string FailureJson(std::string_view why) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":null,"error":{{"code":-32600,"message":"{}"}}}})",
                     why);
}

// What is left of `unsent` once `sent` of it are sent.
std::array<asio::const_buffer, 2> BuffersOf(const Unsent& unsent, std::size_t sent) {
  const std::size_t of_head = std::min(sent, unsent.head.size());
  return {asio::buffer(unsent.head) + of_head, asio::buffer(unsent.body) + (sent - of_head)};
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, TlsContext tls, Shared& shared)
    : stream_(std::move(socket), std::move(tls)),
      timer_(stream_.get_executor()),
      shared_(shared),
      buffer_(kBufferBytesMax) {
  error_code ignored;
  stream_.socket().non_blocking(true, ignored);
}

void Connection::Open() {
  if (!stream_.HasTls()) return Begin();
  EndIn(shared_.options.limits.head_max);
  stream_.async_handshake([self = shared_from_this()](error_code failed) {
    if (!self->is_closed_) failed ? self->Close() : self->Begin();
  });
}

void Connection::Begin() {
  if (shared_.is_draining && buffer_.size() == 0) return Close();
  const HttpLimits& limits = shared_.options.limits;
  state_ = State::Reading;
  accepted_ = {};
  principal_ = {};
  session_.clear();
  is_listening_ = false;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limits.head_bytes_max));
  parser_->body_limit(limits.body_bytes_max);
  EndIn(number_ == 0 ? limits.head_max : limits.idle_max);
  if (!is_ahead_) ReadHead();  // else it goes on where that read ends
}

void Connection::ReadHead() {
  beast::http::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](error_code failed, std::size_t) { self->OnHead(failed); });
}

void Connection::OnHead(error_code failed) {
  if (is_closed_) return;
  ++number_;
  if (failed) {
    keep_alive_ = false;
    if (failed == beast::http::error::body_limit && Of(parser_->get().target()) == kEndpoint)
      return Admit(&Connection::HandOverOversized);
    if (!RefuseByFailure(failed)) Close();
    return;
  }
  ++shared_.counters.requests;
  const auto& request = parser_->get();
  const bool is_old = request.version() <= kOld;
  keep_alive_ = request.keep_alive() && !is_old;
  in_chunks_ = !is_old;
  if (OccursTwice()) return Refuse(400, "a header occurs twice that may occur once");
  if (!is_old && Field("Host").empty()) return Refuse(400, "the header Host is missing");
  if (!Field("Host").empty() && !IsOurHost(Field("Host"), shared_.options))
    return Refuse(403, "the header Host names another server");
  if (const auto origin = OptionalField("Origin"); origin && !IsOurOrigin(*origin, shared_.options))
    return Refuse(403, "pages of this origin may not ask");
  const std::string_view target = Of(request.target());
  if (request.method() == beast::http::verb::get && RespondToAnybody(target)) return;
  if (target == kEndpoint) return Admit(&Connection::OnHeadOfMcp);
  if (target == "/metrics") return Admit(&Connection::OnMetrics);
  Refuse(404, "there is nothing here");
}

// Answers a read that nobody is asked who they are for. Returns false where it is no such one.
bool Connection::RespondToAnybody(std::string_view target) {
  const auto& documents = shared_.options.documents;
  if (target == "/healthz") {
    Respond(200, kTextType, "ok\n");
  } else if (target == "/readyz") {
    RespondReady();
  } else if (const auto found = documents.find(target); found != documents.end()) {
    Respond(200, kJsonType, found->second);
  } else {
    return false;
  }
  return true;
}

void Connection::RespondReady() {
  if (shared_.is_draining)
    return Respond(503, kJsonType, R"({"ready":false,"not_ready":["server"]})");
  if (!shared_.options.ready) return Respond(200, kJsonType, R"({"ready":true,"not_ready":[]})");
  const Readiness readiness = shared_.options.ready();
  Respond(readiness.is_ready ? 200 : 503, kJsonType, readiness.json);
}

void Connection::OnMetrics() {
  if (parser_->get().method() != beast::http::verb::get)
    return Refuse(405, "metrics are read by GET", "Allow: GET\r\n");
  std::string metrics = MetricsText(shared_);
  if (shared_.options.metrics) metrics += shared_.options.metrics();
  Respond(200, kMetricsType, metrics);
}

// Answers where the request itself is at fault. Returns false where the connection is.
bool Connection::RefuseByFailure(error_code failed) {
  if (!IsParseFailure(failed)) return false;
  if (failed == beast::http::error::header_limit)
    Refuse(431, "the head of the request is too long");
  else if (failed == beast::http::error::body_limit)
    Refuse(413, "the body of the request is too long");
  else
    Refuse(400, "the request is not HTTP/1.1");
  return true;
}

void Connection::OnHeadOfMcp() {
  const auto method = parser_->get().method();
  if (method == beast::http::verb::delete_) return DeleteSession();
  if (method == beast::http::verb::get) return OpenStream();
  if (method != beast::http::verb::post)
    return Refuse(405, "messages are sent by POST", "Allow: GET, POST, DELETE\r\n");
  if (!IsJson(Field("Content-Type")))
    return Refuse(415, "the Content-Type must be application/json");
  accepted_ = AcceptedBy(Field("Accept"));
  if (!accepted_.json && !accepted_.stream)
    return Refuse(406, "the client must accept application/json and text/event-stream");
  const std::string session(Field("Mcp-Session-Id"));
  const bool names_session = !session.empty() && !IsWithoutSessions(Field("MCP-Protocol-Version"));
  if (names_session && !shared_.sessions->Touch(session, principal_.id))
    return Refuse(404, "there is no such session; begin a new one");
  if (parser_->is_done()) return OnBody({});
  if (!beast::iequals(parser_->get()["Expect"], "100-continue")) return ReadBody();
  EndIn(shared_.options.limits.write_max);
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(stream_, asio::buffer(kContinue),
                    [self = shared_from_this()](error_code failed, std::size_t) {
                      failed ? self->Close() : self->ReadBody();
                    });
}

void Connection::ReadBody() {
  if (is_closed_) return;
  EndIn(shared_.options.limits.body_max);
  beast::http::async_read(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](error_code failed, std::size_t) { self->OnBody(failed); });
}

void Connection::OnBody(error_code failed) {
  if (is_closed_) return;
  if (failed == beast::http::error::body_limit) {
    keep_alive_ = false;
    return HandOver(true);
  }
  if (failed) {
    keep_alive_ = false;
    if (!RefuseByFailure(failed)) Close();
    return;
  }
  if (parser_->get().body().find_first_not_of(" \t\r\n") == std::string::npos)
    return Refuse(400, "the body is empty");
  HandOver(false);
}

void Connection::HandOver(bool is_oversized) {
  state_ = State::Waiting;
  deadline_ = Steady::time_point::max();
  const bool in_session = !IsWithoutSessions(Field("MCP-Protocol-Version"));
  RequestPeer::About about{
      .session = in_session ? std::string(Field("Mcp-Session-Id")) : std::string(),
      .principal = principal_,
      .head = {OptionalField("MCP-Protocol-Version"), OptionalField("Mcp-Method"),
               OptionalField("Mcp-Name")},
      .can_send = accepted_.stream};
  session_ = about.session;
  stream_number_ = session_.empty() ? 0 : shared_.streams.NewNumber();
  // A call may end when the connection, or the server, is no more: it reaches both through weak
  // hands, and what it posts is looked at on the server's thread alone.
  auto deliver = [weak = weak_from_this(), number = number_, session = session_,
                  stream = stream_number_, context = shared_.keeps_context, &shared = shared_,
                  executor = stream_.get_executor()](Outgoing outgoing) {
    asio::dispatch(executor, [weak, number, session, stream, &shared,
                              outgoing = std::move(outgoing)]() mutable {
      const auto self = weak.lock();
      if (self != nullptr && self->Takes(number)) return self->Take(number, std::move(outgoing));
      if (!outgoing.evicted.empty()) EndSession(shared, outgoing.evicted);
      SayInSession(shared, session, stream, outgoing);
    });
  };
  peer_ = std::make_shared<RequestPeer>(std::move(about), shared_.sessions, std::move(deliver),
                                        shared_.say);
  const std::string body = std::move(parser_->get().body());
  const auto peer = peer_;
  try {
    if (is_oversized)
      shared_.handler.OnOversized(shared_.options.limits.body_bytes_max, peer);
    else
      shared_.handler.OnMessage(body, peer);
  } catch (const std::exception&) {
    peer->Answer(FailureJson("a fault of this program"), 500);
  }
  if (state_ == State::Waiting || state_ == State::Streaming)
    shared_.watch_later(weak_from_this(), number_);
}

void Connection::Take(std::uint64_t number, Outgoing outgoing) {
  if (!Takes(number)) return;
  if (outgoing.stays_open) return StaysOpen();
  if (outgoing.is_last) return TakeLast(std::move(outgoing));
  std::string bytes;
  if (state_ == State::Waiting) bytes = BeginEvents();
  state_ = State::Streaming;
  bytes += EventBytes(outgoing.text, false);
  if (unsent_bytes_ <= shared_.options.limits.unsent_bytes_max) return Write(std::move(bytes));
  ++shared_.counters.dropped;
  if (is_listening_) Close();  // it begins anew and reads again, where a call still has its answer
}

void Connection::TakeLast(Outgoing outgoing) {
  if (!outgoing.evicted.empty()) EndSession(shared_, outgoing.evicted);
  const bool is_stream =
      state_ == State::Streaming ||
      (!accepted_.json && outgoing.status == kStatusOk && !outgoing.text.empty());
  const bool began = state_ == State::Streaming;
  state_ = State::Finishing;
  const std::string more = FieldsOf(outgoing);
  if (!is_stream) {
    constexpr int kAccepted = 202;
    const bool is_empty = outgoing.text.empty();
    std::string head =
        HeadOf(is_empty ? kAccepted : outgoing.status, is_empty ? std::string_view() : kJsonType,
               outgoing.text.size(), keep_alive_, more);
    return Write(std::move(head), std::move(outgoing.text));
  }
  keep_alive_ = keep_alive_ && in_chunks_;
  std::string bytes;
  if (!began) bytes = BeginEvents(more);
  if (!outgoing.text.empty()) bytes += EventBytes(outgoing.text, true);
  bytes += StreamEnd(in_chunks_);
  Write(std::move(bytes));
}

// The header lines that say more of an answer.
std::string Connection::FieldsOf(const Outgoing& outgoing) const {
  const auto& challenge = shared_.options.scope_challenge;
  std::string lines;
  if (!outgoing.session.empty()) lines = fmt::format("Mcp-Session-Id: {}\r\n", outgoing.session);
  if (outgoing.status == kStatusTooMany || outgoing.status == kUnavailable)
    lines += fmt::format("Retry-After: {}\r\n", kRetryAfter.count());
  if (!outgoing.scopes.empty() && challenge)
    lines += fmt::format("WWW-Authenticate: {}\r\n", challenge(outgoing.scopes));
  return lines;
}

std::string_view Connection::Field(std::string_view name) const {
  return Of(parser_->get()[Of(name)]);
}

std::optional<std::string> Connection::OptionalField(std::string_view name) const {
  const auto found = parser_->get().find(Of(name));
  if (found == parser_->get().end()) return std::nullopt;
  return std::string(Of(found->value()));
}

bool Connection::OccursTwice() const {
  for (const std::string_view name : kOnce)
    if (parser_->get().count(Of(name)) > 1) return true;
  return false;
}

// Finds out whose request it is and goes on by `then`, or refuses it. Where that takes time, the
// connection may be gone by then: it is reached through weak hands, as by the answer of a call.
void Connection::Admit(void (Connection::*then)()) {
  const HttpOptions& options = shared_.options;
  if (!options.admit) {
    principal_ = options.anybody;
    return (this->*then)();
  }
  state_ = State::Admitting;
  deadline_ = Steady::time_point::max();
  options.admit(BearerToken(Field("Authorization")),
                [weak = weak_from_this(), number = number_, context = shared_.keeps_context,
                 executor = stream_.get_executor(), then](Admission admission) {
                  asio::dispatch(executor,
                                 [weak, number, admission = std::move(admission), then]() mutable {
                                   if (const auto self = weak.lock())
                                     self->OnAdmitted(number, std::move(admission), then);
                                 });
                });
}

void Connection::OnAdmitted(std::uint64_t number, Admission admission, void (Connection::*then)()) {
  if (is_closed_ || number != number_ || state_ != State::Admitting) return;
  state_ = State::Reading;
  if (admission.principal) {
    principal_ = *std::move(admission.principal);
    return (this->*then)();
  }
  std::string more;
  if (!admission.challenge.empty())
    more = fmt::format("WWW-Authenticate: {}\r\n", admission.challenge);
  if (admission.retry_after.count() > 0)
    more += fmt::format("Retry-After: {}\r\n", admission.retry_after.count());
  Refuse(admission.status, admission.why, more);
}

void Connection::DeleteSession() {
  const std::string session(Field("Mcp-Session-Id"));
  if (session.empty() || IsWithoutSessions(Field("MCP-Protocol-Version")))
    return Refuse(405, "there is no session to delete", "Allow: POST\r\n");
  if (!shared_.sessions->Close(session, principal_.id))
    return Refuse(404, "there is no such session");
  EndSession(shared_, session);
  Respond(204, {}, {});
}

// A request that is refused may have a body that nobody reads: the connection ends with it.
void Connection::Refuse(int status, std::string_view why, std::string_view more) {
  ++shared_.counters.refused;
  keep_alive_ = keep_alive_ && parser_->is_done();
  state_ = State::Finishing;
  std::string body = FailureJson(why);
  std::string head = HeadOf(status, kJsonType, body.size(), keep_alive_, more);
  Write(std::move(head), std::move(body));
}

void Connection::Respond(int status, std::string_view type, std::string_view body) {
  keep_alive_ = keep_alive_ && parser_->is_done();
  state_ = State::Finishing;
  Write(HeadOf(status, type, body.size(), keep_alive_), std::string(body));
}

void Connection::Write(std::string head, std::string body) {
  unsent_bytes_ += head.size() + body.size();
  unsent_.push_back({std::move(head), std::move(body)});
  if (unsent_.size() == 1) WriteNext();
}

// Most of what is written fits into the system's buffer: then nothing is waited for.
void Connection::WriteNext() {
  while (!unsent_.empty()) {
    error_code failed;
    const std::size_t sent = WriteNow(failed);
    if (failed) return Close();
    if (sent < unsent_.front().size()) {
      EndIn(shared_.options.limits.write_max);
      return asio::async_write(
          stream_, BuffersOf(unsent_.front(), sent),
          [self = shared_from_this()](error_code broken, std::size_t) { self->OnWritten(broken); });
    }
    unsent_bytes_ -= sent;
    unsent_.pop_front();
  }
  deadline_ = Steady::time_point::max();
  if (state_ == State::Finishing) EndExchange();
}

// Returns how much of what is next is sent without waiting; under TLS nothing is.
std::size_t Connection::WriteNow(error_code& failed) {
  if (stream_.HasTls()) return 0;
  const std::size_t sent = stream_.socket().write_some(BuffersOf(unsent_.front(), 0), failed);
  if (failed == asio::error::would_block) failed.clear();
  return sent;
}

void Connection::OnWritten(error_code failed) {
  if (is_closed_) return;
  if (failed) return Close();
  unsent_bytes_ -= unsent_.front().size();
  unsent_.pop_front();
  WriteNext();
}

void Connection::EndExchange() {
  peer_.reset();
  if (keep_alive_ && !shared_.is_draining) return Begin();
  Leave();
}

// Closing while bytes of the other side wait unread would take back what was just written.
void Connection::Leave() {
  state_ = State::Leaving;
  error_code ignored;
  EndIn(kLeaveMax);
  if (stream_.HasTls() && !is_ahead_)
    return stream_.async_shutdown([self = shared_from_this()](error_code) { self->Close(); });
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  if (is_ahead_) return;  // it closes where that read ends
  ReadAway();
}

void Connection::ReadAway() {
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(kBufferBytesMax),
                          [self = shared_from_this()](error_code failed, std::size_t) {
                            failed ? self->Close() : self->ReadAway();
                          });
}

void Connection::Watch(std::uint64_t number) {
  if (number == number_) Watch();
}

void Connection::Watch() {
  if (is_closed_ || is_watching_) return;
  if (state_ != State::Waiting && state_ != State::Streaming) return;
  is_watching_ = true;
  stream_.socket().async_wait(asio::ip::tcp::socket::wait_read,
                              [self = shared_from_this()](error_code failed) {
                                self->is_watching_ = false;
                                if (!failed) self->OnReadable();
                              });
}

// While a call runs, nothing should come but the end: then nobody waits for the answer. A next
// request that comes early waits, and hides the end until its turn.
void Connection::OnReadable() {
  if (is_closed_ || (state_ != State::Waiting && state_ != State::Streaming)) return;
  if (stream_.HasTls()) return ReadAhead();
  char first = 0;
  const ssize_t got = recv(stream_.socket().native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
  if (got > 0) return;
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Watch();
  Close();
}

// The present step has so long. The timer of an earlier step goes on where it is due before, since
// to look at the clock then is cheaper than to set a timer for each step.
void Connection::EndIn(std::chrono::milliseconds span) {
  deadline_ = Steady::now() + span;
  if (!is_timed_ || deadline_ < timer_.expiry()) AwaitDeadline();
}

void Connection::AwaitDeadline() {
  is_timed_ = true;
  timer_.expires_at(deadline_);
  timer_.async_wait([self = shared_from_this()](error_code failed) {
    if (!failed) self->OnDeadline();
  });
}

void Connection::OnDeadline() {
  is_timed_ = false;
  if (is_closed_ || deadline_ == Steady::time_point::max()) return;
  if (deadline_ > Steady::now()) return AwaitDeadline();
  if (state_ != State::Leaving) ++shared_.counters.timeouts;
  Close();
}

// What comes under TLS may be the end in its own words, which only a read understands. A next
// request that comes early is kept, and hides the end until its turn.
void Connection::ReadAhead() {
  if (buffer_.size() > 0) return;
  is_ahead_ = true;
  stream_.async_read_some(buffer_.prepare(kAheadBytesMax),
                          [self = shared_from_this()](error_code failed, std::size_t size) {
                            self->is_ahead_ = false;
                            if (self->is_closed_) return;
                            if (failed || self->state_ == State::Leaving) return self->Close();
                            self->buffer_.commit(size);
                            if (self->state_ == State::Reading) self->ReadHead();
                          });
}

void Connection::Drain() {
  const bool is_idle = state_ == State::Reading && buffer_.size() == 0;
  if (is_idle || state_ == State::Admitting || state_ == State::Greeting) return Close();
  peer_ == nullptr ? EndStream() : peer_->TellGone(Gone::Draining);
}

void Connection::StopCall() {
  if (peer_ != nullptr) peer_->TellGone(Gone::Stopping);
}

void Connection::Close() {
  if (is_closed_) return;
  const auto self = shared_from_this();
  is_closed_ = true;
  if (peer_ != nullptr) {
    ++shared_.counters.abandoned;
    std::exchange(peer_, nullptr)->TellGone(Gone::Closed);
  }
  timer_.cancel();
  stream_.close();
  shared_.open.erase(self);
  shared_.on_closed();
}

}  // namespace schemaward::transport::http
