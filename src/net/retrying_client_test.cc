#include "net/retrying_client.h"

#include <deque>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::net {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Answers in order; the last one stands.
class Scripted final : public HttpClient {
 public:
  Result<HttpResponse> Send(const HttpRequest& /*request*/, CallContext& /*ctx*/) override {
    ++asked;
    if (answers.empty()) return Error(ErrorKind::SourceUnreachable, "a service does not answer");
    HttpResponse answer = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return answer;
  }
  void Say(int status, std::optional<std::int64_t> retry_after_ms = {}) {
    answers.push_back({status, "application/json", "{}", retry_after_ms});
  }

  std::deque<HttpResponse> answers;
  int asked = 0;
};

class RetryingTest : public ::testing::Test {
 protected:
  Result<HttpResponse> Send(const std::string& method = "GET") {
    RetryRules rules;
    rules.jitter = [this] { return jitter_; };
    rules.wait = [this](milliseconds span, CallContext& /*ctx*/) {
      waited_.push_back(span.count());
      clock_.Advance(span);
      if (stops_while_waiting_) stop_.request_stop();
    };
    RetryingClient client(service_, rules);
    ctx_.stop = stop_.get_token();
    HttpRequest request;
    request.method = method;
    request.url = "https://api.test/v1/regions";
    return client.Send(request, ctx_);
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  Scripted service_;
  std::vector<std::int64_t> waited_;
  std::stop_source stop_;
  bool stops_while_waiting_ = false;
  double jitter_ = 0.0;
};

TEST_F(RetryingTest, AsksAgainWhereTheServiceIsBusy) {
  for (const int status : {429, 500, 502, 503, 504}) {
    service_.answers.clear();
    service_.asked = 0;
    service_.Say(status);
    service_.Say(200);
    const auto answer = Send();
    ASSERT_THAT(answer, IsOk());
    EXPECT_EQ(answer->status, 200) << status;
    EXPECT_EQ(service_.asked, 2) << status;
  }
}

TEST_F(RetryingTest, GivesTheLastAnswerAfterThreeTries) {
  service_.Say(503);
  const auto answer = Send();
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(service_.asked, 3);
}

TEST_F(RetryingTest, WaitsLongerEachTimeAndNeverAlike) {
  service_.Say(500);
  ASSERT_THAT(Send(), IsOk());
  jitter_ = 0.5;
  ASSERT_THAT(Send(), IsOk());
  EXPECT_THAT(waited_, ElementsAre(100, 200, 150, 300));
}

TEST_F(RetryingTest, WaitsAsLongAsTheServiceAsks) {
  service_.Say(429, 1'500);
  service_.Say(200);
  ASSERT_THAT(Send(), IsOk());
  EXPECT_THAT(waited_, ElementsAre(1'500));
}

TEST_F(RetryingTest, LeavesALongWaitToTheCaller) {
  service_.Say(429, 3'000);
  const auto answer = Send();
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->retry_after_ms, 3'000);
  EXPECT_EQ(service_.asked, 1);
}

TEST_F(RetryingTest, WaitsNeverBeyondTheDeadline) {
  service_.Say(429, 1'000);
  ctx_.deadline = Deadline::After(clock_, milliseconds(1'000));
  const auto answer = Send();
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->status, 429);
  EXPECT_THAT(waited_, IsEmpty());
}

TEST_F(RetryingTest, AsksAgainForNothingThatChanges) {
  for (const char* method : {"POST", "DELETE", "PUT", "PATCH"}) {
    service_.asked = 0;
    service_.answers.clear();
    service_.Say(503);
    ASSERT_THAT(Send(method), IsOk());
    EXPECT_EQ(service_.asked, 1) << method;
  }
}

TEST_F(RetryingTest, AsksOnceWhereTheAnswerWillNotChange) {
  for (const int status : {200, 204, 302, 400, 401, 403, 404, 501}) {
    service_.asked = 0;
    service_.answers.clear();
    service_.Say(status);
    ASSERT_THAT(Send(), IsOk());
    EXPECT_EQ(service_.asked, 1) << status;
  }
}

TEST_F(RetryingTest, AsksOnceWhereNobodyAnswers) {
  EXPECT_THAT(Send(), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(service_.asked, 1);
}

TEST_F(RetryingTest, ACallThatIsStoppedWhileItWaitsIsNotSentAgain) {
  service_.Say(503);
  stops_while_waiting_ = true;
  EXPECT_THAT(Send(), IsError(ErrorKind::Cancelled));
  EXPECT_EQ(service_.asked, 1);
}

TEST_F(RetryingTest, AStopEndsTheThreadsOwnWait) {
  RetryRules rules;
  rules.first_wait = rules.wait_max = std::chrono::minutes(10);
  RetryingClient client(service_, rules);
  service_.Say(503);
  ctx_.stop = stop_.get_token();
  std::jthread other([this] { stop_.request_stop(); });
  EXPECT_THAT(client.Send({.url = "https://api.test/"}, ctx_), IsError(ErrorKind::Cancelled));
}

}  // namespace
}  // namespace schemaward::net
