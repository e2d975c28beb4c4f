// A server on loopback with a handler that can be told what to do, and clients on plain sockets.
#include <algorithm>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mutex.h"
#include "base/result_matchers.h"
#include "transport/http/server.h"
#include "transport/http/sessions.h"

namespace schemaward::transport::http {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Answers what a message says: "open" begins a session, "tell" says something before its answer,
// "scopes" lacks some, "keep" is answered by the test, "large" is more than sockets hold, "throw"
// throws. Thread: any.
class Script final : public Handler {
 public:
  void OnMessage(std::string_view text, const PeerPtr& peer) override {
    if (text == "throw") throw std::runtime_error("a fault");
    if (text == "note") return peer->Drop();
    if (text == "keep") return Keep(peer);
    if (text == "large") return peer->Answer(std::string(32u << 20, 'x'), kStatusOk);
    if (text == "open" && !peer->OpenSession()) return peer->Answer("full", 503);
    if (text == "tell") peer->Send("told\nearly");
    if (text == "scopes") peer->LacksScopes({"a", "b"});
    peer->Answer(fmt::format("{} session={} who={} name={}", text, peer->session(),
                             peer->principal().id, peer->head()->name.value_or("-")),
                 text == "bad"    ? 400
                 : text == "many" ? kStatusTooMany
                                  : kStatusOk);
  }
  void OnOversized(std::size_t bytes_max, const PeerPtr& peer) override {
    peer->Answer(fmt::format("more than {}", bytes_max), 413);
  }
  void OnMissed(const std::string& session) override {
    const MutexLock lock(mutex_);
    missed_.push_back(session);
  }
  void OnClose(const std::string& session, Ending) override {
    const MutexLock lock(mutex_);
    closed_.push_back(session);
  }

  PeerPtr AwaitKept() {
    const MutexLock lock(mutex_);
    while (kept_ == nullptr) changed_.wait(mutex_);
    return kept_;
  }
  // Waits for a word, and returns those that came before it.
  std::vector<Gone> AwaitGone(Gone last) {
    const MutexLock lock(mutex_);
    while (true) {
      const auto found = std::find(gone_.begin(), gone_.end(), last);
      if (found != gone_.end()) return {gone_.begin(), found};
      changed_.wait(mutex_);
    }
  }
  std::vector<std::string> missed() {
    const MutexLock lock(mutex_);
    return missed_;
  }
  std::vector<std::string> closed() {
    const MutexLock lock(mutex_);
    return closed_;
  }

 private:
  void Keep(const PeerPtr& peer) {
    peer->WhenGone([this](Gone why) {
      const MutexLock lock(mutex_);
      gone_.push_back(why);
      changed_.notify_all();
    });
    const MutexLock lock(mutex_);
    kept_ = peer;
    changed_.notify_all();
  }

  Mutex mutex_;
  CondVar changed_;
  PeerPtr kept_ GUARDED_BY(mutex_);
  std::vector<Gone> gone_ GUARDED_BY(mutex_);
  std::vector<std::string> closed_ GUARDED_BY(mutex_), missed_ GUARDED_BY(mutex_);
};

// A plain socket. Waits are bounded, so that a fault of the server fails the test.
class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_open_ = connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { Close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  Client& Say(std::string_view bytes) {
    EXPECT_TRUE(is_open_);
    send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return *this;
  }
  // Reads until `end` has come, or the other side has closed.
  std::string HearUntil(std::string_view end) {
    while (heard_.find(end) == std::string::npos && HearMore()) {
    }
    const std::size_t at = heard_.find(end);
    const std::size_t size = at == std::string::npos ? heard_.size() : at + end.size();
    std::string text = heard_.substr(0, size);
    heard_.erase(0, size);
    return text;
  }
  std::string HearAll() {
    while (HearMore()) {
    }
    return std::exchange(heard_, {});
  }
  // One answer with a Content-Length.
  std::string HearAnswer() {
    std::string head = HearUntil("\r\n\r\n");
    const std::size_t at = head.find("Content-Length: ");
    if (at == std::string::npos) return head;
    const auto size = static_cast<std::size_t>(std::stoul(head.substr(at + 16)));
    while (heard_.size() < size && HearMore()) {
    }
    head += heard_.substr(0, size);
    heard_.erase(0, size);
    return head;
  }

 private:
  bool HearMore() {
    char buffer[4096];
    const ssize_t got = recv(fd_, buffer, sizeof buffer, 0);
    if (got <= 0) return false;
    heard_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

  int fd_;
  bool is_open_ = false;
  std::string heard_;
};

std::string Post(std::string_view body, std::string_view more = {}) {
  return fmt::format(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n{}\r\n{}",
      body.size(), more, body);
}

std::string Get(std::string_view path, std::string_view more = {}) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", path, more);
}

// A peer that stands for none.
class Nobody final : public Peer {
 public:
  void Send(std::string_view) override {}
  const std::string& session() const override { return session_; }
  const Principal& principal() const override { return principal_; }

 private:
  std::string session_;
  Principal principal_;
};

Principal Named(std::string id) {
  return {.id = std::move(id), .client = {}, .transport = "http", .scopes = {}};
}

// Lets in who `who` knows, at once.
Admit AtOnce(std::function<std::optional<Principal>(std::string_view)> who) {
  return
      [who = std::move(who)](std::string_view token, const std::function<void(Admission)>& then) {
        auto principal = who(token);
        const bool is_known = principal.has_value();
        then({.principal = std::move(principal),
              .why = is_known ? "" : "not known",
              .challenge = "Bearer realm=\"x\""});
      };
}

class HttpTest : public testing::Test {
 protected:
  void SetUp() override { Start({}); }
  void TearDown() override { Stop(); }

  void Start(HttpOptions options) {
    Stop();
    auto made = Listen(std::move(options));
    ASSERT_THAT(made, IsOk());
    server_ = *std::move(made);
    thread_ = std::thread([this] { ran_ = server_->Run(script_).has_value(); });
  }
  void Stop() {
    if (server_ == nullptr) return;
    server_->Stop();
    thread_.join();
    EXPECT_TRUE(ran_);
    server_.reset();
  }
  std::string Ask(std::string_view bytes) {
    return Client(server_->port()).Say(bytes).HearAnswer();
  }
  std::string SessionOf(const std::string& answer) {
    const std::size_t at = answer.find("Mcp-Session-Id: ");
    return at == std::string::npos ? std::string() : answer.substr(at + 16, 64);
  }
  static std::string Session(const std::string& name) {
    return fmt::format("Mcp-Session-Id: {}\r\n", name);
  }

  Script script_;
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
  bool ran_ = false;
};

TEST_F(HttpTest, AMessageIsAnsweredByJson) {
  const std::string answer = Ask(Post("hello", "Mcp-Name:   a name  \r\n"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nhello session= who=anonymous name=a name"));
}

TEST_F(HttpTest, TheStatusIsTheHandlers) {
  EXPECT_THAT(Ask(Post("bad")), StartsWith("HTTP/1.1 400 "));
}

TEST_F(HttpTest, ACallerThatAsksTooMuchIsToldWhenToComeAgain) {
  const std::string answer = Ask(Post("many"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 429 Too Many Requests\r\n"));
  EXPECT_THAT(answer, HasSubstr("Retry-After: 1\r\n"));
  EXPECT_THAT(Ask(Post("bad")), Not(HasSubstr("Retry-After")));
}

TEST_F(HttpTest, WhatHasNoAnswerIsAccepted) {
  const std::string answer = Ask(Post("note"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 202 Accepted\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 0\r\n"));
}

TEST_F(HttpTest, RequestsThatComeTogetherAreAnsweredInTurn) {
  Client client(server_->port());
  client.Say(Post("one") + Post("tell") + Post("three"));
  EXPECT_THAT(client.HearAnswer(), HasSubstr("\r\n\r\none "));
  EXPECT_THAT(client.HearUntil("0\r\n\r\n"), HasSubstr("data: tell "));
  EXPECT_THAT(client.HearAnswer(), HasSubstr("\r\n\r\nthree "));
}

TEST_F(HttpTest, ARequestInPiecesIsARequest) {
  Client client(server_->port());
  for (const char c : Post("slow")) client.Say({&c, 1});
  EXPECT_THAT(client.HearAnswer(), HasSubstr("\r\n\r\nslow "));
}

TEST_F(HttpTest, WhatIsSaidBeforeTheAnswerMakesAStream) {
  const std::string answer = Client(server_->port()).Say(Post("tell")).HearUntil("0\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(answer, HasSubstr("X-Accel-Buffering: no\r\n"));
  EXPECT_THAT(answer, HasSubstr("data: told early\n\n"));
  EXPECT_THAT(answer, HasSubstr("data: tell session="));
}

TEST_F(HttpTest, AClientOfTheFirstHttpGetsAStreamThatEndsWithTheConnection) {
  std::string text = Post("tell");
  text.replace(text.find("HTTP/1.1"), 8, "HTTP/1.0");
  const std::string answer = Client(server_->port()).Say(text).HearAll();
  EXPECT_THAT(answer, Not(HasSubstr("chunked")));
  EXPECT_THAT(answer, HasSubstr("\n\nevent: message\ndata: tell "));
}

TEST_F(HttpTest, AClientThatTakesNoStreamGetsTheAnswerAlone) {
  const std::string answer =
      Ask("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          "Accept: application/json\r\nContent-Length: 4\r\n\r\ntell");
  EXPECT_THAT(answer, HasSubstr("application/json\r\n"));
  EXPECT_THAT(answer, Not(HasSubstr("told")));
}

TEST_F(HttpTest, ABodyThatWaitsForLeaveGetsIt) {
  Client client(server_->port());
  const std::string text = Post("late", "Expect: 100-continue\r\n");
  const std::size_t body = text.find("\r\n\r\n") + 4;
  client.Say(text.substr(0, body));
  EXPECT_THAT(client.HearUntil("\r\n\r\n"), StartsWith("HTTP/1.1 100 "));
  client.Say(text.substr(body));
  EXPECT_THAT(client.HearAnswer(), HasSubstr("\r\n\r\nlate "));
}

// COVERS: R-MCP-1
TEST_F(HttpTest, ASessionHasANameUntilItIsDeleted) {
  const std::string name = SessionOf(Ask(Post("open")));
  ASSERT_EQ(name.size(), 64u);
  EXPECT_THAT(Ask(Post("x", Session(name))), HasSubstr("x session=" + name));
  const std::string leave = "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + Session(name) + "\r\n";
  EXPECT_THAT(Ask(leave), StartsWith("HTTP/1.1 204 "));
  EXPECT_THAT(script_.closed(), ElementsAre(name));
  EXPECT_THAT(Ask(leave), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(Ask(Post("x", Session(name))), StartsWith("HTTP/1.1 404 "));
}

// A client begins anew on 404 and on nothing else.
TEST_F(HttpTest, ASessionThatIsNotKnownIsNotFound) {
  EXPECT_THAT(Ask(Post("x", Session("abc"))), StartsWith("HTTP/1.1 404 "));
}

TEST_F(HttpTest, TheEraWithoutSessionsPassesOverAName) {
  const std::string answer =
      Ask(Post("x", Session("abc") + "MCP-Protocol-Version: 2026-07-28\r\n"));
  EXPECT_THAT(answer, HasSubstr("x session= who="));
}

// A client takes 404 for the end of its session.
TEST_F(HttpTest, ListeningByGetWithoutASessionIsNotAllowed) {
  const std::string answer = Ask(Get("/mcp", "Accept: text/event-stream\r\n"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(answer, HasSubstr("Allow: POST, DELETE\r\n"));
}

struct RefusedRow {
  std::string_view name;
  std::string text;
  int status;
};

class HttpRefuses : public HttpTest, public testing::WithParamInterface<RefusedRow> {};

TEST_P(HttpRefuses, WithItsStatus) {
  EXPECT_THAT(Ask(GetParam().text), StartsWith(fmt::format("HTTP/1.1 {} ", GetParam().status)));
}

std::string Headed(std::string_view headers) {
  return fmt::format("POST /mcp HTTP/1.1\r\n{}Content-Length: 1\r\n\r\nx", headers);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HttpRefuses,
    testing::Values(
        RefusedRow{"garbage", "\x16\x03\x01\x02 hello\r\n\r\n", 400},
        RefusedRow{"no_host", Headed("Content-Type: application/json\r\n"), 400},
        RefusedRow{"two_hosts", Post("x", "Host: evil.example\r\n"), 400},
        RefusedRow{"two_methods", Post("x", "Mcp-Method: a\r\nMcp-Method: b\r\n"), 400},
        RefusedRow{"host_of_another", Headed("Host: evil.example\r\n"), 403},
        RefusedRow{"host_that_begins_like_ours", Headed("Host: localhost.evil.example\r\n"), 403},
        RefusedRow{"origin_of_another", Post("x", "Origin: http://evil.example\r\n"), 403},
        RefusedRow{"origin_that_begins_like_ours",
                   Post("x", "Origin: http://localhost.evil.example\r\n"), 403},
        RefusedRow{"origin_null", Post("x", "Origin: null\r\n"), 403},
        RefusedRow{"no_such_path", Get("/other"), 404},
        RefusedRow{"metrics_by_post", "POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
        RefusedRow{"not_json", Headed("Host: localhost\r\nContent-Type: text/plain\r\n"), 415},
        RefusedRow{
            "nothing_acceptable",
            Headed("Host: localhost\r\nContent-Type: application/json\r\nAccept: image/png\r\n"),
            406},
        RefusedRow{"empty_body", Post("  "), 400},
        RefusedRow{"length_and_chunks", Post("x", "Transfer-Encoding: chunked\r\n"), 400},
        RefusedRow{"two_lengths", Post("x", "Content-Length: 2\r\n"), 400},
        RefusedRow{"long_head", Post("x", "X: " + std::string(17u << 10, 'y') + "\r\n"), 431},
        RefusedRow{"long_body_from_another_page",
                   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
                   "Content-Length: 999999999\r\n\r\nx",
                   403},
        RefusedRow{"long_body_elsewhere",
                   "POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\nx",
                   413},
        RefusedRow{"a_fault_of_the_handler", Post("throw"), 500}),
    [](const auto& row) { return std::string(row.param.name); });

class HttpLets : public HttpTest, public testing::WithParamInterface<RefusedRow> {};

TEST_P(HttpLets, In) { EXPECT_THAT(Ask(GetParam().text), StartsWith("HTTP/1.1 200 ")); }

INSTANTIATE_TEST_SUITE_P(
    Rows, HttpLets,
    testing::Values(RefusedRow{"page_of_this_machine",
                               Post("x", "Origin: http://localhost:6274\r\n"), 0},
                    RefusedRow{"page_by_ipv6", Post("x", "Origin: http://[::1]:1\r\n"), 0},
                    RefusedRow{"health", Get("/healthz"), 0},
                    RefusedRow{"health_with_a_query", Get("/healthz?probe=1"), 0},
                    RefusedRow{"message_with_a_query",
                               "POST /mcp?profile=a HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                               "application/json\r\nContent-Length: 1\r\n\r\nx",
                               0},
                    RefusedRow{"ready", Get("/readyz"), 0}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(HttpTest, WhoLacksScopesIsForbiddenAndToldWhatToAskFor) {
  HttpOptions options;
  options.scope_challenge = [](const std::vector<std::string>& scopes) {
    return fmt::format("Bearer scope=\"{}\"", fmt::join(scopes, " "));
  };
  Start(std::move(options));
  const std::string refused = Ask(Post("scopes"));
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(refused, HasSubstr("\r\nWWW-Authenticate: Bearer scope=\"a b\"\r\n"));
  EXPECT_THAT(refused, HasSubstr("\r\n\r\nscopes session="));
  EXPECT_THAT(Ask(Post("plain")), Not(HasSubstr("WWW-Authenticate")));
}

TEST_F(HttpTest, SaysWhetherItIsReadyAndWhatIsNot) {
  bool is_ready = false;
  HttpOptions options;
  options.ready = [&is_ready] { return Readiness{is_ready, R"({"not_ready":["store"]})"}; };
  Start(std::move(options));
  const std::string not_yet = Ask(Get("/readyz"));
  EXPECT_THAT(not_yet, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(not_yet, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(not_yet, HasSubstr("\r\n\r\n{\"not_ready\":[\"store\"]}"));
  is_ready = true;
  EXPECT_THAT(Ask(Get("/readyz")), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpTest, ABodyAtTheBoundIsReadAndOnePastItIsNot) {
  Start({.address = {}, .limits = {.body_bytes_max = 8}});
  EXPECT_THAT(Ask(Post("12345678")), HasSubstr("\r\n\r\n12345678 "));
  EXPECT_THAT(Ask(Post("123456789")), HasSubstr("\r\n\r\nmore than 8"));
  const std::string chunks =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n5\r\n12345\r\n0\r\n\r\n";
  EXPECT_THAT(Ask(chunks), StartsWith("HTTP/1.1 413 "));
}

TEST_F(HttpTest, AConnectionThatSaysNothingInTimeIsClosed) {
  Start({.address = {}, .limits = {.head_max = milliseconds(20), .body_max = milliseconds(20)}});
  EXPECT_EQ(Client(server_->port()).Say("POST /mcp HT").HearAll(), "");
  std::string unfinished = Post("hello");
  unfinished.pop_back();
  EXPECT_EQ(Client(server_->port()).Say(unfinished).HearAll(), "");
  EXPECT_THAT(Ask(Post("after")), HasSubstr("after "));
}

TEST_F(HttpTest, AReaderThatDoesNotReadIsGivenUp) {
  Start({.address = {}, .limits = {.write_max = milliseconds(20)}});
  Client slow(server_->port());
  slow.Say(Post("large"));
  std::string metrics;
  for (int i = 0; i < 1'000 && metrics.find("timeouts_total 1\n") == std::string::npos; ++i)
    metrics = Ask(Get("/metrics"));
  EXPECT_THAT(metrics, HasSubstr("schemaward_http_timeouts_total 1\n"));
}

TEST_F(HttpTest, AConnectionHasTheTimeOfItsPresentStep) {
  Start({.address = {}, .limits = {.head_max = milliseconds(100)}});
  Client client(server_->port());
  client.Say(Post("keep"));
  const PeerPtr kept = script_.AwaitKept();
  // This one began later, so the first step's time of the other has passed with it.
  EXPECT_EQ(Client(server_->port()).HearAll(), "");
  kept->Answer("at last", kStatusOk);
  EXPECT_THAT(client.HearAnswer(), HasSubstr("\r\n\r\nat last"));
  EXPECT_THAT(client.Say(Post("next")).HearAnswer(), HasSubstr("next "));
}

TEST_F(HttpTest, AShorterStepEndsBeforeTheTimeOfALongerOne) {
  Start({.address = {}, .limits = {.idle_max = milliseconds(20)}});
  Client client(server_->port());
  EXPECT_THAT(client.Say(Post("once")).HearAnswer(), HasSubstr("once "));
  EXPECT_EQ(client.HearAll(), "");
  EXPECT_THAT(Ask(Get("/metrics")), HasSubstr("schemaward_http_timeouts_total 1\n"));
}

TEST_F(HttpTest, ALargeAnswerArrivesWhole) {
  const std::string answer = Ask(Post("large"));
  EXPECT_EQ(std::count(answer.begin(), answer.end(), 'x'), 32 << 20);
}

// COVERS: R-MCP-4
TEST_F(HttpTest, ACallHearsThatNobodyWaitsAnyMore) {
  Client client(server_->port());
  client.Say(Post("keep"));
  const PeerPtr kept = script_.AwaitKept();
  client.Close();
  script_.AwaitGone(Gone::Closed);
  kept->Answer("too late", kStatusOk);
  EXPECT_THAT(Ask(Post("after")), HasSubstr("after "));
}

TEST_F(HttpTest, WhatOneCallWaitsForKeepsNoOtherWaiting) {
  Client waiting(server_->port());
  waiting.Say(Post("keep"));
  const PeerPtr kept = script_.AwaitKept();
  EXPECT_THAT(Ask(Post("other")), HasSubstr("other "));
  kept->Answer("at last", kStatusOk);
  EXPECT_THAT(waiting.HearAnswer(), HasSubstr("\r\n\r\nat last"));
}

TEST_F(HttpTest, ConnectionsAboveTheBoundWaitForTheirTurn) {
  constexpr std::size_t kOpenMax = 4;
  Start({.address = {}, .limits = {.connections_max = kOpenMax}});
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < 5 * kOpenMax; ++i) {
    clients.push_back(std::make_unique<Client>(server_->port()));
    clients.back()->Say(Post("x"));
  }
  for (auto& client : clients) {
    EXPECT_THAT(client->HearAnswer(), HasSubstr("x session="));
    client.reset();
  }
}

TEST_F(HttpTest, ManyConnectionsAreHeldAtOnce) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<Client>(server_->port()));
    clients.back()->Say(Post("x"));
  }
  for (int round = 0; round < 2; ++round)
    for (const auto& client : clients) {
      EXPECT_THAT(client->HearAnswer(), HasSubstr("x session="));
      client->Say(Post("x"));
    }
}

TEST_F(HttpTest, WhereTokensAreAskedForNobodyElseIsServed) {
  Start({.address = {}, .admit = AtOnce([](std::string_view token) -> std::optional<Principal> {
                          if (token != "s3cret") return std::nullopt;
                          return Principal{
                              .id = "ci", .client = {}, .transport = "http", .scopes = {}};
                        })});
  const std::string without = Ask(Post("x"));
  EXPECT_THAT(without, StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(without, HasSubstr("WWW-Authenticate: Bearer realm=\"x\"\r\n"));
  EXPECT_THAT(Ask(Post("x", "Authorization: Bearer wrong\r\n")), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(Ask(Post("x", "Authorization: Basic s3cret\r\n")), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(Ask(Post("x", "Authorization: bearer s3cret\r\n")), HasSubstr("who=ci"));
  EXPECT_THAT(Ask(Get("/metrics")), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(Ask(Get("/healthz")), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpTest, WhoAsksMayBeFoundOutLaterAndNobodyElseWaitsForIt) {
  std::function<void(Admission)> later;
  Start({.address = {}, .admit = [&](std::string_view token, std::function<void(Admission)> then) {
           if (token.empty()) return then({.principal = Named("at once")});
           later = std::move(then);
           script_.OnMessage("keep", std::make_shared<Nobody>());
         }});
  Client waits(server_->port());
  waits.Say(Post("x", "Authorization: Bearer t\r\n"));
  script_.AwaitKept();
  EXPECT_THAT(Ask(Post("x")), HasSubstr("who=at once"));
  later({.principal = Named("later")});
  EXPECT_THAT(waits.HearAnswer(), HasSubstr("x session= who=later"));
}

TEST_F(HttpTest, WhoIsFoundOutWhenTheConnectionIsGoneHarmsNothing) {
  std::function<void(Admission)> later;
  Start({.address = {}, .admit = [&](std::string_view, std::function<void(Admission)> then) {
           later = std::move(then);
           script_.OnMessage("keep", std::make_shared<Nobody>());
         }});
  Client(server_->port()).Say(Post("x", "Authorization: Bearer t\r\n"));
  script_.AwaitKept();
  Stop();
  later({.principal = Named("late")});
}

TEST_F(HttpTest, ARefusalSaysWhatItWasGiven) {
  Start({.address = {}, .admit = [](std::string_view, const std::function<void(Admission)>& then) {
           then({.status = 503, .why = "no keys", .retry_after = std::chrono::seconds(5)});
         }});
  const std::string answer = Ask(Post("x"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(answer, HasSubstr("Retry-After: 5\r\n"));
  EXPECT_THAT(answer, HasSubstr("no keys"));
  EXPECT_THAT(answer, Not(HasSubstr("WWW-Authenticate")));
}

TEST_F(HttpTest, DocumentsAreReadByAnybody) {
  Start({.address = {},
         .admit = AtOnce([](std::string_view) { return std::nullopt; }),
         .documents = {{"/.well-known/x", "{}"}}});
  EXPECT_THAT(Ask(Get("/.well-known/x")), HasSubstr("application/json"));
  EXPECT_THAT(Ask(Get("/.well-known/y")), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(Ask("POST /.well-known/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"),
              StartsWith("HTTP/1.1 404 "));
}

TEST_F(HttpTest, ABodyOfAnotherCodingIsNoNextRequest) {
  for (const std::string_view codings :
       {"identity", "gzip, chunked", "chunked, chunked", "chunked\r\nTransfer-Encoding: identity",
        "identity\r\nTransfer-Encoding: chunked", "x-chunked", ""}) {
    const std::string heard =
        Client(server_->port())
            .Say(fmt::format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                             "application/json\r\nTransfer-Encoding: {}\r\n\r\n{}",
                             codings, Post("hidden")))
            .HearAll();
    EXPECT_THAT(heard, StartsWith("HTTP/1.1 400 ")) << codings;
    EXPECT_THAT(heard, HasSubstr("Connection: close\r\n")) << codings;
    EXPECT_THAT(heard, Not(HasSubstr("hidden"))) << codings;
  }
}

TEST_F(HttpTest, WhoAsksForHeadsAloneGetsNoBody) {
  Client client(server_->port());
  for (const std::string_view path : {"/healthz", "/metrics"}) {
    client.Say(fmt::format("HEAD {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
    EXPECT_THAT(client.HearUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 ")) << path;
  }
  client.Say("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(client.HearUntil("\r\n\r\n"), StartsWith("HTTP/1.1 405 "));
  client.Say(Post("next"));
  EXPECT_THAT(client.HearAnswer(), StartsWith("HTTP/1.1 200 ")) << "nothing stands before it";
}

TEST_F(HttpTest, MetricsAreOnesOwnAndTheHandlers) {
  Start({.address = {}, .metrics = [] { return std::string("calls 7\n"); }});
  const std::string answer = Ask(Get("/metrics"));
  EXPECT_THAT(answer, HasSubstr("# TYPE schemaward_http_requests_total counter\n"));
  EXPECT_THAT(answer, HasSubstr("schemaward_http_requests_total 1\n"));
  EXPECT_THAT(answer, HasSubstr("calls 7\n"));
}

TEST_F(HttpTest, AnEndWaitsForCallsAndTakesNoMore) {
  Client idle(server_->port());
  idle.Say(Post("x"));
  idle.HearAnswer();
  Client waiting(server_->port());
  waiting.Say(Post("keep"));
  const PeerPtr kept = script_.AwaitKept();
  server_->Stop();
  EXPECT_EQ(idle.HearAll(), "");
  kept->Answer("done", kStatusOk);
  EXPECT_THAT(waiting.HearAll(), HasSubstr("\r\n\r\ndone"));
}

TEST_F(HttpTest, TheSignalToTerminateEndsIt) {
  Ask(Post("x"));
  raise(SIGTERM);
  thread_.join();
  EXPECT_TRUE(ran_);
  server_.reset();
}

TEST_F(HttpTest, ASecondSignalEndsItAtOnce) {
  Start({.address = {}, .limits = {.drain_max = std::chrono::hours(1)}});
  Client waiting(server_->port());
  waiting.Say(Post("keep"));
  const PeerPtr kept = script_.AwaitKept();
  Client idle(server_->port());
  idle.Say(Post("x"));
  idle.HearAnswer();
  raise(SIGTERM);
  EXPECT_EQ(idle.HearAll(), "") << "the first signal closes what is idle";
  raise(SIGTERM);
  EXPECT_THAT(script_.AwaitGone(Gone::Closed), ElementsAre(Gone::Draining));
  thread_.join();
  server_.reset();
}

TEST_F(HttpTest, ACallThatDoesNotEndIsStoppedAndThenLeft) {
  Start({.address = {}, .limits = {.drain_max = milliseconds(10), .stop_max = milliseconds(10)}});
  Client waiting(server_->port());
  waiting.Say(Post("keep"));
  const PeerPtr kept = script_.AwaitKept();
  Stop();
  EXPECT_THAT(script_.AwaitGone(Gone::Stopping), ElementsAre(Gone::Draining));
  EXPECT_EQ(waiting.HearAll(), "");
  kept->Answer("to nobody", kStatusOk);  // the server is no more
}

TEST_F(HttpTest, ACallerPushesOutItsOwnSessionsAndNoOthers) {
  Start({.address = {},
         .limits = {.principal_sessions_max = 1},
         .admit = AtOnce([](std::string_view who) {
           return Principal{
               .id = std::string(who), .client = {}, .transport = "http", .scopes = {}};
         })});
  const std::string p = "Authorization: Bearer p\r\n", q = "Authorization: Bearer q\r\n";
  const std::string others = SessionOf(Ask(Post("open", q)));
  const std::string first = SessionOf(Ask(Post("open", p)));
  const std::string second = SessionOf(Ask(Post("open", p)));
  EXPECT_THAT(script_.closed(), ElementsAre(first));
  EXPECT_THAT(Ask(Post("x", p + Session(first))), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(Ask(Post("x", p + Session(second))), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Ask(Post("x", q + Session(others))), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpTest, AnEndDeletesTheSessions) {
  const std::string name = SessionOf(Ask(Post("open")));
  Stop();
  EXPECT_THAT(script_.closed(), ElementsAre(name));
}

TEST_F(HttpTest, APortIsTakenOnce) {
  HttpOptions options;
  options.address.port = server_->port();
  EXPECT_THAT(Listen(options), IsError(ErrorKind::InvalidArgument, HasSubstr("could not listen")));
}

TEST(Sessions, ACallersOwnThatWasNotHeardOfForLongestGivesWay) {
  Sessions sessions({.all = 8, .of_one = 2});
  const std::string others = sessions.Open("q")->name;
  const std::string a = sessions.Open("p")->name;
  const std::string b = sessions.Open("p")->name;
  EXPECT_TRUE(sessions.Touch(a, "p"));
  EXPECT_EQ(sessions.Open("p")->evicted, b);
  EXPECT_TRUE(sessions.Touch(a, "p"));
  EXPECT_FALSE(sessions.Touch(b, "p"));
  for (int i = 0; i < 20; ++i) EXPECT_THAT(sessions.Open("p")->evicted, Not(others));
  EXPECT_TRUE(sessions.Touch(others, "q"));
  EXPECT_EQ(sessions.count(), 3u);
}

TEST(Sessions, WhereAllAreTooManyThoseWhoHaveTheMostGiveWay) {
  Sessions sessions({.all = 4, .of_one = 3});
  const std::string alone = sessions.Open("q")->name;
  const std::string oldest = sessions.Open("p")->name;
  for (int i = 0; i < 2; ++i) EXPECT_THAT(sessions.Open("p"), IsOk());
  EXPECT_EQ(sessions.Open("r")->evicted, oldest);
  EXPECT_TRUE(sessions.Touch(alone, "q"));
  EXPECT_EQ(sessions.count(), 4u);
}

TEST(Sessions, AmongThoseWhoHaveAsManyTheOneNotHeardOfForLongestGivesWay) {
  Sessions sessions({.all = 2, .of_one = 2});
  const std::string a = sessions.Open("p")->name;
  const std::string b = sessions.Open("q")->name;
  EXPECT_TRUE(sessions.Touch(a, "p"));
  EXPECT_EQ(sessions.Open("r")->evicted, b);
}

TEST(Sessions, ASessionIsItsPrincipals) {
  Sessions sessions({.all = 2, .of_one = 2});
  const std::string name = sessions.Open("p")->name;
  EXPECT_FALSE(sessions.Touch(name, "q"));
  EXPECT_FALSE(sessions.Close(name, "q"));
  EXPECT_TRUE(sessions.Close(name, "p"));
  EXPECT_THAT(sessions.Names(), IsEmpty());
}

TEST(HttpAddress, IsReadAndJudged) {
  EXPECT_THAT(ReadHttpAddress("127.0.0.1:80"), IsOkAnd(HttpAddress{"127.0.0.1", 80}));
  EXPECT_THAT(ReadHttpAddress("localhost:0"), IsOkAnd(HttpAddress{"127.0.0.1", 0}));
  EXPECT_THAT(ReadHttpAddress("[::1]:65535"), IsOkAnd(HttpAddress{"::1", 65535}));
  for (const char* text : {"", "80", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                           "127.0.0.1:8x", "::1:80", "example.com:80", "127.0.0.1:-1"})
    EXPECT_THAT(ReadHttpAddress(text), IsError(ErrorKind::InvalidArgument, HasSubstr("ADDR:PORT")))
        << text;
  EXPECT_TRUE(IsLoopback({"127.8.9.1", 1}));
  EXPECT_TRUE(IsLoopback({"::1", 1}));
  EXPECT_FALSE(IsLoopback({"0.0.0.0", 1}));
  EXPECT_FALSE(IsLoopback({"::", 1}));
}

// What a session listens on, and what it comes back to.
class HttpListens : public HttpTest {
 protected:
  // A call is kept, and none is waited for.
  static constexpr HttpLimits kShortEnd{.drain_max = milliseconds(10),
                                        .stop_max = milliseconds(10)};

  void SetUp() override {
    Start({.address = {}, .limits = kShortEnd});
    Begin();
  }
  void Begin() {
    session_ = SessionOf(Ask(Post("open")));
    caller_ = std::make_unique<Client>(server_->port());
    caller_->Say(Post("keep", Session(session_)));
    kept_ = script_.AwaitKept();
  }
  std::string Listening(std::string_view more = {}) const {
    return Get("/mcp", fmt::format("Accept: text/event-stream\r\n{}{}", Session(session_), more));
  }
  void Tell(std::string_view text) { kept_->Channel()->Send(text); }
  std::string Delete() const {
    return "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + Session(session_) + "\r\n";
  }

  std::string session_;
  std::unique_ptr<Client> caller_;
  PeerPtr kept_;
};

// COVERS: R-MCP-1
TEST_F(HttpListens, ByGet) {
  Client client(server_->port());
  client.Say(Listening());
  const std::string head = client.HearUntil(":\n\n");
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"));
  EXPECT_THAT(head, HasSubstr("X-Accel-Buffering: no\r\n"));
  Tell("news");
  EXPECT_THAT(client.HearUntil("\n\n"), HasSubstr("id: 0-1\nevent: message\ndata: news\n\n"));
  EXPECT_THAT(script_.missed(), IsEmpty());
}

TEST_F(HttpListens, AndComesBackToWhatItHasNotGot) {
  {
    Client client(server_->port());
    client.Say(Listening());
    client.HearUntil(":\n\n");
    Tell("one");
    client.HearUntil("data: one\n\n");
  }
  Tell("two");
  Tell("three");
  Client again(server_->port());
  again.Say(Listening("Last-Event-ID: 0-1\r\n"));
  EXPECT_THAT(again.HearUntil("data: two\n\n"), HasSubstr("id: 0-2\n"));
  EXPECT_THAT(again.HearUntil("data: three\n\n"), HasSubstr("id: 0-3\n"));
  Tell("four");
  EXPECT_THAT(again.HearUntil("data: four\n\n"), HasSubstr("id: 0-4\n"));
  EXPECT_THAT(script_.missed(), IsEmpty());
}

TEST_F(HttpListens, WhatWasSaidBeforeItListenedIsMissed) {
  Tell("to nobody");
  Client client(server_->port());
  client.Say(Listening());
  client.HearUntil(":\n\n");
  Ask(Get("/healthz"));  // by then the thread has done with the stream
  EXPECT_THAT(script_.missed(), ElementsAre(session_));
}

TEST_F(HttpListens, AnAnswerWhoseConnectionIsLostIsComeBackTo) {
  kept_->Send("on the way");
  const std::string said = caller_->HearUntil("data: on the way\n\n");
  const std::size_t at = said.find("id: ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::string id = said.substr(at + 4, said.find('\n', at) - at - 4);
  caller_->Close();
  kept_->Answer("done", kStatusOk);
  Client again(server_->port());
  again.Say(Listening("Last-Event-ID: " + id + "\r\n"));
  EXPECT_THAT(again.HearUntil("0\r\n\r\n"), HasSubstr("data: done\n\n"));
}

TEST_F(HttpListens, WhileAnAnswerIsStillToComeItIsWaitedFor) {
  kept_->Send("on the way");
  const std::string said = caller_->HearUntil("\n\n");
  const std::size_t at = said.find("id: ");
  ASSERT_NE(at, std::string::npos) << said;
  Client again(server_->port());
  again.Say(
      Listening("Last-Event-ID: " + said.substr(at + 4, said.find('\n', at) - at - 4) + "\r\n"));
  again.HearUntil(":\n\n");
  EXPECT_THAT(caller_->HearAll(), Not(HasSubstr("data"))) << "the stream is the other's now";
  kept_->Send("nearly");
  kept_->Answer("done", kStatusOk);
  EXPECT_THAT(again.HearUntil("0\r\n\r\n"),
              testing::AllOf(HasSubstr("data: nearly\n\n"), HasSubstr("data: done\n\n")));
}

TEST_F(HttpListens, AClientOfTheLastSessionEraGetsAnIdAtOnce) {
  Client client(server_->port());
  client.Say(Listening("MCP-Protocol-Version: 2025-11-25\r\n"));
  EXPECT_THAT(client.HearUntil("\n\n"), HasSubstr("id: 0-0\ndata: \n\n"));
}

TEST_F(HttpListens, TheLatestStreamTakesThePlaceOfTheOneBefore) {
  Client first(server_->port()), second(server_->port());
  first.Say(Listening());
  first.HearUntil(":\n\n");
  second.Say(Listening());
  second.HearUntil(":\n\n");
  EXPECT_THAT(first.HearUntil("0\r\n\r\n"), HasSubstr("0\r\n\r\n"));
  Tell("news");
  EXPECT_THAT(second.HearUntil("\n\n"), HasSubstr("data: news"));
}

TEST_F(HttpListens, UntilItsSessionIsDeleted) {
  Client client(server_->port());
  client.Say(Listening());
  client.HearUntil(":\n\n");
  EXPECT_THAT(Ask(Delete()), StartsWith("HTTP/1.1 204 "));
  EXPECT_THAT(client.HearUntil("0\r\n\r\n"), HasSubstr("0\r\n\r\n"));
  Tell("to nobody");
  EXPECT_THAT(Ask(Listening()), StartsWith("HTTP/1.1 404 "));
}

TEST_F(HttpListens, UntilTheServerEnds) {
  Client client(server_->port());
  client.Say(Listening());
  client.HearUntil(":\n\n");
  kept_->Answer("done", kStatusOk);
  caller_->HearAnswer();
  std::thread stopping([this] { Stop(); });
  EXPECT_THAT(client.HearUntil("0\r\n\r\n"), HasSubstr("0\r\n\r\n"));
  client.Close();
  stopping.join();
}

TEST_F(HttpListens, NotForEver) {
  Start({.address = {}, .limits = {.keep_alive = milliseconds(1), .listen_max = milliseconds(0)}});
  session_ = SessionOf(Ask(Post("open")));
  EXPECT_THAT(Client(server_->port()).Say(Listening()).HearUntil("0\r\n\r\n"),
              HasSubstr("0\r\n\r\n"));
}

TEST_F(HttpListens, ASilentStreamIsKeptAliveByComments) {
  Start({.address = {}, .limits = {.keep_alive = milliseconds(1)}});
  session_ = SessionOf(Ask(Post("open")));
  Client client(server_->port());
  client.Say(Listening());
  for (int i = 0; i < 3; ++i) EXPECT_THAT(client.HearUntil(":\n\n"), HasSubstr(":\n\n"));
}

TEST_F(HttpListens, FromTheBeginningWhereNoEventIsNamed) {
  EXPECT_THAT(Client(server_->port()).Say(Listening("Last-Event-ID: \r\n")).HearUntil("\r\n\r\n"),
              StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpListens, WhatCannotBeOpenedSaysWhy) {
  struct Row {
    std::string text;
    int status;
  };
  const std::string accept = "Accept: text/event-stream\r\n";
  const Row rows[] = {
      {Get("/mcp", accept + Session("abc")), 404},
      {Get("/mcp", accept + Session(session_) + "MCP-Protocol-Version: 2026-07-28\r\n"), 405},
      {Get("/mcp", "Accept: application/json\r\n" + Session(session_)), 406},
      {Get("/mcp", accept + Session(session_) + "Content-Length: 1\r\n"), 400},
      {Listening("Last-Event-ID: 0-9\r\n"), 400},
      {Listening("Last-Event-ID: 77-1\r\n"), 400},
      {Listening("Last-Event-ID: 0-1x\r\n"), 400},
      {Listening("Last-Event-ID: -\r\n"), 400},
  };
  for (const Row& row : rows)
    EXPECT_THAT(Ask(row.text), StartsWith(fmt::format("HTTP/1.1 {} ", row.status))) << row.text;
}

}  // namespace
}  // namespace schemaward::transport::http
