#include "connect/fake/fake_engine.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::connect {
namespace {

using std::chrono::milliseconds;

catalog::Database Database(const char* fingerprint) {
  catalog::Database database;
  database.name = "db";
  database.fingerprint = fingerprint;
  return database;
}

class FakeEngineTest : public ::testing::Test {
 protected:
  std::unique_ptr<Connector> Open() { return *FakeEngine(source_).Open({}, ctx_); }

  std::shared_ptr<FakeSource> source_ = std::make_shared<FakeSource>(Database("1"));
  SystemClock clock_;
  CallContext ctx_{clock_};
};

TEST_F(FakeEngineTest, ServesItsCatalogAndFollowsItsChange) {
  auto connector = Open();
  EXPECT_THAT(connector->Introspect({}, ctx_),
              IsOkAnd(::testing::Field(&catalog::Database::name, "db")));
  source_->SetDatabase(Database("2"));
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(std::string("2")));
}

TEST_F(FakeEngineTest, FailsTheCallThatItWasTold) {
  auto connector = Open();
  source_->FailNth(FakeCall::Ping, 2, Error(ErrorKind::PermissionDenied, "no"));
  EXPECT_THAT(connector->Ping(ctx_), IsOk());
  EXPECT_THAT(connector->Ping(ctx_), IsError(ErrorKind::PermissionDenied));
  EXPECT_THAT(connector->Ping(ctx_), IsOk());
  EXPECT_FALSE(connector->IsBroken());
}

TEST_F(FakeEngineTest, BreaksSessionsThatAreEnded) {
  auto connector = Open();
  source_->EndSessions();
  EXPECT_TRUE(connector->IsBroken());
  EXPECT_THAT(connector->Ping(ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(Open()->Ping(ctx_), IsOk());
}

TEST_F(FakeEngineTest, BlocksUntilTheDeadline) {
  auto connector = Open();
  source_->BlockNth(FakeCall::Ping, 1);
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, milliseconds(20));
  EXPECT_THAT(connector->Ping(ctx), IsError(ErrorKind::DeadlineExceeded));
}

TEST_F(FakeEngineTest, BlocksUntilItIsCancelled) {
  auto connector = Open();
  source_->BlockNth(FakeCall::Introspect, 1);
  std::stop_source stop;
  std::jthread caller([&] {
    CallContext ctx(clock_);
    ctx.stop = stop.get_token();
    EXPECT_THAT(connector->Introspect({}, ctx), IsError(ErrorKind::Cancelled));
  });
  while (source_->blocked() == 0) std::this_thread::yield();
  stop.request_stop();
}

TEST_F(FakeEngineTest, GoesOnWhenItIsReleased) {
  auto connector = Open();
  source_->BlockNth(FakeCall::Ping, 1);
  std::jthread caller([&] {
    CallContext ctx(clock_);
    EXPECT_THAT(connector->Ping(ctx), IsOk());
  });
  while (source_->blocked() == 0) std::this_thread::yield();
  source_->Release();
}

}  // namespace
}  // namespace schemaward::connect
