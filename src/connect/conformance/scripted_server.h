#pragma once

// A server that says what it was told to, for what no real server at hand says. For tests only.

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace schemaward::connect {

/// Takes one connection on loopback. Thread: the test's own; it has one more, which ends with it.
class ScriptedServer {
 public:
  struct Step {
    bool waits = false;  ///< for something that the client says, before this is said
    std::string says;
  };

  explicit ScriptedServer(std::vector<Step> steps) : steps_(std::move(steps)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener_ < 0 || bind(listener_, plain, size) != 0 || listen(listener_, 1) != 0 ||
        getsockname(listener_, plain, &size) != 0)
      throw std::runtime_error("a test's own server cannot listen");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Play(); });
  }
  ~ScriptedServer() { (void)Heard(); }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return port_; }

  /// All that the client said. Requires: the client has hung up, or will not come.
  const std::string& Heard() {
    shutdown(listener_, SHUT_RDWR);  // wakes a thread to which nobody came
    if (thread_.joinable()) thread_.join();
    if (listener_ >= 0) close(std::exchange(listener_, -1));
    return heard_;
  }

 private:
  void Play() {
    const int client = accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    for (const Step& step : steps_) {
      if (step.waits && !Hear(client)) break;
      (void)send(client, step.says.data(), step.says.size(), MSG_NOSIGNAL);
    }
    shutdown(client, SHUT_WR);
    while (Hear(client)) continue;
    close(client);
  }
  bool Hear(int client) {
    std::array<char, 4096> piece{};
    const ssize_t size = recv(client, piece.data(), piece.size(), 0);
    if (size > 0) heard_.append(piece.data(), static_cast<std::size_t>(size));
    return size > 0;
  }

  const std::vector<Step> steps_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::string heard_;
  std::thread thread_;
};

}  // namespace schemaward::connect
