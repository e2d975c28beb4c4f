#include "transport/http/shared.h"

#include <utility>

#include <fmt/format.h>

namespace schemaward::transport::http {
namespace {

std::string_view PhraseOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return status < 500 ? "Error" : "Internal Server Error";
  }
}

}  // namespace

RequestPeer::RequestPeer(About about, std::shared_ptr<Sessions> sessions, Deliver deliver,
                         std::shared_ptr<const Say> say)
    : about_(std::move(about)),
      sessions_(std::move(sessions)),
      deliver_(std::move(deliver)),
      say_(std::move(say)) {}

PeerPtr RequestPeer::Channel() {
  std::string session = about_.session;
  {
    const MutexLock lock(mutex_);
    if (session.empty()) session = opened_;
  }
  if (session.empty()) return nullptr;
  return std::make_shared<SessionPeer>(std::move(session), about_.principal, say_);
}

void RequestPeer::Send(std::string_view text) {
  if (about_.can_send) deliver_({.text = std::string(text)});
}

void RequestPeer::Answer(std::string_view text, int status) {
  Outgoing last{.text = std::string(text), .status = status, .is_last = true};
  {
    const MutexLock lock(mutex_);
    last.session = opened_;
    last.evicted = evicted_;
    last.scopes = scopes_;
  }
  if (!last.scopes.empty()) last.status = kStatusForbidden;
  deliver_(std::move(last));
}

void RequestPeer::LacksScopes(const std::vector<std::string>& scopes) {
  const MutexLock lock(mutex_);
  scopes_ = scopes;
}

void RequestPeer::Drop() { deliver_({.text = {}, .is_last = true}); }

Result<std::string> RequestPeer::OpenSession() {
  WARD_TRY(Sessions::Opened opened, sessions_->Open(about_.principal.id));
  const MutexLock lock(mutex_);
  opened_ = opened.name;
  evicted_ = std::move(opened.evicted);
  return std::move(opened.name);
}

void RequestPeer::WhenGone(std::function<void(Gone)> tell) {
  {
    const MutexLock lock(mutex_);
    if (!is_closed_) {
      tell_ = std::move(tell);
      return;
    }
  }
  tell(Gone::Closed);
}

void RequestPeer::TellGone(Gone why) {
  std::function<void(Gone)> tell;
  {
    const MutexLock lock(mutex_);
    is_closed_ |= why == Gone::Closed;
    tell = tell_;
  }
  if (tell) tell(why);
}

std::string MetricsText(const Shared& shared) {
  const Counters& c = shared.counters;
  struct Line {
    std::string_view name, type, help;
    std::uint64_t value;
  };
  const Line lines[] = {
      {"http_connections_total", "counter", "Connections accepted.", c.connections},
      {"http_connections_open", "gauge", "Connections that are open.", shared.open.size()},
      {"http_requests_total", "counter", "Requests whose head was read.", c.requests},
      {"http_refused_total", "counter", "Requests refused by their head.", c.refused},
      {"http_streams_total", "counter", "Requests answered by a stream of events.", c.streams},
      {"http_abandoned_total", "counter", "Requests whose client left before the answer.",
       c.abandoned},
      {"http_timeouts_total", "counter", "Connections closed at a time limit.", c.timeouts},
      {"http_dropped_total", "counter", "Messages that a slow client did not get.", c.dropped},
      {"sessions_open", "gauge", "Sessions of the older protocol revisions.",
       shared.sessions->count()},
  };
  std::string text;
  for (const Line& line : lines)
    text +=
        fmt::format("# HELP schemaward_{0} {2}\n# TYPE schemaward_{0} {1}\nschemaward_{0} {3}\n",
                    line.name, line.type, line.help, line.value);
  return text;
}

std::string FailureJson(std::string_view why) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":null,"error":{{"code":-32600,"message":"{}"}}}})",
                     why);
}

std::string HeadOf(int status, std::string_view type, std::size_t body_bytes, bool keep_alive,
                   std::string_view more) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, PhraseOf(status));
  if (!type.empty()) out += fmt::format("Content-Type: {}\r\n", type);
  constexpr int kNoContent = 204;
  if (status != kNoContent) out += fmt::format("Content-Length: {}\r\n", body_bytes);
  out += keep_alive ? "Cache-Control: no-store\r\n"
                    : "Cache-Control: no-store\r\nConnection: close\r\n";
  out += more;
  return out += "\r\n";
}

std::string StreamHead(bool in_chunks, std::string_view more) {
  return fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
      "X-Accel-Buffering: no\r\n{}{}\r\n",
      in_chunks ? "Transfer-Encoding: chunked\r\n" : "Connection: close\r\n", more);
}

namespace {

std::string InChunk(std::string text, bool in_chunks) {
  return in_chunks ? fmt::format("{:x}\r\n{}\r\n", text.size(), text) : std::move(text);
}

}  // namespace

std::string EventOf(std::string_view message, bool in_chunks, std::string_view id) {
  std::string event;
  if (!id.empty()) event = fmt::format("id: {}\n", id);
  event += "event: message\ndata: ";
  for (const char c : message) event += c == '\n' || c == '\r' ? ' ' : c;  // a message is one line
  event += "\n\n";
  return InChunk(std::move(event), in_chunks);
}

std::string EmptyEventOf(bool in_chunks, std::string_view id) {
  return InChunk(fmt::format("id: {}\ndata: \n\n", id), in_chunks);
}

std::string CommentOf(bool in_chunks) { return InChunk(":\n\n", in_chunks); }

std::string_view StreamEnd(bool in_chunks) { return in_chunks ? "0\r\n\r\n" : ""; }

}  // namespace schemaward::transport::http
