#include "llm/stub_server.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ascii.h"

namespace schemaward::llm {
namespace {

constexpr int kBacklog = 16;
constexpr std::size_t kRequestBytesMax = 64U << 20U;

// The length of the whole request, head and body, or 0 while the head is not complete.
std::size_t WholeLength(const std::string& text) {
  const std::size_t head = text.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const std::string lower = LowerAscii(text.substr(0, head));
  const std::size_t at = lower.find("content-length:");
  std::size_t length = 0;
  if (at != std::string::npos)
    length = static_cast<std::size_t>(std::strtoull(lower.c_str() + at + 15, nullptr, 10));
  return head + 4 + length;
}

}  // namespace

StubAnswer Answer(int status, const std::string& body, const std::string& headers) {
  return {{fmt::format("HTTP/1.1 {} Stub\r\nContent-Length: {}\r\nConnection: close\r\n{}\r\n{}",
                       status, body.size(), headers, body)}};
}

StubServer::StubServer(std::vector<StubAnswer> answers) : answers_(std::move(answers)) {
  assert(!answers_.empty() && "a stub server needs an answer");
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  end_ = ::eventfd(0, EFD_CLOEXEC);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, plain, size) == 0 && ::listen(listener_, kBacklog) == 0 &&
      ::getsockname(listener_, plain, &size) == 0)
    port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

StubServer::~StubServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(end_, &one, sizeof one);
  thread_.join();
  ::close(listener_);
  ::close(end_);
}

std::string StubServer::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

std::vector<std::string> StubServer::Requests() {
  MutexLock lock(mutex_);
  return requests_;
}

bool StubServer::WaitReadable(int socket) const {
  pollfd both[2] = {{socket, POLLIN, 0}, {end_, POLLIN, 0}};
  return ::poll(both, 2, -1) > 0 && both[1].revents == 0;
}

std::string StubServer::ReadRequest(int connection) const {
  std::string text;
  char buffer[16384];
  while (text.size() < kRequestBytesMax) {
    const std::size_t whole = WholeLength(text);
    if (whole > 0 && text.size() >= whole) break;
    if (!WaitReadable(connection)) break;
    const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

void StubServer::AnswerOne(int connection, const StubAnswer& answer) {
  for (const std::string& piece : answer.pieces) {
    std::size_t sent = 0;
    while (sent < piece.size()) {
      const ssize_t now =
          ::send(connection, piece.data() + sent, piece.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) return;
      sent += static_cast<std::size_t>(now);
    }
  }
  if (answer.holds) WaitReadable(connection);
}

void StubServer::Serve() {
  for (std::size_t n = 0; WaitReadable(listener_); ++n) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    std::string request = ReadRequest(connection);
    {
      MutexLock lock(mutex_);
      requests_.push_back(std::move(request));
    }
    AnswerOne(connection, answers_[std::min(n, answers_.size() - 1)]);
    ::close(connection);
  }
}

}  // namespace schemaward::llm
