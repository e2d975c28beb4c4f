#include "token/key_source.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <future>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::token {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string SetOf(std::string_view id) {
  return fmt::format(R"({{"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"{}","x":"{}"}}]}})", id,
                     std::string(43, 'A'));
}

// An address whose answers the test gives, one for each time that it is asked. Thread: any.
class Address {
 public:
  FetchKeys Fetch() {
    return [this](const std::stop_token& stop) -> Result<std::string> {
      const std::stop_callback ends(stop, [this] { Give(Error(ErrorKind::Cancelled, "ended")); });
      const MutexLock lock(mutex_);
      while (answers_.empty()) given_.wait(mutex_);
      Result<std::string> answer = std::move(answers_.front());
      answers_.pop_front();
      ++asked_;
      return answer;
    };
  }
  void Give(Result<std::string> answer) {
    const MutexLock lock(mutex_);
    answers_.push_back(std::move(answer));
    given_.notify_all();
  }
  int asked() {
    const MutexLock lock(mutex_);
    return asked_;
  }

 private:
  Mutex mutex_;
  CondVar given_;
  std::deque<Result<std::string>> answers_ GUARDED_BY(mutex_);
  int asked_ GUARDED_BY(mutex_) = 0;
};

class FetchedKeysTest : public testing::Test {
 protected:
  void Renew() {
    std::promise<void> done;
    keys_.Renew([&] { done.set_value(); });
    done.get_future().wait();
  }
  // Renews while the address answers, if it is asked at all.
  void RenewBy(Result<std::string> answer) {
    address_.Give(std::move(answer));
    Renew();
  }
  std::string IdNow() {
    const KeysPtr keys = keys_.Now();
    return keys == nullptr ? "none" : keys->front().id;
  }
  static Error Away() { return {ErrorKind::SourceUnreachable, "away"}; }

  FakeClock clock_;
  Address address_;
  FetchedKeys keys_{address_.Fetch(), clock_};
};

TEST_F(FetchedKeysTest, WhoeverNeedsAKeyWaitsForTheFirstAnswer) {
  EXPECT_EQ(IdNow(), "none");
  RenewBy(SetOf("a"));
  EXPECT_EQ(IdNow(), "a");
}

TEST_F(FetchedKeysTest, TheAddressIsNotAskedMoreOftenThanSaid) {
  RenewBy(SetOf("a"));
  clock_.Advance(kKeysAskEvery - std::chrono::milliseconds(1));
  Renew();
  EXPECT_EQ(address_.asked(), 1);
  clock_.Advance(std::chrono::milliseconds(1));
  RenewBy(SetOf("b"));
  EXPECT_EQ(IdNow(), "b");
  EXPECT_EQ(address_.asked(), 2);
}

TEST_F(FetchedKeysTest, AnAnswerThatIsNoneLeavesTheKeysAndIsAskedForSooner) {
  RenewBy(SetOf("a"));
  clock_.Advance(kKeysAskEvery);
  RenewBy(Away());
  EXPECT_EQ(IdNow(), "a");
  clock_.Advance(kKeysRetryEvery);
  RenewBy(std::string("no keys"));
  EXPECT_EQ(IdNow(), "a");
  EXPECT_EQ(address_.asked(), 3);
}

TEST_F(FetchedKeysTest, KeysThatAreNoLongerGoodAreUsedWhileNewOnesAreAskedFor) {
  RenewBy(SetOf("a"));
  clock_.Advance(kKeysGoodFor);
  EXPECT_EQ(IdNow(), "a");
  RenewBy(SetOf("b"));  // waits for the answer that was asked for by the line before
  EXPECT_EQ(IdNow(), "b");
  EXPECT_EQ(address_.asked(), 2);
}

TEST_F(FetchedKeysTest, KeysAreNotKeptForEver) {
  RenewBy(SetOf("a"));
  clock_.Advance(kKeysKeptMax - std::chrono::seconds(1));
  EXPECT_EQ(IdNow(), "a");
  RenewBy(Away());
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(IdNow(), "none");
}

TEST_F(FetchedKeysTest, OnlySoManyWaitForOneAnswer) {
  std::size_t told = 0;
  for (std::size_t i = 0; i < kKeysWaitingMax; ++i) keys_.Renew([] {});
  keys_.Renew([&] { ++told; });
  EXPECT_EQ(told, 1U);
}

TEST_F(FetchedKeysTest, AnEndWaitsForNoAnswer) { EXPECT_EQ(IdNow(), "none"); }

TEST(FileKeys, AreReadAgainWhereTheFileHasChanged) {
  FakeClock clock;
  const std::string path = testing::TempDir() + "ward_key_file.json";
  const auto put = [&](std::string_view text) {
    std::ofstream(path + ".new") << text;
    fs::permissions(path + ".new", fs::perms(0644));
    fs::rename(path + ".new", path);
    clock.Advance(kKeysLookEvery);
  };
  put(SetOf("a"));
  const auto keys = FileKeys::Open(path, clock);
  ASSERT_THAT(keys, IsOk());
  EXPECT_EQ((*keys)->Now()->front().id, "a");
  put(SetOf("b"));
  EXPECT_EQ((*keys)->Now()->front().id, "b");
  testing::internal::CaptureStderr();
  put("{");
  EXPECT_EQ((*keys)->Now()->front().id, "b");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("keys_kept"));
  fs::permissions(path, fs::perms(0666));
  EXPECT_THAT(FileKeys::Open(path, clock), IsError(ErrorKind::InputUnreadable));
  fs::remove(path);
  EXPECT_THAT(FileKeys::Open(path, clock), IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::token
