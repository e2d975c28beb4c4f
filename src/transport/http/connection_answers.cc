// What a connection writes: the messages about the present request, and answers of its own.

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "transport/http/connection.h"

namespace schemaward::transport::http {
namespace {

namespace asio = boost::asio;
using boost::beast::error_code;

// To all; as one who asks too much, its caller is told when to come again.
constexpr int kUnavailable = 503;

// What is left of `unsent` once `sent` of it are sent.
std::array<asio::const_buffer, 2> BuffersOf(const Unsent& unsent, std::size_t sent) {
  const std::size_t of_head = std::min(sent, unsent.head.size());
  return {asio::buffer(unsent.head) + of_head, asio::buffer(unsent.body) + (sent - of_head)};
}

}  // namespace

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

void Connection::Refuse(int status, std::string_view why, std::string_view more) {
  ++shared_.counters.refused;
  Respond(status, kJsonType, FailureJson(why), more);
}

// The request may have a body that nobody reads: the connection ends with it then.
void Connection::Respond(int status, std::string_view type, std::string body,
                         std::string_view more) {
  keep_alive_ = keep_alive_ && parser_->is_done();
  state_ = State::Finishing;
  std::string head = HeadOf(status, type, body.size(), keep_alive_, more);
  if (IsForHeadAlone()) body.clear();
  Write(std::move(head), std::move(body));
}

bool Connection::IsForHeadAlone() const {
  return parser_->get().method() == boost::beast::http::verb::head;
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

}  // namespace schemaward::transport::http
