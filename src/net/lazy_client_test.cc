// The module itself, against a server of a few lines on loopback.
#include "net/lazy_client.h"

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/result_matchers.h"

namespace schemaward::net {
namespace {

using ::testing::HasSubstr;

// Answers one connection with fixed bytes, or with nothing until it is closed.
class OneAnswer {
 public:
  explicit OneAnswer(std::string bytes) : bytes_(std::move(bytes)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::listen(listener_, 1);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~OneAnswer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  /// Requires: the answer has arrived.
  const std::string& seen() const { return seen_; }
  bool was_asked() const { return was_asked_; }

 private:
  void Serve() {
    const int peer = ::accept(listener_, nullptr, nullptr);
    if (peer < 0) return;
    std::array<char, 4096> buffer{};
    // A silent server waits here until the client hangs up.
    for (ssize_t n = 0; (n = ::recv(peer, buffer.data(), buffer.size(), 0)) > 0;) {
      seen_.append(buffer.data(), static_cast<std::size_t>(n));
      was_asked_ = true;
      if (bytes_.empty() || seen_.find("\r\n\r\n") == std::string::npos) continue;
      ::send(peer, bytes_.data(), bytes_.size(), MSG_NOSIGNAL);
      break;
    }
    ::close(peer);
  }

  std::string bytes_, seen_;
  std::atomic<bool> was_asked_ = false;
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
};

class LazyClient : public ::testing::Test {
 protected:
  SystemClock clock_;
  CallContext ctx_{clock_};
  LazyHttpClient client_{{std::string(WARD_BINARY_DIR) + "/lib/schemaward"}};
};

TEST_F(LazyClient, GivesStatusTypeBodyAndTheWait) {
  OneAnswer server(
      "HTTP/1.1 429 Too Many\r\nContent-Type: application/json; charset=utf-8\r\n"
      "Retry-After: 2\r\nContent-Length: 2\r\n\r\n{}");
  const auto answer = client_.Send(
      {.method = "GET", .url = server.url("/v1/x?a=b"), .headers = {{"X-Key", "v"}}}, ctx_);
  ASSERT_TRUE(answer) << answer.error().ToLogText();
  EXPECT_EQ(answer->status, 429);
  EXPECT_EQ(answer->content_type, "application/json");
  EXPECT_EQ(answer->body, "{}");
  EXPECT_EQ(answer->retry_after_ms, 2'000);
  EXPECT_THAT(server.seen(), HasSubstr("GET /v1/x?a=b HTTP/1.1\r\n"));
  EXPECT_THAT(server.seen(), HasSubstr("X-Key: v\r\n"));
}

TEST_F(LazyClient, SendsABodyAndFollowsNoRedirect) {
  OneAnswer server(
      "HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
  const auto answer =
      client_.Send({.method = "POST", .url = server.url("/"), .body = R"({"a":1})"}, ctx_);
  ASSERT_TRUE(answer) << answer.error().ToLogText();
  EXPECT_EQ(answer->status, 307);
  EXPECT_THAT(server.seen(), HasSubstr("POST / HTTP/1.1\r\n"));
}

TEST_F(LazyClient, RefusesAnAnswerThatIsTooLong) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345");
  EXPECT_THAT(client_.Send({.url = server.url("/"), .bytes_max = 4}, ctx_),
              IsError(ErrorKind::ByteCap));
}

TEST_F(LazyClient, GivesABodyPieceByPieceOnlyWhereTheAnswerIsASuccess) {
  for (const auto& [status, in_pieces] : {std::pair{200, true}, {503, false}}) {
    OneAnswer server("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: 5\r\n\r\n12345");
    std::string heard;
    const auto hear = [&](std::string_view piece) {
      heard += piece;
      return Ok();
    };
    const auto answer = client_.Send({.url = server.url("/"), .on_piece = hear}, ctx_);
    ASSERT_TRUE(answer) << answer.error().ToLogText();
    EXPECT_EQ(heard, in_pieces ? "12345" : "");
    EXPECT_EQ(answer->body, in_pieces ? "" : "12345");
  }
}

TEST_F(LazyClient, EndsATransferWithTheErrorOfItsTaker) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345");
  const auto refuse = [](std::string_view) -> Status {
    return Error(ErrorKind::InputUnreadable, "not wanted");
  };
  EXPECT_THAT(client_.Send({.url = server.url("/"), .on_piece = refuse}, ctx_),
              IsError(ErrorKind::InputUnreadable));
}

TEST_F(LazyClient, BoundsABodyThatComesInPieces) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345");
  const auto take = [](std::string_view) { return Ok(); };
  EXPECT_THAT(client_.Send({.url = server.url("/"), .bytes_max = 4, .on_piece = take}, ctx_),
              IsError(ErrorKind::ByteCap));
}

TEST_F(LazyClient, SaysThatABodyBrokeOff) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345");
  const auto take = [](std::string_view) { return Ok(); };
  EXPECT_THAT(client_.Send({.url = server.url("/"), .on_piece = take}, ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

TEST_F(LazyClient, GivesUpOnAServerThatSaysNothing) {
  OneAnswer server("");
  EXPECT_THAT(
      client_.Send({.url = server.url("/"), .time_max = std::chrono::milliseconds(300)}, ctx_),
      IsError(ErrorKind::SourceUnreachable));
}

TEST_F(LazyClient, StopsWhenTheCallerDoes) {
  OneAnswer server("");
  std::stop_source stop;
  ctx_.stop = stop.get_token();
  std::thread later([&] {
    while (!server.was_asked()) std::this_thread::yield();
    stop.request_stop();
  });
  const auto answer = client_.Send({.url = server.url("/")}, ctx_);
  later.join();
  EXPECT_THAT(answer, IsError(ErrorKind::Cancelled));
}

TEST_F(LazyClient, SaysOfAnAbsentServerNothingButThatItIsAway) {
  const auto answer = client_.Send(
      {.url = "http://127.0.0.1:1/secret-path", .headers = {{"Authorization", "Bearer s3cret"}}},
      ctx_);
  EXPECT_THAT(answer, IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(answer.error().ToLogText().find("s3cret"), std::string::npos);
}

TEST_F(LazyClient, RefusesPlainHttpAcrossANetwork) {
  EXPECT_THAT(client_.Send({.url = "http://api.example.com/"}, ctx_),
              IsError(ErrorKind::InvalidArgument));
}

TEST(LazyClientWithoutModule, SaysThatTheModuleIsNotInstalled) {
  SystemClock clock;
  CallContext ctx(clock);
  LazyHttpClient client({"/nonexistent"});
  EXPECT_THAT(client.Send({.url = "https://127.0.0.1:1/"}, ctx),
              IsError(ErrorKind::EngineUnavailable));
}

}  // namespace
}  // namespace schemaward::net
