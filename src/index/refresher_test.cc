// When a source is looked at, what a call waits for, and what becomes of failures.
#include "index/refresher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "connect/fake/fake_engine.h"
#include "store/sources.h"
#include "store/testing.h"

namespace schemaward::index {
namespace {

using connect::FakeCall;
using std::chrono::milliseconds;
using std::chrono::seconds;
using store::MakeTable;
using ::testing::HasSubstr;

constexpr milliseconds kIdleWait{20'000};  // only a hang takes so long

class RefresherTest : public ::testing::Test {
 protected:
  RefresherTest() : store(*store::Store::Open(folder.File("store.db"), {.create = true})) {
    (void)*store::PutSource(*store, {.name = "shop", .engine = "sqlite", .location = "/x"});
    Change({MakeTable("m", "a")});
    Make({});
  }

  void Make(const RefreshOptions& options) {
    refresher.reset();
    refresher = std::make_unique<Refresher>(
        *store, clock,
        [this](const store::Source&, CallContext& ctx) {
          return connect::FakeEngine(fake).Open({}, ctx);
        },
        RunOptions{}, options);
  }
  /// The source's catalog is now this.
  void Change(std::vector<catalog::Table> tables) {
    catalog::Database database;
    database.engine = "sqlite";
    database.fingerprint = "f" + std::to_string(++step);
    database.tables = std::move(tables);
    fake->SetDatabase(database);
  }
  store::Source Source() { return **store->FindSource("shop"); }
  void Settle() { ASSERT_TRUE(refresher->WaitUntilIdle(kIdleWait)); }
  Freshness Use() {
    const Freshness freshness = refresher->EnsureFresh(Source());
    Settle();
    return freshness;
  }
  void BuildFirst() {
    Use();
    ASSERT_EQ(Source().generation, 1);
  }
  bool Knows(const std::string& name) {
    return !store->FindTables({}, std::nullopt, name)->empty();
  }

  store::TempFolder folder;
  std::unique_ptr<store::Store> store;
  std::shared_ptr<connect::FakeSource> fake =
      std::make_shared<connect::FakeSource>(catalog::Database());
  FakeClock clock;
  std::unique_ptr<Refresher> refresher;
  int step = 0;
};

TEST_F(RefresherTest, TouchesNothingBeforeTheFirstUse) {
  EXPECT_EQ(refresher->StateOf(Source()).state, IndexState::NeverIndexed);
  EXPECT_EQ(fake->calls(FakeCall::Open), 0);
}

TEST_F(RefresherTest, BuildsTheFirstIndexInTheBackground) {
  fake->BlockNth(FakeCall::Introspect, 1);
  refresher->Start(Source());
  const Freshness freshness = refresher->EnsureFresh(Source());
  EXPECT_EQ(freshness.state, IndexState::Building);
  EXPECT_TRUE(freshness.working);
  const Error error = NotReady("shop", freshness);
  EXPECT_EQ(error.kind(), ErrorKind::IndexBuilding);
  EXPECT_TRUE(error.retry_after_ms().has_value());
  fake->Release();
  Settle();
  EXPECT_EQ(refresher->StateOf(Source()).state, IndexState::Ready);
  EXPECT_TRUE(Knows("a"));
  EXPECT_EQ(fake->calls(FakeCall::Introspect), 1);
}

TEST_F(RefresherTest, KeepsToTheSchemasThatTheIndexWasMadeOf) {
  CallContext ctx(clock);
  const auto connector = connect::FakeEngine(fake).Open({}, ctx);
  RunOptions told;
  told.scope = connect::Scope{{"m"}};
  ASSERT_THAT(index::Run(**connector, *store, Source(), told, ctx), IsOk());
  Change({MakeTable("hr", "people"), MakeTable("m", "a"), MakeTable("m", "b")});
  Use();
  EXPECT_EQ(Source().generation, 2);
  EXPECT_TRUE(Knows("b"));
  EXPECT_FALSE(Knows("people"));
}

TEST_F(RefresherTest, StartLeavesAnIndexAlone) {
  BuildFirst();
  Make({});
  refresher->Start(Source());
  Settle();
  EXPECT_EQ(fake->calls(FakeCall::Open), 1);
}

TEST_F(RefresherTest, ComparesAtTheFirstUseAndThenEveryMinute) {
  BuildFirst();
  Make({});  // as a new process would
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Fingerprint), 1);
  clock.Advance(seconds(59));
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Fingerprint), 1);
  clock.Advance(seconds(1));
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Fingerprint), 2);
  EXPECT_EQ(fake->calls(FakeCall::Introspect), 1);  // nothing changed
  EXPECT_EQ(Source().generation, 1);
}

TEST_F(RefresherTest, IndexesAgainWhatChanged) {
  BuildFirst();
  Change({MakeTable("m", "a"), MakeTable("m", "b")});
  clock.Advance(seconds(60));
  const Freshness freshness = Use();
  EXPECT_EQ(freshness.state, IndexState::Ready);
  EXPECT_TRUE(Knows("b"));
  EXPECT_EQ(Source().generation, 2);
}

TEST_F(RefresherTest, TakesAnotherProcessesIndexForItsOwn) {
  BuildFirst();
  Change({MakeTable("m", "a"), MakeTable("m", "b")});
  const store::Source stale = Source();
  {
    CallContext ctx(clock);
    const auto connector = connect::FakeEngine(fake).Open({}, ctx);
    ASSERT_THAT(index::Run(**connector, *store, stale, {}, ctx), IsOk());
  }
  clock.Advance(seconds(60));
  refresher->EnsureFresh(stale);
  Settle();
  EXPECT_EQ(Source().generation, 2);
}

TEST_F(RefresherTest, LooksBeforeItSaysThatANameIsUnknown) {
  BuildFirst();
  Make({.name_wait = kIdleWait});  // longer than a loaded machine needs
  Use();
  Change({MakeTable("m", "a"), MakeTable("m", "b")});
  const Freshness freshness = refresher->EnsureFreshForName(Source(), "b");
  EXPECT_TRUE(freshness.changed);
  EXPECT_TRUE(Knows("b"));
}

TEST_F(RefresherTest, ANameThatWasJustUnknownIsLookedForAgain) {
  Make({.name_wait = kIdleWait});
  BuildFirst();
  EXPECT_FALSE(refresher->EnsureFreshForName(Source(), "b").changed);
  Change({MakeTable("m", "a"), MakeTable("m", "b")});
  EXPECT_TRUE(refresher->EnsureFreshForName(Source(), "b").changed);
}

TEST_F(RefresherTest, DoesNotTakeAnEarlierChecksAnswer) {
  Make({.name_wait = kIdleWait});
  BuildFirst();
  clock.Advance(seconds(60));
  refresher->EnsureFresh(Source());  // may read the fingerprint before the change, or after
  Change({MakeTable("m", "a"), MakeTable("m", "b")});
  refresher->EnsureFreshForName(Source(), "b");
  EXPECT_TRUE(Knows("b"));
}

TEST_F(RefresherTest, ManyNamesCauseFewChecks) {
  BuildFirst();
  for (int i = 0; i < 100; ++i) {
    refresher->EnsureFreshForName(Source(), "typo" + std::to_string(i));
    Settle();
  }
  EXPECT_EQ(fake->calls(FakeCall::Fingerprint), 20);
  clock.Advance(milliseconds(500));
  for (int i = 100; i < 200; ++i) {
    refresher->EnsureFreshForName(Source(), "typo" + std::to_string(i));
    Settle();
  }
  EXPECT_EQ(fake->calls(FakeCall::Fingerprint), 22);
}

TEST_F(RefresherTest, WaitsForASlowSourceNoLongerThanTheBound) {
  BuildFirst();
  fake->BlockNth(FakeCall::Fingerprint, 1);
  const auto before = std::chrono::steady_clock::now();
  const Freshness freshness = refresher->EnsureFreshForName(Source(), "b");
  const auto took = std::chrono::steady_clock::now() - before;
  EXPECT_TRUE(freshness.working);
  EXPECT_FALSE(freshness.changed);
  EXPECT_EQ(freshness.state, IndexState::Ready);
  EXPECT_GE(took, milliseconds(250));
  EXPECT_LT(took, milliseconds(5'000));  // a loaded machine, not the source
  fake->Release();
  Settle();
}

TEST_F(RefresherTest, StopsWorkWhenItEnds) {
  fake->BlockNth(FakeCall::Introspect, 1);
  refresher->Start(Source());
  while (fake->blocked() == 0) std::this_thread::yield();
  refresher.reset();  // returns only when the work is over
  EXPECT_EQ(Source().generation, 0);
}

TEST_F(RefresherTest, KeepsTheErrorAndTriesLessAndLessOften) {
  for (int nth : {1, 2})
    fake->FailNth(FakeCall::Open, nth,
                  Error(ErrorKind::SourceUnreachable, "the source does not answer"));
  Use();
  const Freshness failed = refresher->StateOf(Source());
  EXPECT_EQ(failed.state, IndexState::NeverIndexed);
  ASSERT_TRUE(failed.last_error.has_value());
  EXPECT_EQ(NotReady("shop", failed).kind(), ErrorKind::SourceUnreachable);
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Open), 1);
  clock.Advance(seconds(1));
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Open), 2);
  clock.Advance(seconds(1));
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Open), 2);  // the second wait is two seconds
  clock.Advance(seconds(1));
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Open), 3);
  EXPECT_FALSE(refresher->StateOf(Source()).last_error.has_value());
  EXPECT_EQ(refresher->StateOf(Source()).state, IndexState::Ready);
}

TEST_F(RefresherTest, AFurtherAttemptSaysWhatTheLastOneFailedOfUntilTheSourceAnswers) {
  fake->FailNth(FakeCall::Open, 1,
                Error(ErrorKind::SourceUnreachable, "the source does not answer"));
  Use();
  clock.Advance(seconds(1));
  fake->BlockNth(FakeCall::Introspect, 1);
  (void)refresher->EnsureFresh(Source());
  while (fake->blocked() == 0) std::this_thread::yield();
  const Freshness again = refresher->StateOf(Source());
  EXPECT_TRUE(again.working);
  EXPECT_EQ(NotReady("shop", again).kind(), ErrorKind::SourceUnreachable);
  fake->Release();
  Settle();
  EXPECT_EQ(refresher->StateOf(Source()).state, IndexState::Ready);
}

TEST_F(RefresherTest, BackoffHasABound) {
  for (int nth = 1; nth <= 20; ++nth)
    fake->FailNth(FakeCall::Open, nth,
                  Error(ErrorKind::SourceUnreachable, "the source does not answer"));
  for (int i = 0; i < 20; ++i) {
    Use();
    clock.Advance(seconds(300));
  }
  EXPECT_EQ(fake->calls(FakeCall::Open), 20);
}

TEST_F(RefresherTest, AFailedCheckLeavesTheIndexInUse) {
  BuildFirst();
  clock.Advance(seconds(60));
  fake->FailNth(FakeCall::Fingerprint, 1,
                Error(ErrorKind::SourceAuthFailed, "the source refused the login"));
  Use();
  const Freshness freshness = refresher->StateOf(Source());
  EXPECT_EQ(freshness.state, IndexState::Ready);
  ASSERT_TRUE(freshness.last_error.has_value());
  EXPECT_EQ(freshness.last_error->kind(), ErrorKind::SourceAuthFailed);
  EXPECT_TRUE(Knows("a"));
}

TEST_F(RefresherTest, SaysThatItCannotOpenTheSource) {
  refresher = std::make_unique<Refresher>(
      *store, clock,
      [](const store::Source&, CallContext&) -> Result<std::unique_ptr<connect::Connector>> {
        return Error(ErrorKind::MissingCredential, "the variable SHOP is not set");
      },
      RunOptions{}, RefreshOptions{});
  Use();
  const Freshness freshness = refresher->StateOf(Source());
  ASSERT_TRUE(freshness.last_error.has_value());
  EXPECT_EQ(NotReady("shop", freshness).kind(), ErrorKind::MissingCredential);
}

TEST_F(RefresherTest, SwitchedOffItBuildsButDoesNotLookAgain) {
  Make({.enabled = false});
  BuildFirst();
  Change({MakeTable("m", "b")});
  clock.Advance(seconds(600));
  Use();
  EXPECT_FALSE(refresher->EnsureFreshForName(Source(), "b").changed);
  EXPECT_EQ(fake->calls(FakeCall::Open), 1);
}

TEST_F(RefresherTest, ARemovedSourceIsAnError) {
  BuildFirst();
  const store::Source gone = Source();
  ASSERT_THAT(store::RemoveSource(*store, "shop"), IsOk());
  clock.Advance(seconds(60));
  refresher->EnsureFresh(gone);
  Settle();
  const Freshness freshness = refresher->StateOf(gone);
  ASSERT_TRUE(freshness.last_error.has_value());
  EXPECT_EQ(freshness.last_error->kind(), ErrorKind::UnknownSource);
}

TEST_F(RefresherTest, WhatIsDoneElsewhereIsNotDoneHere) {
  std::optional<Result<bool>> answer = Result<bool>(true);
  std::vector<Job> jobs;
  refresher = std::make_unique<Refresher>(
      *store, clock,
      [this](const store::Source&, CallContext& ctx) {
        return connect::FakeEngine(fake).Open({}, ctx);
      },
      RunOptions{}, RefreshOptions{},
      [&](const store::Source&, Job job, CallContext&) {
        jobs.push_back(job);
        return answer;
      });
  refresher->Start(Source());
  Settle();
  EXPECT_EQ(refresher->StateOf(Source()).state, IndexState::Ready);
  EXPECT_TRUE(refresher->EnsureFreshForName(Source(), "b").changed);
  EXPECT_EQ(jobs, (std::vector<Job>{Job::Build, Job::Check}));
  EXPECT_EQ(fake->calls(FakeCall::Open), 0);
  answer = Result<bool>(Error(ErrorKind::SourceAuthFailed, "the source refused the login"));
  refresher->EnsureFreshForName(Source(), "b");
  EXPECT_EQ(refresher->StateOf(Source()).last_error->kind(), ErrorKind::SourceAuthFailed);
  clock.Advance(seconds(60));
  answer.reset();  // declined
  Use();
  EXPECT_EQ(fake->calls(FakeCall::Open), 1);
}

TEST_F(RefresherTest, ManyThreadsCauseOneCheck) {
  BuildFirst();
  clock.Advance(seconds(60));
  const store::Source source = Source();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      refresher->EnsureFresh(source);
      refresher->StateOf(source);
    });
  for (std::thread& thread : threads) thread.join();
  Settle();
  EXPECT_EQ(fake->calls(FakeCall::Fingerprint), 1);
}

TEST(NotReadyError, SaysHowFarTheFirstIndexIs) {
  Freshness freshness;
  EXPECT_EQ(NotReady("s", freshness).kind(), ErrorKind::IndexNotReady);
  freshness.state = IndexState::Building;
  freshness.progress = {64, 2'000, ""};
  EXPECT_THAT(NotReady("s", freshness).message(), HasSubstr("64 of 2000 tables"));
}

}  // namespace
}  // namespace schemaward::index
