#include "workspaces/loopback.h"

#include <array>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace schemaward::workspaces {
namespace {

constexpr int kPollMs = 100;  // how late a stop is noticed
constexpr int kBacklog = 8;
constexpr std::size_t kHeadMax = 8'192;
constexpr std::chrono::milliseconds kPeerMax{2'000};  // for one browser to say what it wants

}  // namespace

Result<std::unique_ptr<Loopback>> Loopback::Open() {
  const auto failed = [] { return Error(ErrorKind::Internal, "no port of this machine is free"); };
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return failed();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, plain, size) != 0 || ::listen(listener, kBacklog) != 0 ||
      ::getsockname(listener, plain, &size) != 0) {
    ::close(listener);
    return failed();
  }
  return std::unique_ptr<Loopback>(new Loopback(listener, ntohs(address.sin_port)));
}

Loopback::~Loopback() {
  HangUp();
  ::close(listener_);
}

void Loopback::HangUp() {
  if (peer_ >= 0) ::close(peer_);
  peer_ = -1;
}

Status Loopback::Await(int socket, Deadline until, CallContext& ctx) {
  for (;;) {
    WARD_CHECK(ctx.Check());
    if (until.HasPassed(ctx.clock))
      return Error(ErrorKind::DeadlineExceeded, "nobody came back from the login in time");
    pollfd wait{socket, POLLIN, 0};
    if (::poll(&wait, 1, kPollMs) > 0) return Ok();
  }
}

Result<std::string> Loopback::Next(Deadline until, CallContext& ctx) {
  for (;;) {
    HangUp();
    WARD_CHECK(Await(listener_, until, ctx));
    peer_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer_ < 0) continue;
    // One that connects and is silent must not keep the browser waiting.
    const Deadline soon = until.Earlier(Deadline::After(ctx.clock, kPeerMax));
    std::string head;
    std::array<char, 2'048> buffer{};
    while (head.find("\r\n\r\n") == std::string::npos && head.size() < kHeadMax) {
      if (!Await(peer_, soon, ctx)) break;
      const ssize_t n = ::recv(peer_, buffer.data(), buffer.size(), 0);
      if (n <= 0) break;
      head.append(buffer.data(), static_cast<std::size_t>(n));
    }
    WARD_CHECK(ctx.Check());
    if (!head.empty()) return head;
  }
}

void Loopback::Answer(std::string_view status, std::string_view sentence) {
  const std::string text = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      status, sentence.size(), sentence);
  ::send(peer_, text.data(), text.size(), MSG_NOSIGNAL);
  ::shutdown(peer_, SHUT_WR);
  HangUp();
}

}  // namespace schemaward::workspaces
