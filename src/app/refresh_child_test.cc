// The refresher's work in another process: what is said, and what becomes of one that dies, hangs
// or talks nonsense.
#include "app/refresh_child.h"

#include <filesystem>
#include <fstream>
#include <future>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/policy.h"
#include "base/result_matchers.h"
#include "store/sources.h"
#include "store/testing.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

RefreshOrder OrderFor(const std::string& source) {
  RefreshOrder order;
  order.source = source;
  return order;
}

// What came of a job, as one word.
std::string Told(const std::optional<Result<bool>>& outcome) {
  if (!outcome) return "nothing";
  if (!*outcome) return std::string(outcome->error().row().reason);
  return **outcome ? "indexed" : "unchanged";
}

TEST(RefreshMessage, AnOrderIsReadAsItWasWritten) {
  const RefreshOrder order{index::Job::Build, "shop",
                           "s3cret\n\"",      "ab12",
                           600'000,           {{"log.level", "off"}, {"store", "/x/store.db"}}};
  const std::string line = ToLine(order);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto read = ReadRefreshOrder(line);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->job, index::Job::Build);
  EXPECT_EQ(read->source, order.source);
  EXPECT_EQ(read->secret, order.secret);
  EXPECT_EQ(read->policy_hash, order.policy_hash);
  EXPECT_EQ(read->time_max_ms, order.time_max_ms);
  EXPECT_EQ(read->settings, order.settings);
}

TEST(RefreshMessage, AnErrorIsReadWithAllThatALogAndACallerNeed) {
  Error error(ErrorKind::SourceUnreachable, "source \"shop\" could not be reached");
  error.Detail("It did not answer.").Hint("Start it.").Private("10.0.0.7").RetryAfter(500);
  const auto read = ReadRefreshReport(ToLine({.outcome = Result<bool>(error)}));
  ASSERT_THAT(read, IsOk());
  ASSERT_TRUE(read->outcome.has_value() && !read->outcome->has_value());
  const Error& got = read->outcome->error();
  EXPECT_EQ(got.kind(), error.kind());
  EXPECT_EQ(got.message(), error.message());
  EXPECT_EQ(got.detail(), error.detail());
  EXPECT_EQ(got.hint(), error.hint());
  EXPECT_EQ(got.private_detail(), error.private_detail());
  EXPECT_EQ(got.retry_after_ms(), error.retry_after_ms());
}

TEST(RefreshMessage, OtherReportsAreReadAsTheyWereWritten) {
  EXPECT_TRUE(ReadRefreshReport(ToLine({.declined = true}))->declined);
  EXPECT_EQ(Told(ReadRefreshReport(ToLine({.outcome = true}))->outcome), "indexed");
  EXPECT_EQ(Told(ReadRefreshReport(ToLine({.outcome = false}))->outcome), "unchanged");
  const auto far = ReadRefreshReport(ToLine({.progress = Progress{3, 9, "tables"}}))->progress;
  ASSERT_TRUE(far.has_value());
  EXPECT_EQ(far->done, 3);
  EXPECT_EQ(far->total, 9);
  EXPECT_EQ(far->message, "tables");
}

TEST(RefreshMessage, WhatIsNoMessageIsRefused) {
  for (const char* line : {"", "[]", "1", "{}", "{\"job\":\"drop\",\"time_max_ms\":1}",
                           "{\"job\":\"check\"}", "{\"job\":\"check\",\"time_max_ms\":\"x\"}"})
    EXPECT_FALSE(ReadRefreshOrder(line).has_value()) << line;
  for (const char* line : {"", "[]", "{}", "{\"indexed\":1}", "{\"declined\":false}",
                           "{\"error\":{\"reason\":\"no_such_reason\"}}"})
    EXPECT_FALSE(ReadRefreshReport(line).has_value()) << line;
}

class RefreshChildTest : public ::testing::Test {
 protected:
  /// Returns a program that runs `script`.
  std::string Program(const std::string& script) {
    const std::string path = folder.File("program");
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  std::optional<Result<bool>> Do(const std::string& script, milliseconds grace = milliseconds(50)) {
    return DoInChild({Program(script), grace}, OrderFor("shop"), ctx);
  }

  store::TempFolder folder;
  SystemClock clock;
  CallContext ctx{clock};
};

TEST_F(RefreshChildTest, TellsProgressAndTheOutcome) {
  std::vector<std::int64_t> done;
  ctx.progress = [&done](const Progress& progress) { done.push_back(progress.done); };
  const auto outcome =
      Do("read order\n"
         "echo '{\"progress\":{\"done\":1,\"total\":2}}'\n"
         "echo '{\"progress\":{\"done\":2,\"total\":2}}'\n"
         "echo '{\"indexed\":true}'",
         milliseconds(10'000));
  EXPECT_EQ(Told(outcome), "indexed");
  EXPECT_EQ(done, (std::vector<std::int64_t>{1, 2}));
}

TEST_F(RefreshChildTest, OneThatDeclinesOrCannotStartLeavesTheWorkToTheServer) {
  EXPECT_FALSE(Do("read order; echo '{\"declined\":true}'").has_value());
  EXPECT_FALSE(DoInChild({folder.File("absent"), milliseconds(50)}, {}, ctx).has_value());
}

TEST_F(RefreshChildTest, OneThatDiesOrTalksNonsenseIsAnErrorOfItsOwn) {
  for (const char* script : {"kill -9 $$", "read order; exit 0", "read order; echo hello",
                             "read order; head -c 1100000 /dev/zero | tr '\\0' x"}) {
    const auto outcome = Do(script);
    ASSERT_TRUE(outcome.has_value()) << script;
    ASSERT_FALSE(outcome->has_value()) << script;
    EXPECT_EQ(outcome->error().kind(), ErrorKind::Internal) << script;
    EXPECT_THAT(outcome->error().message(), HasSubstr("ended without an answer")) << script;
  }
}

TEST_F(RefreshChildTest, OneThatHangsIsEndedByAStop) {
  std::stop_source stop;
  ctx.stop = stop.get_token();
  ctx.progress = [&stop](const Progress&) { stop.request_stop(); };
  const auto outcome = Do(fmt::format("echo $$ > {}\necho '{{\"progress\":{{}}}}'\nexec sleep 1000",
                                      folder.File("pid")));
  EXPECT_EQ(Told(outcome), "cancelled");
  pid_t pid = 0;
  std::ifstream(folder.File("pid")) >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST_F(RefreshChildTest, OneThatHangsIsEndedByTheDeadline) {
  ctx.deadline = Deadline::After(clock, milliseconds(1));
  const auto outcome = Do("exec sleep 1000");
  EXPECT_EQ(Told(outcome), "deadline_exceeded");
}

/// The other side: what the process itself does, on a thread here.
class RefreshJobTest : public ::testing::Test {
 protected:
  RefreshJobTest() {
    std::ofstream(folder.File("shop.sql")) << "CREATE TABLE orders (id integer PRIMARY KEY);";
    order.settings = {{"store", folder.File("store.db")}, {"log.level", "off"}};
    Application application(Config::Of(order.settings));
    EXPECT_THAT(application.AddSource("ddl:" + folder.File("shop.sql"), "shop"), IsOk());
    order.source = "shop";
    order.policy_hash = LoadPolicy(application.config(), privacy::Profile::Team)->hash();
    order.time_max_ms = 60'000;
  }
  /// Runs one job; returns its last line.
  RefreshReport Run(int& exit_code) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const std::string line = ToLine(order);
    EXPECT_EQ(::write(ends[0], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    auto ending = std::async(std::launch::async, [end = ends[1]] {
      const int code = RunRefreshJob(end);
      ::close(end);
      return code;
    });
    std::string text;
    char bytes[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], bytes, sizeof bytes)) > 0;)
      text.append(bytes, static_cast<std::size_t>(got));
    ::close(ends[0]);
    exit_code = ending.get();
    if (text.empty()) return {};
    text.pop_back();
    const auto report = ReadRefreshReport(text.substr(text.rfind('\n') + 1));
    EXPECT_THAT(report, IsOk());
    return report.value_or(RefreshReport());
  }
  std::int64_t Generation() {
    return (*(*store::Store::Open(folder.File("store.db"), {}))->FindSource("shop"))->generation;
  }

  store::TempFolder folder;
  RefreshOrder order;
};

TEST_F(RefreshJobTest, BuildsAndThenFindsNothingNew) {
  int exit_code = -1;
  order.job = index::Job::Build;
  EXPECT_EQ(Told(Run(exit_code).outcome), "indexed");
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(Generation(), 1);
  order.job = index::Job::Check;
  EXPECT_EQ(Told(Run(exit_code).outcome), "unchanged");
  EXPECT_EQ(Generation(), 1);
}

TEST_F(RefreshJobTest, DeclinesUnderAnotherPolicyThanTheServers) {
  int exit_code = -1;
  order.policy_hash = "another";
  EXPECT_TRUE(Run(exit_code).declined);
  EXPECT_EQ(Generation(), 0);
}

TEST_F(RefreshJobTest, ASourceThatIsGoneIsAnError) {
  int exit_code = -1;
  order.source = "gone";
  EXPECT_EQ(Told(Run(exit_code).outcome), "unknown_source");
}

}  // namespace
}  // namespace schemaward::app
