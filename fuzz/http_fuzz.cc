// Any bytes to the HTTP server before a whole MCP server: what comes back is nothing or begins as
// an HTTP answer, and the next client is served. $SESSION in them stands for a session that is
// there, so that its streams are reached.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "mcp/test_support.h"
#include "transport/http/server.h"

namespace {

namespace ward = schemaward;

// A server that lives as long as the process.
struct World {
  World() {
    ward::log::SetLevel(ward::log::Level::Off);
    server.door.Open();
    std::thread([this] { (void)http->Run(server.server); }).detach();
  }
  ward::mcp::testing::TestServer server{{.threads = 2, .queue_max = 64}};
  std::unique_ptr<ward::transport::HttpServer> http =
      *ward::transport::http::Listen({.address = {}, .limits = {.body_bytes_max = 64u << 10}});
};

// Ends the run with what was wrong: an input may pass alone and fail after others.
[[noreturn]] void Fail(const char* what, std::string_view heard) {
  std::fprintf(stderr, "%s (errno %d), heard %zu bytes: %.*s\n", what, errno, heard.size(),
               static_cast<int>(heard.size()), heard.data());
  __builtin_trap();
}

// A connect that a signal interrupts goes on by itself: it is waited for.
bool Connect(int fd, const sockaddr_in& address) {
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
  if (errno != EINTR) return false;
  pollfd waited{fd, POLLOUT, 0};
  while (poll(&waited, 1, -1) < 0 && errno == EINTR) {
  }
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

// Says `bytes`, then that there is no more, and returns what comes back until the other side
// closes.
std::string Ask(std::uint16_t port, std::string_view bytes) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!Connect(fd, address)) Fail("no connection", {});
  send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  shutdown(fd, SHUT_WR);
  std::string heard;
  char buffer[4096];
  while (true) {
    const ssize_t got = recv(fd, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;  // libFuzzer counts the time by a signal
    if (got <= 0) break;
    heard.append(buffer, static_cast<std::size_t>(got));
  }
  close(fd);
  return heard;
}

std::string_view BodyOfInitialize() {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})";
}

// Begins a session and returns its name.
std::string OpenSession(std::uint16_t port) {
  const std::string_view body = BodyOfInitialize();
  const std::string heard =
      Ask(port,
          "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: "
          "close\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
  constexpr std::string_view kHeader = "Mcp-Session-Id: ";
  constexpr std::size_t kNameBytes = 64;
  const std::size_t at = heard.find(kHeader);
  if (at == std::string::npos) Fail("no session", heard);
  return heard.substr(at + kHeader.size(), kNameBytes);
}

std::string WithSession(std::string bytes, const std::string& session) {
  constexpr std::string_view kWord = "$SESSION";
  for (std::size_t at = 0; (at = bytes.find(kWord, at)) != std::string::npos; at += session.size())
    bytes.replace(at, kWord.size(), session);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static World& world = *new World;  // never ended: its thread serves to the last
  const std::uint16_t port = world.http->port();
  // Anew each time: an input may delete it.
  const std::string bytes =
      WithSession({reinterpret_cast<const char*>(data), size}, OpenSession(port));
  const std::string heard = Ask(port, bytes);
  world.server.server.Tell({{"shop"}});
  if (!heard.empty() && !heard.starts_with("HTTP/1.1 ")) Fail("no HTTP answer", heard);
  const std::string health =
      Ask(port, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  if (!health.starts_with("HTTP/1.1 200 ")) Fail("the next client is not served", health);
  return 0;
}
