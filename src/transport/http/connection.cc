#include "transport/http/connection.h"

#include <cerrno>
#include <utility>

#include <sys/socket.h>

namespace schemaward::transport::http {
namespace {

namespace asio = boost::asio;
using boost::beast::error_code;

constexpr std::size_t kBufferBytesMax = 128u << 10;  // read ahead of what is taken apart
constexpr std::size_t kAheadBytesMax = 16u << 10;    // of a request that comes early, under TLS
constexpr std::chrono::milliseconds kLeaveMax{1'000};

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
