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
  ChangeWatch::Tell Note() {
    return [this](const std::set<std::string>& sources) { told_.push_back(sources); };
  }

  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  std::vector<std::set<std::string>> told_;
};

TEST_F(ChangeWatchTest, TellsWhichSourcesWereIndexedAnew) {
  ChangeWatch watch(*store_, {}, Note(), kNever);
  watch.Begin();
  watch.Look();
  EXPECT_THAT(told_, IsEmpty());
  ASSERT_THAT(Index("shop", {"orders", "items"}), IsOk());
  watch.Look();
  watch.Look();
  EXPECT_THAT(told_, ElementsAre(ElementsAre("shop")));
}

TEST_F(ChangeWatchTest, TellsOfSourcesThatComeAndGoAndOfDefinitions) {
  ChangeWatch watch(*store_, {}, Note(), kNever);
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
  ChangeWatch watch(*store_, {"people"}, Note(), kNever);
  watch.Begin();
  ASSERT_THAT(Index("shop", {}), IsOk());
  watch.Look();
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(ChangeWatchTest, ItsOwnThreadLooksUntilItIsStopped) {
  Mutex mutex;
  CondVar told;
  bool was_told = false;
  ChangeWatch watch(
      *store_, {},
      [&](const std::set<std::string>&) {
        {
          const MutexLock lock(mutex);
          was_told = true;
        }
        told.notify_all();
      },
      std::chrono::milliseconds(1));
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
