// What a connection reads: a request, judged by its head, admitted, and handed over.

#include <array>
#include <exception>
#include <iterator>
#include <utility>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <fmt/format.h>

#include "transport/http/connection.h"

namespace schemaward::transport::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using beast::error_code;

constexpr std::string_view kEndpoint = "/mcp";
constexpr std::string_view kTextType = "text/plain; charset=utf-8";
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr int kOld = 10;  // HTTP/1.0 as a number: it has no chunks

// Headers that two readers could take for different ones where they occur twice.
constexpr std::array<std::string_view, 7> kOnce = {
    "Host",       "Authorization", "Mcp-Session-Id", "MCP-Protocol-Version",
    "Mcp-Method", "Mcp-Name",      "Content-Type"};

beast::string_view Of(std::string_view text) { return {text.data(), text.size()}; }
std::string_view Of(beast::string_view text) { return {text.data(), text.size()}; }

// What is asked for, without what a client or a balancer adds to it.
std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

bool IsParseFailure(error_code failed) {
  static const error_code sample = beast::http::make_error_code(beast::http::error::bad_method);
  return failed.category() == sample.category() && failed != beast::http::error::end_of_stream &&
         failed != beast::http::error::partial_message;
}

}  // namespace

void Connection::ReadHead() {
  beast::http::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](error_code failed, std::size_t) { self->OnHead(failed); });
}

void Connection::OnHead(error_code failed) {
  if (is_closed_) return;
  ++number_;
  // A body that is too long is known by the head, which has been read: it is judged as any other.
  const bool is_oversized = failed == beast::http::error::body_limit;
  if (failed && !is_oversized) {
    keep_alive_ = false;
    if (!RefuseByFailure(failed)) Close();
    return;
  }
  ++shared_.counters.requests;
  const auto& request = parser_->get();
  const bool is_old = request.version() <= kOld;
  keep_alive_ = request.keep_alive() && !is_old && !is_oversized;
  in_chunks_ = !is_old;
  if (!IsBodyFoundAlike()) {
    keep_alive_ = false;
    return Refuse(400, "the only Transfer-Encoding that is read is chunked");
  }
  if (OccursTwice()) return Refuse(400, "a header occurs twice that may occur once");
  if (!is_old && Field("Host").empty()) return Refuse(400, "the header Host is missing");
  if (!Field("Host").empty() && !IsOurHost(Field("Host"), shared_.options))
    return Refuse(403, "the header Host names another server");
  if (const auto origin = OptionalField("Origin"); origin && !IsOurOrigin(*origin, shared_.options))
    return Refuse(403, "pages of this origin may not ask");
  const std::string_view path = PathOf(Of(request.target()));
  if (is_oversized && path == kEndpoint) return Admit(&Connection::HandOverOversized);
  if (is_oversized) return (void)RefuseByFailure(failed);
  if (IsRead() && RespondToAnybody(path)) return;
  if (path == kEndpoint) return Admit(&Connection::OnHeadOfMcp);
  if (path == "/metrics") return Admit(&Connection::OnMetrics);
  Refuse(404, "there is nothing here");
}

// Answers a read that nobody is asked who they are for. Returns false where it is no such one.
bool Connection::RespondToAnybody(std::string_view path) {
  const auto& documents = shared_.options.documents;
  if (path == "/healthz") {
    Respond(200, kTextType, "ok\n");
  } else if (path == "/readyz") {
    RespondReady();
  } else if (const auto found = documents.find(path); found != documents.end()) {
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
  if (!IsRead()) return Refuse(405, "metrics are read by GET", "Allow: GET\r\n");
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

void Connection::DeleteSession() {
  const std::string session(Field("Mcp-Session-Id"));
  if (session.empty() || IsWithoutSessions(Field("MCP-Protocol-Version")))
    return Refuse(405, "there is no session to delete", "Allow: POST\r\n");
  if (!shared_.sessions->Close(session, principal_.id))
    return Refuse(404, "there is no such session");
  EndSession(shared_, session);
  Respond(204, {}, {});
}

std::string_view Connection::Field(std::string_view name) const {
  return Of(parser_->get()[Of(name)]);
}

std::optional<std::string> Connection::OptionalField(std::string_view name) const {
  const auto found = parser_->get().find(Of(name));
  if (found == parser_->get().end()) return std::nullopt;
  return std::string(Of(found->value()));
}

bool Connection::IsRead() const {
  return parser_->get().method() == beast::http::verb::get || IsForHeadAlone();
}

// Of a coding that it does not know the parser makes a request without a body, and of the body the
// next request: what stands in front of us may have read another. Source: RFC 9112, 6.1 and 6.3.
bool Connection::IsBodyFoundAlike() const {
  const auto [first, last] = parser_->get().equal_range(beast::http::field::transfer_encoding);
  if (first == last) return true;
  return std::next(first) == last && beast::iequals(first->value(), "chunked");
}

bool Connection::OccursTwice() const {
  for (const std::string_view name : kOnce)
    if (parser_->get().count(Of(name)) > 1) return true;
  return false;
}

}  // namespace schemaward::transport::http
