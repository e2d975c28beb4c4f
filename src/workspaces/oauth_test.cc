#include "workspaces/oauth.h"

#include <array>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "workspaces/testing.h"

namespace schemaward::workspaces {
namespace {

using ::testing::HasSubstr;

// Source: RFC 7636, appendix B.
TEST(Pkce, ChallengeIsThatOfTheStandard) {
  EXPECT_EQ(ChallengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

TEST(Callback, ReadsCodeStateAndError) {
  const Callback back = ReadCallback("GET /callback?code=a%2Bb&state=s HTTP/1.1\r\nHost: x\r\n");
  EXPECT_EQ(back.code, "a+b");
  EXPECT_EQ(back.state, "s");
  EXPECT_EQ(ReadCallback("GET /callback?error=denied&state=s HTTP/1.1").error, "denied");
  EXPECT_EQ(ReadCallback("GET /favicon.ico HTTP/1.1").state, "");
  EXPECT_EQ(ReadCallback("POST /callback?code=a&state=s HTTP/1.1").state, "");
}

std::string Between(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find(begin) + begin.size();
  return text.substr(at, text.find('&', at) - at);
}

// What a browser does: one GET, and the answer read to its end.
std::string Get(int port, const std::string& target) {
  const int peer = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string seen;
  if (::connect(peer, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    ::send(peer, request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 1024> buffer{};
    for (ssize_t n = 0; (n = ::recv(peer, buffer.data(), buffer.size(), 0)) > 0;)
      seen.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(peer);
  return seen;
}

class LogInTest : public ::testing::Test {
 protected:
  LogInTest() : ctx_(clock_) {
    settings_.issuer = "https://id.test";
    settings_.client_id = "public-client";
    service_.Answer(
        "GET https://id.test/.well-known/openid-configuration", 200,
        R"({"authorization_endpoint":"https://id.test/authorize","token_endpoint":"https://id.test/token"})");
    service_.Answer("POST https://id.test/token", 200,
                    R"({"access_token":"at","refresh_token":"rt","expires_in":3600})");
  }
  ~LogInTest() override {
    if (browser_.joinable()) browser_.join();
  }

  // Comes back as `answer(state)` says, each target in turn.
  std::function<void(const std::string&)> Browser(
      std::function<std::vector<std::string>(const std::string& state)> answer) {
    return [this, answer = std::move(answer)](const std::string& url) {
      url_ = url;
      const std::string redirect = Between(url, "redirect_uri=");
      const int port = std::stoi(redirect.substr(redirect.find("%3A", 10) + 3));
      const std::string state = Between(url, "&state=");
      browser_ = std::thread([this, answer, port, state] {
        for (const std::string& target : answer(state)) pages_.push_back(Get(port, target));
      });
    };
  }

  SystemClock clock_;
  CallContext ctx_;
  FakeService service_;
  LoginSettings settings_;
  std::string url_;
  std::vector<std::string> pages_;
  std::thread browser_;
};

TEST_F(LogInTest, ExchangesTheCodeWithItsVerifier) {
  const auto tokens =
      LogIn(settings_, service_, Browser([](const std::string& state) {
              return std::vector<std::string>{"/favicon.ico", "/callback?code=x&state=another",
                                              "/callback?code=c0de&state=" + state};
            }),
            ctx_);
  ASSERT_THAT(tokens, IsOk());
  browser_.join();
  EXPECT_EQ(tokens->access_token, "at");
  EXPECT_EQ(tokens->token_endpoint, "https://id.test/token");
  EXPECT_EQ(tokens->client_id, "public-client");
  EXPECT_THAT(url_, HasSubstr("code_challenge_method=S256"));
  const std::string body = service_.seen.back().body;
  EXPECT_THAT(body, HasSubstr("code=c0de&"));
  EXPECT_EQ(ChallengeOf(body.substr(body.find("code_verifier=") + 14)),
            Between(url_, "code_challenge="));
  ASSERT_EQ(pages_.size(), 3u);
  EXPECT_THAT(pages_[1], HasSubstr("400 Bad Request"));
  EXPECT_THAT(pages_[2], HasSubstr("200 OK"));
}

TEST_F(LogInTest, AnErrorThatComesBackEndsTheLogin) {
  EXPECT_THAT(
      LogIn(settings_, service_, Browser([](const std::string& state) {
              return std::vector<std::string>{"/callback?error=access_denied&state=" + state};
            }),
            ctx_),
      IsError(ErrorKind::SourceAuthFailed));
}

TEST_F(LogInTest, ALoginThatNobodyCompletesEnds) {
  settings_.wait_max = std::chrono::milliseconds(200);
  EXPECT_THAT(LogIn(
                  settings_, service_, [](const std::string&) {}, ctx_),
              IsError(ErrorKind::DeadlineExceeded));
}

TEST_F(LogInTest, NeedsAClientIdAndADiscoveryThatIsSafe) {
  LoginSettings without = settings_;
  without.client_id.clear();
  EXPECT_THAT(LogIn(
                  without, service_, [](const std::string&) {}, ctx_),
              IsError(ErrorKind::MissingCredential));
  settings_.issuer = "https://bad.test/";
  service_.Answer(
      "GET https://bad.test/.well-known/openid-configuration", 200,
      R"({"authorization_endpoint":"http://bad.test/a","token_endpoint":"https://bad.test/t"})");
  EXPECT_THAT(LogIn(
                  settings_, service_, [](const std::string&) {}, ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

}  // namespace
}  // namespace schemaward::workspaces
