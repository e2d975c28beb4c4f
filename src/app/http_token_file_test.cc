#include "app/http_token_file.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "base/sha256.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string one(kTokenBytesMin, '1');
const std::string two(kTokenBytesMin, '2');

// A tokens file of its own, looked at on a clock that is told to move.
class HttpTokenFileTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "ward_token_file_" + test->name() + ".yaml";
    Put(Entry("a", one));
    auto opened = HttpTokenFile::Open(path_, clock_);
    ASSERT_THAT(opened, IsOk());
    file_ = *std::move(opened);
  }
  void TearDown() override { fs::remove(path_); }

  static std::string Entry(std::string_view id, const std::string& token) {
    return fmt::format("  - {{id: {}, sha256: {}}}\n", id, Sha256Hex(token));
  }
  // As an operator should: a whole file takes the other's place.
  void Put(std::string_view entries) const { Write(fmt::format("tokens:\n{}", entries)); }
  void Write(std::string_view text) const {
    std::ofstream(path_ + ".new") << text;
    fs::permissions(path_ + ".new", fs::perms(0600));
    fs::rename(path_ + ".new", path_);
  }
  bool Lets(const std::string& token) { return file_->Admit(token).has_value(); }
  bool LetsLater(const std::string& token) {
    clock_.Advance(kTokensLookEvery);
    return Lets(token);
  }
  // What the log says while `token` is looked up, later.
  std::string LogOf(const std::string& token) {
    testing::internal::CaptureStderr();
    EXPECT_TRUE(LetsLater(token));
    return testing::internal::GetCapturedStderr();
  }

  FakeClock clock_;
  std::string path_;
  std::unique_ptr<HttpTokenFile> file_;
};

TEST_F(HttpTokenFileTest, ATokenThatIsTakenOutIsRefusedAndOneThatIsAddedIsLetIn) {
  EXPECT_TRUE(Lets(one));
  EXPECT_FALSE(Lets(two));
  Put(Entry("b", two));
  EXPECT_FALSE(LetsLater(one));
  EXPECT_EQ(file_->Admit(two)->id, "b");
}

TEST_F(HttpTokenFileTest, TheFileIsNotLookedAtMoreOftenThanSaid) {
  Put(Entry("b", two));
  clock_.Advance(kTokensLookEvery - std::chrono::milliseconds(1));
  EXPECT_TRUE(Lets(one));
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(Lets(one));
}

TEST_F(HttpTokenFileTest, AFileThatCannotBeReadLeavesTheListAndIsSaidOnce) {
  Write("tokens: [");
  EXPECT_THAT(LogOf(one), HasSubstr("tokens_kept"));
  EXPECT_EQ(LogOf(one), "");
  fs::remove(path_);
  EXPECT_THAT(LogOf(one), HasSubstr("tokens_kept"));
  Put(Entry("b", two));
  EXPECT_FALSE(LetsLater(one));
  EXPECT_TRUE(Lets(two));
}

TEST_F(HttpTokenFileTest, AFileThatOthersMayWriteByNowLeavesTheList) {
  fs::permissions(path_, fs::perms(0660));
  EXPECT_THAT(LogOf(one), HasSubstr("may be written by others"));
}

TEST_F(HttpTokenFileTest, AnEmptyListLetsNobodyIn) {
  Write("tokens: []");
  EXPECT_FALSE(LetsLater(one));
}

TEST_F(HttpTokenFileTest, AChangeThatKeepsSizeAndTimeIsSeen) {
  const auto modified = fs::last_write_time(path_);
  Put(Entry("a", two));
  fs::last_write_time(path_, modified);
  EXPECT_FALSE(LetsLater(one));
}

TEST(HttpTokenFile, AFileThatIsNotThereAtTheStartIsAnError) {
  const FakeClock clock;
  EXPECT_THAT(HttpTokenFile::Open(testing::TempDir() + "ward_no_such_tokens.yaml", clock),
              IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::app
