#include "audit/log.h"

#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "audit/record.h"
#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> Lines(const std::string& path) {
  std::vector<std::string> lines;
  EXPECT_THAT(Export(path,
                     [&](std::string_view line) {
                       lines.emplace_back(line);
                       return Ok();
                     }),
              IsOk());
  return lines;
}

TEST(AuditLog, TouchesNothingBeforeTheFirstRecord) {
  const TempFolder folder;
  const FakeClock clock;
  { const auto log = OpenLog(folder.File(), clock); }
  EXPECT_FALSE(std::filesystem::exists(folder.File()));
}

TEST(AuditLog, WritesStartBeginAndEndWithAllTheirFields) {
  const TempFolder folder;
  MakeLog(folder.File(), 1);
  const std::vector<std::string> lines = Lines(folder.File());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(
      lines[0],
      HasSubstr(
          R"("sequence":1,"version":1,"kind":"start","occurred_at":1767225600000000,"program_version":"1.0.0","config_hash":"cccc)"));
  EXPECT_THAT(lines[0], HasSubstr(R"("mode":"required","profile":"dev","hash":")"));
  EXPECT_THAT(
      lines[1],
      HasSubstr(
          R"("kind":"begin","occurred_at":1767225600000000,"run":1,"request_id":"r0","principal":"ana","client":"probe 1.2","transport":"stdio","source":"shop","tool":"describe_table","args_hash":")"));
  EXPECT_THAT(
      lines[1],
      HasSubstr(R"("args":"{\"limit\":0,\"qualified_name\":\"main.orders\"}","profile":"dev")"));
  EXPECT_THAT(lines[2],
              AllOf(HasSubstr(R"("kind":"end")"), HasSubstr(R"("run":1,"begin_sequence":2)")));
  EXPECT_THAT(
      lines[2],
      HasSubstr(
          R"("tables":"[\"main.customers\",\"main.orders\"]","pii_categories":"[\"contact\"]","rows":3,"bytes":120,"duration_us":450,"detail":"fine")"));
  EXPECT_THAT(lines[2], Not(HasSubstr("SELECT 1")));
}

TEST(AuditLog, HasEveryColumnDescribedInTheDocsInItsOrder) {
  std::ifstream page(WARD_SOURCE_DIR "/docs/formats/audit.md");
  const std::string text((std::istreambuf_iterator<char>(page)), {});
  std::size_t at = 0;
  for (const ColumnSpec& column : Columns()) {
    const std::size_t row = text.find(fmt::format("| `{}` | {}", column.name, column.type), at);
    ASSERT_NE(row, std::string::npos) << column.name;
    at = row;
  }
}

TEST(AuditLog, LeavesOutWhatIsNotKnown) {
  const TempFolder folder;
  const FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    ASSERT_THAT(log->Begin({.tool = "t"}, Durability::Now), IsOk());
  }
  EXPECT_THAT(
      Lines(folder.File())[1],
      HasSubstr(R"("kind":"begin","occurred_at":1767225600000000,"run":1,"tool":"t","hash":)"));
}

TEST(AuditLog, HasCommittedANowRecordWhenBeginReturns) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  ASSERT_THAT(log->Begin(SomeBegin(1), Durability::Now), IsOk());
  EXPECT_EQ(Check(folder.File()).records, 2);
}

TEST(AuditLog, CommitsSoonRecordsByItselfAndInOrderBeforeALaterNow) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  for (int i = 0; i < 3; ++i) ASSERT_THAT(log->Begin(SomeBegin(i), Durability::Soon), IsOk());
  ASSERT_THAT(log->Begin(SomeBegin(3), Durability::Now), IsOk());
  const std::vector<std::string> lines = Lines(folder.File());
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[4], HasSubstr(R"("request_id":"r3")"));
  ASSERT_THAT(log->Begin(SomeBegin(4), Durability::Soon), IsOk());
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (Check(folder.File()).records < 6 && std::chrono::steady_clock::now() < give_up)
    std::this_thread::yield();
  EXPECT_EQ(Check(folder.File()).records, 6);
}

TEST(AuditLog, IsReadableByItsOwnerOnly) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  ASSERT_THAT(log->Begin(SomeBegin(1), Durability::Now), IsOk());
  for (const char* name : {"audit.db", "audit.db-wal"}) {
    struct stat info {};
    ASSERT_EQ(::stat(folder.File(name).c_str(), &info), 0) << name;
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << name;
  }
}

TEST(AuditLog, RefusesToChangeOrDeleteARecord) {
  const TempFolder folder;
  MakeLog(folder.File(), 1);
  auto database = sqlite::Database::Open(folder.File(), {});
  ASSERT_THAT(database, IsOk());
  for (const char* sql : {"UPDATE record SET tool = 'x'", "DELETE FROM record", "DELETE FROM chain",
                          "UPDATE record SET detail = NULL WHERE sequence = 2"}) {
    const Status status = database->Execute(sql);
    ASSERT_THAT(status, IsError(ErrorKind::SqlRuntime)) << sql;
    EXPECT_THAT(status.error().private_detail(), HasSubstr("audit records are never changed"));
  }
  EXPECT_TRUE(Check(folder.File()).IsIntact());
}

TEST(AuditLog, ContinuesTheChainInALaterRunWithAStartRecordOfItsOwn) {
  const TempFolder folder;
  MakeLog(folder.File(), 2);
  MakeLog(folder.File(), 1);
  const std::vector<std::string> lines = Lines(folder.File());
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_THAT(lines[5], AllOf(HasSubstr(R"("kind":"start")"), Not(HasSubstr("detail"))));
  EXPECT_THAT(lines[7], HasSubstr(R"("run":6,"begin_sequence":7)"));
  EXPECT_TRUE(Check(folder.File()).IsIntact());
}

TEST(AuditLog, RecordsAChangeOfModeAlsoToOffAndRecordsNothingElseThen) {
  const TempFolder folder;
  const FakeClock clock;
  MakeLog(folder.File(), 1);
  for (int i = 0; i < 2; ++i) {
    const auto log = OpenLog(folder.File(), clock, Mode::Off);
    const auto id = log->Begin(SomeBegin(1), Durability::Now);
    ASSERT_THAT(id, IsOk());
    ASSERT_THAT(log->End(SomeEnd(*id)), IsOk());
    ASSERT_THAT(log->Flush(), IsOk());
  }
  MakeLog(folder.File(), 1);
  const std::vector<std::string> lines = Lines(folder.File());
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_THAT(lines[3], HasSubstr("mode changed from required to off"));
  EXPECT_THAT(lines[4], HasSubstr("mode changed from off to required"));
  EXPECT_TRUE(Check(folder.File()).IsIntact());
}

TEST(AuditLog, MakesNoFileWhenItIsOffFromTheStart) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock, Mode::Off);
  ASSERT_THAT(log->Begin(SomeBegin(1), Durability::Now), IsOk());
  EXPECT_FALSE(std::filesystem::exists(folder.File()));
}

TEST(AuditLog, LinksAnEndThatNamesNoBeginToNothing) {
  const TempFolder folder;
  const FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    ASSERT_THAT(log->End(SomeEnd({})), IsOk());
  }
  EXPECT_THAT(Lines(folder.File())[1], Not(HasSubstr("begin_sequence")));
  EXPECT_TRUE(Check(folder.File()).IsIntact());
}

TEST(AuditLog, MasksSecretsInTheDetailAndCutsLongTexts) {
  const TempFolder folder;
  const FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    EndRecord end;
    end.detail = "postgres://u:hunter2@h/db " + std::string(5000, 'x');
    ASSERT_THAT(log->End(end), IsOk());
  }
  const std::string line = Lines(folder.File())[1];
  EXPECT_THAT(line, AllOf(Not(HasSubstr("hunter2")), HasSubstr("postgres://u:***@h/db")));
  EXPECT_LT(line.size(), 2500U);
}

TEST(AuditLog, AsksForAPathAndAClock) {
  const FakeClock clock;
  Options options;
  EXPECT_THAT(Log::Create(options),
              IsError(ErrorKind::InvalidArgument, "the audit log needs a clock"));
  options.clock = &clock;
  EXPECT_THAT(Log::Create(options),
              IsError(ErrorKind::InvalidArgument, "the audit log needs a path"));
  options.mode = Mode::Off;
  EXPECT_THAT(Log::Create(options), IsOk());
}

TEST(AuditLog, TakesRecordsFromManyThreads) {
  constexpr int kThreads = 4;
  const TempFolder folder;
  const FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&log, t] {
        for (int i = 0; i < 50; ++i) {
          const auto id = log->Begin(SomeBegin(t), i % 5 == 0 ? Durability::Now : Durability::Soon);
          ASSERT_THAT(id, IsOk());
          ASSERT_THAT(log->End(SomeEnd(*id)), IsOk());
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.records, 401);
  EXPECT_EQ(report.open_begin_count, 0);
}

}  // namespace
}  // namespace schemaward::audit
