// What the log does when its file, its disk or its process fails.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit/keys.h"
#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr uid_t kNobody = 65534;

using Perms = std::filesystem::perms;
constexpr Perms kReadable = Perms::owner_read | Perms::group_read | Perms::others_read;
constexpr Perms kReadOnlyFolder =
    kReadable | Perms::owner_exec | Perms::group_exec | Perms::others_exec;

/// Leaves root, who may write everywhere.
void BecomeOrdinaryUser() {
  if (::geteuid() == 0) {
    ASSERT_EQ(::setresuid(kNobody, kNobody, kNobody), 0);
  }
}

void LimitFileSize(rlim_t bytes) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// A source, say, to which the path of the log leads.
TEST(AuditFaults, LeavesADatabaseOfSomethingElseAsItIs) {
  const TempFolder folder;
  {
    auto other = sqlite::Database::Open(folder.File("other.db"), {.create = true});
    ASSERT_THAT(other, IsOk());
    ASSERT_THAT(other->Execute("CREATE TABLE record(id INTEGER); CREATE TABLE people(id INTEGER)"),
                IsOk());
  }
  const auto contents = [&] {
    std::ifstream file(folder.File("other.db"), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = contents();
  std::filesystem::create_symlink(folder.File("other.db"), folder.File());
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  const auto refused = log->Begin(SomeBegin(0), Durability::Now);
  EXPECT_THAT(refused, IsError(ErrorKind::AuditUnavailable));
  EXPECT_EQ(contents(), before);
}

TEST(AuditFaults, RefusesWhenTheDiskIsFullKeepsWhatRanAndHeals) {
  const TempFolder folder;
  EXPECT_EQ(InChild([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const FakeClock clock;
              const auto log = OpenLog(folder.File(), clock);
              const auto first = log->Begin(SomeBegin(0), Durability::Now);
              ASSERT_THAT(first, IsOk());
              LimitFileSize(std::filesystem::file_size(folder.File("audit.db-wal")));
              const auto refused = log->Begin(SomeBegin(1), Durability::Now);
              EXPECT_THAT(refused, IsError(ErrorKind::AuditUnavailable,
                                           "the call could not be recorded in the audit log"));
              EXPECT_THAT(refused.error().retry_after_ms(), ::testing::Optional(::testing::Gt(0)));
              EXPECT_THAT(log->Begin(SomeBegin(2), Durability::Soon),
                          IsError(ErrorKind::AuditUnavailable));
              EXPECT_THAT(log->End(SomeEnd(*first)), IsOk());
              EXPECT_THAT(log->Flush(), IsError(ErrorKind::AuditUnavailable));
              EXPECT_THAT(log->Standing(), IsError(ErrorKind::AuditUnavailable));
              LimitFileSize(RLIM_INFINITY);
              EXPECT_TRUE(Eventually([&] { return log->Standing().has_value(); }));
              EXPECT_TRUE(Eventually(
                  [&] { return log->Begin(SomeBegin(3), Durability::Soon).has_value(); }));
              EXPECT_THAT(log->Flush(), IsOk());
            }),
            0);
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.records, 4);  // start, begin 0, its end, begin 3
  const auto calls = List(folder.File(), {});
  EXPECT_EQ(calls->at(0).status, "success");
}

TEST(AuditFaults, SlowsDownCallsThatComeFasterThanTheFileTakesThem) {
  constexpr int kCalls = 6'000;  // two records each: three times what the queue holds
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  int refused = 0;
  for (int i = 0; i < kCalls; ++i) {
    const auto begun = log->Begin(SomeBegin(i), Durability::Soon);
    if (!begun || !log->End(SomeEnd(*begun))) ++refused;
  }
  EXPECT_EQ(refused, 0);
  ASSERT_THAT(log->Flush(), IsOk());
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.records, 1 + 2 * kCalls);
}

TEST(AuditFaults, RefusesWhileAnotherProcessHoldsTheFileAndHeals) {
  const TempFolder folder;
  const FakeClock clock;
  MakeLog(folder.File(), 1);
  auto other = sqlite::Database::Open(folder.File(), {});
  ASSERT_THAT(other->Execute("BEGIN IMMEDIATE"), IsOk());
  const auto log = OpenLog(folder.File(), clock);
  const auto refused = log->Begin(SomeBegin(1), Durability::Now);
  ASSERT_THAT(refused, IsError(ErrorKind::AuditUnavailable));
  EXPECT_THAT(refused.error().private_detail(),
              AnyOf(HasSubstr("store_locked"), HasSubstr("did not take the record in time")));
  ASSERT_THAT(other->Execute("COMMIT"), IsOk());
  EXPECT_TRUE(Eventually([&] { return log->Begin(SomeBegin(2), Durability::Now).has_value(); }));
  EXPECT_THAT(log->Begin(SomeBegin(3), Durability::Soon), IsOk());
}

// Ends are taken in the failed state too, so the bound does not depend on how fast this runs.
TEST(AuditFaults, BoundsItsQueueAndLosesNothingThatItTook) {
  const TempFolder folder;
  const FakeClock clock;
  MakeLog(folder.File(), 1);
  auto other = sqlite::Database::Open(folder.File(), {});
  ASSERT_THAT(other->Execute("BEGIN IMMEDIATE"), IsOk());
  int taken = 0;
  {
    const auto log = OpenLog(folder.File(), clock);
    while (taken < 10'000 && log->End(SomeEnd({}))) ++taken;
    ASSERT_THAT(other->Execute("COMMIT"), IsOk());
    EXPECT_TRUE(Eventually([&] { return log->Flush().has_value(); }));
  }
  EXPECT_GE(taken, 4096);
  EXPECT_LT(taken, 10'000);
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.records, 3 + 1 + taken);
}

TEST(AuditFaults, RefusesArgumentsThatDoNotFitItsQueue) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  BeginRecord begin = SomeBegin(1);
  begin.args_json.assign((16U << 20U) + 1, 'x');
  EXPECT_THAT(log->Begin(begin, Durability::Now), IsError(ErrorKind::AuditUnavailable));
  EXPECT_THAT(log->Begin(SomeBegin(2), Durability::Now), IsOk());
}

TEST(AuditFaults, RefusesInAFolderThatCannotBeWritten) {
  const TempFolder folder;
  std::filesystem::permissions(folder.path(), kReadOnlyFolder);
  EXPECT_EQ(InChild([&] {
              BecomeOrdinaryUser();
              const FakeClock clock;
              const auto log = OpenLog(folder.File(), clock);
              EXPECT_THAT(log->Begin(SomeBegin(1), Durability::Now),
                          IsError(ErrorKind::AuditUnavailable));
              EXPECT_THAT(log->Begin(SomeBegin(2), Durability::Soon),
                          IsError(ErrorKind::AuditUnavailable));
            }),
            0);
  EXPECT_FALSE(std::filesystem::exists(folder.File()));
}

TEST(AuditFaults, VerifiesAFileInAFolderThatCannotBeWritten) {
  const TempFolder folder;
  const std::string path = folder.File("a#b%20?.db");
  MakeLog(path, 1);
  std::filesystem::permissions(path, kReadable);
  std::filesystem::permissions(folder.path(), kReadOnlyFolder);
  EXPECT_EQ(InChild([&] {
              BecomeOrdinaryUser();
              EXPECT_EQ(Check(path).records, 3);
            }),
            0);
}

TEST(AuditFaults, RefusesTheOnlyCallOfACommandLine) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File("nowhere/audit.db"), clock);
  BeginRecord begin = SomeBegin(1);
  begin.transport = "cli";
  EXPECT_THAT(log->Begin(begin, Durability::Soon), IsError(ErrorKind::AuditUnavailable));
}

TEST(AuditFaults, BestEffortLetsCallsRunAndRecordsThemOnceItCan) {
  const TempFolder folder;
  const FakeClock clock;
  const std::string path = folder.File("later/audit.db");
  {
    const auto log = OpenLog(path, clock, Mode::BestEffort);
    const auto id = log->Begin(SomeBegin(1), Durability::Now);
    ASSERT_THAT(id, IsOk());
    ASSERT_THAT(log->End(SomeEnd(*id)), IsOk());
    std::filesystem::create_directory(folder.path() / "later");
    ASSERT_THAT(log->Flush(), IsOk());
  }
  EXPECT_EQ(Check(path).records, 3);
  EXPECT_EQ(List(path, {})->at(0).status, "success");
}

TEST(AuditFaults, BestEffortDropsWhatItsQueueCannotHold) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File("nowhere/audit.db"), clock, Mode::BestEffort);
  for (int i = 0; i < 5000; ++i) ASSERT_THAT(log->Begin(SomeBegin(i), Durability::Soon), IsOk());
}

TEST(AuditFaults, LosesNoCommittedRecordWhenKilled) {
  const TempFolder folder;
  const int status = InChild([&] {
    const FakeClock clock;
    const auto log = OpenLog(folder.File(), clock);
    for (int i = 0; i < 100; ++i) ASSERT_THAT(log->Begin(SomeBegin(i), Durability::Now), IsOk());
    ::raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.open_begin_count, 100);
}

// Neither the order, nor what is waited for, nor signing hangs on the calendar.
TEST(AuditFaults, KeepsItsOrderWhateverTheCalendarDoes) {
  const TempFolder folder;
  const TempFolder keys;
  ASSERT_THAT(GenerateKey(keys.File("key")), IsOk());
  FakeClock clock;
  Options options = OptionsFor(folder.File(), clock);
  options.signing.key_path = keys.File("key");
  options.signing.records = 5;
  {
    const auto log = Log::Create(options);
    ASSERT_THAT(log, IsOk());
    for (const int hours : {0, 24 * 3650, -24 * 7300, 1, -1, 24 * 365 * 80}) {
      clock.JumpCalendar(std::chrono::hours(hours));
      ASSERT_THAT((*log)->Begin(SomeBegin(hours), Durability::Now), IsOk());
      Fill(**log, 1);
    }
  }
  const auto report =
      Verify(folder.File(), {.full = true, .public_key_path = keys.File("key.pub")});
  ASSERT_THAT(report, IsOk());
  EXPECT_TRUE(report->IsIntact());
  EXPECT_EQ(report->clock_steps_back, 2);
  EXPECT_EQ(report->signed_through, report->last_sequence - 1);
  EXPECT_EQ(List(folder.File(), {})->size(), 12U);
}

TEST(AuditFaults, TwoProcessesWriteOneChain) {
  const TempFolder folder;
  constexpr int kCallsEach = 500;
  const auto write = [&] {
    const FakeClock clock;
    const auto log = OpenLog(folder.File(), clock);
    for (int i = 0; i < kCallsEach; ++i) {
      const auto id = log->Begin(SomeBegin(i), i % 10 == 0 ? Durability::Now : Durability::Soon);
      ASSERT_THAT(id, IsOk());
      ASSERT_THAT(log->End(SomeEnd(*id)), IsOk());
    }
    ASSERT_THAT(log->Flush(), IsOk());
  };
  InTwoChildren(write);
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.records, 2 + 2 * 2 * kCallsEach);
  EXPECT_EQ(report.open_begin_count, 0);
}

TEST(AuditFaults, SaysInANewStartRecordThatTheFileWasReplaced) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  ASSERT_THAT(log->Begin(SomeBegin(1), Durability::Now), IsOk());
  const std::string head = Check(folder.File()).head_hash;
  for (const char* name : {"audit.db", "audit.db-wal", "audit.db-shm"})
    std::filesystem::remove(folder.File(name));
  ASSERT_THAT(log->Begin(SomeBegin(2), Durability::Now), IsOk());
  EXPECT_THAT(Exported(folder.File()),
              HasSubstr("the file was replaced while this process wrote it, which had written "
                        "record 2 with the hash " +
                        head));
  EXPECT_EQ(Check(folder.File()).records, 2);
}

TEST(AuditFaults, SaysInANewStartRecordThatTheTailWasCut) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  Fill(*log, 2);
  Tamper(folder.File(),
         "DELETE FROM record WHERE sequence > 3; UPDATE chain SET head_sequence = 3, head_hash = "
         "(SELECT hash FROM record WHERE sequence = 3)");
  ASSERT_THAT(log->Begin(SomeBegin(2), Durability::Now), IsOk());
  EXPECT_THAT(Exported(folder.File()), HasSubstr("the file was cut while this process wrote it"));
  EXPECT_TRUE(Check(folder.File()).IsIntact());
}

}  // namespace
}  // namespace schemaward::audit
