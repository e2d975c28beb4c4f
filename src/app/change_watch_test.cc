#include "app/change_watch.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/definitions.h"
#include "store/testing.h"

namespace schemaward::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::chrono::hours kNever{1'000};  // looks by itself

class ChangeWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::Store::Open(folder_.File("store.db"), {.create = true});
    ASSERT_THAT(opened, IsOk());
    store_ = *std::move(opened);
    ASSERT_THAT(Index("shop", {"orders"}), IsOk());
    ASSERT_THAT(Index("people", {"person"}), IsOk());
  }
  Result<store::Source> Index(const std::string& source, const std::vector<std::string>& tables) {
    std::vector<catalog::Table> made;
    for (const std::string& table : tables) made.push_back(store::MakeTable("main", table));
    return store::PutIndexed(*store_, source, made);
  }
  ChangeWatch::Options Watched(const std::vector<std::string>& served = {}) {
    return {.hearing = [this] { return hearing_; },
            .look =
                [this, served] {
                  ++looks_;
                  return LookAt(*store_, served);
                },
            .changed = [this](const std::set<std::string>& sources) { told_.push_back(sources); },
            .health =
                [this](const std::vector<store::Source>* sources) {
                  ++healths_;
                  Health health;
                  health.is_store_readable = sources != nullptr;
                  health.audit.is_writing = is_audit_writing_;
                  return health;
                },
            .tell = [this](const Notice& notice) { notices_.push_back(notice.event); },
            .every = kNever};
  }

  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  Hearing hearing_{.changes = true};
  bool is_audit_writing_ = true;
  int looks_ = 0, healths_ = 0;
  std::vector<std::set<std::string>> told_;
  std::vector<std::string_view> notices_;
};

TEST_F(ChangeWatchTest, TellsWhichSourcesWereIndexedAnew) {
  ChangeWatch watch(Watched());
  watch.Begin();
  watch.Look();
  EXPECT_THAT(told_, IsEmpty());
  ASSERT_THAT(Index("shop", {"orders", "items"}), IsOk());
  watch.Look();
  watch.Look();
  EXPECT_THAT(told_, ElementsAre(ElementsAre("shop")));
}

TEST_F(ChangeWatchTest, TellsOfSourcesThatComeAndGoAndOfDefinitions) {
  ChangeWatch watch(Watched());
  watch.Begin();
  ASSERT_THAT(Index("new", {"t"}), IsOk());
  const auto shop = store_->FindSource("shop");
  ASSERT_THAT(shop, IsOk());
  ASSERT_THAT(store::ChangeDefinitions(
                  *store_, (*shop)->id,
                  {.put = {{.kind = store::DefinitionKind::Metric, .name = "m", .body_json = "{}"}},
                   .remove = {}}),
              IsOk());
  watch.Look();
  EXPECT_THAT(told_, ElementsAre(ElementsAre("new", "shop")));
}

TEST_F(ChangeWatchTest, SourcesThatAreNotServedAreNotLookedAt) {
  ChangeWatch watch(Watched({"people"}));
  watch.Begin();
  ASSERT_THAT(Index("shop", {}), IsOk());
  watch.Look();
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(ChangeWatchTest, OneLookIsForAllThatIsHeardOf) {
  hearing_.log = true;
  ChangeWatch watch(Watched());
  watch.Begin();
  watch.Begin();
  EXPECT_EQ(looks_, 1);
  ASSERT_THAT(Index("shop", {}), IsOk());
  is_audit_writing_ = false;
  watch.Look();
  EXPECT_EQ(looks_, 2);
  EXPECT_EQ(healths_, 2);
  EXPECT_THAT(told_, ElementsAre(ElementsAre("shop")));
  EXPECT_THAT(notices_, ElementsAre("audit_unavailable"));
}

TEST_F(ChangeWatchTest, WhileNobodyHearsNothingIsLookedAt) {
  hearing_ = {};
  ChangeWatch watch(Watched());
  watch.Begin();
  watch.Look();
  EXPECT_EQ(looks_, 0);
  hearing_ = {.changes = true, .log = true};
  watch.Begin();
  watch.Look();
  EXPECT_EQ(looks_, 2);
  hearing_ = {};
  watch.Look();
  watch.Look();
  EXPECT_EQ(looks_, 2);
  EXPECT_EQ(healths_, 2);
}

TEST_F(ChangeWatchTest, WhoComesLaterHearsOfWhatChangesFromThenOn) {
  hearing_.log = true;
  ChangeWatch watch(Watched());
  watch.Begin();
  hearing_ = {};
  watch.Look();
  ASSERT_THAT(Index("shop", {}), IsOk());
  is_audit_writing_ = false;
  hearing_ = {.changes = true, .log = true};
  watch.Begin();
  watch.Look();
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_THAT(notices_, IsEmpty());
  ASSERT_THAT(Index("people", {}), IsOk());
  is_audit_writing_ = true;
  watch.Look();
  EXPECT_THAT(told_, ElementsAre(ElementsAre("people")));
  EXPECT_THAT(notices_, ElementsAre("audit_available"));
}

TEST_F(ChangeWatchTest, HowThePartsStandIsAskedOnlyForWhoHearsOfIt) {
  ChangeWatch watch(Watched());
  watch.Begin();
  watch.Look();
  EXPECT_EQ(healths_, 0);
  is_audit_writing_ = false;
  ASSERT_THAT(Index("shop", {}), IsOk());
  hearing_.log = true;
  watch.Begin();
  watch.Look();
  EXPECT_THAT(notices_, IsEmpty());
  EXPECT_THAT(told_, ElementsAre(ElementsAre("shop"))) << "whoever hears of changes misses none";
}

TEST_F(ChangeWatchTest, ItsOwnThreadLooksUntilItIsStopped) {
  Mutex mutex;
  CondVar told;
  bool was_told = false;
  ChangeWatch::Options options = Watched();
  options.changed = [&](const std::set<std::string>&) {
    {
      const MutexLock lock(mutex);
      was_told = true;
    }
    told.notify_all();
  };
  options.every = std::chrono::milliseconds(1);
  ChangeWatch watch(std::move(options));
  watch.Begin();
  ASSERT_THAT(Index("shop", {}), IsOk());
  {
    const MutexLock lock(mutex);
    while (!was_told) told.wait(mutex);
  }
  watch.Stop();
  watch.Begin();
}

}  // namespace
}  // namespace schemaward::app
