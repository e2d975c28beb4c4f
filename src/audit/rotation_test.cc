// The log over several files: one chain across them, old ones removed, two processes, what verify
// names when a file is gone.

#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/keys.h"
#include "audit/prove.h"
#include "audit/segments.h"
#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kDayMicros = 86'400'000'000;

void FlipByte(const std::string& path, std::size_t at, char flip) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ flip));
}

auto Names(std::int64_t sequence, const std::string& fault, const std::string& what) {
  return ElementsAre(AllOf(Field(&Mismatch::sequence, sequence), Field(&Mismatch::fault, fault),
                           Field(&Mismatch::what, HasSubstr(what))));
}

class RotatingLog : public ::testing::Test {
 protected:
  /// Goes on in a next file after every commit.
  Options Rotating() {
    Options options = OptionsFor(log_.File(), clock_);
    options.rotation.size_bytes = 1;
    return options;
  }

  void Run(const Options& options, int calls) {
    const auto log = Log::Create(options);
    ASSERT_THAT(log, IsOk());
    for (int i = 0; i < calls; ++i) Fill(**log, 1, i);
  }

  void Remove(std::int64_t number) {
    for (const char* suffix : {"", "-wal", "-shm"})
      fs::remove(SegmentPath(log_.File(), number) + suffix);
  }

  std::vector<std::int64_t> Numbers() {
    std::vector<std::int64_t> numbers;
    for (const Segment& segment : ListSegments(log_.File())) numbers.push_back(segment.number);
    return numbers;
  }

  /// The record before the first of a file.
  std::int64_t BaseOf(std::int64_t number) {
    auto database = sqlite::Database::Open(SegmentPath(log_.File(), number), {.read_only = true});
    EXPECT_THAT(database, IsOk());
    auto read = database->Prepare("SELECT base_sequence FROM chain");
    EXPECT_TRUE(*read->Step());
    return read->Int(0);
  }

  TempFolder log_;
  FakeClock clock_;
};

TEST_F(RotatingLog, IsOneChainOverItsFiles) {
  Run(Rotating(), 4);
  Run(Rotating(), 1);
  EXPECT_GE(Numbers().size(), 6U);
  const VerifyReport report = Check(log_.File());
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_EQ(report.files, static_cast<std::int64_t>(Numbers().size()));
  EXPECT_EQ(report.first_sequence, 1);
  EXPECT_EQ(report.open_begin_count, 0);
  const auto calls = List(log_.File(), {});
  ASSERT_THAT(calls, IsOk());
  ASSERT_EQ(calls->size(), 5U);
  for (const Call& call : *calls) EXPECT_EQ(call.status, "success");
  EXPECT_THAT(Exported(log_.File()), HasSubstr("the log goes on in audit.db.000002"));
}

TEST_F(RotatingLog, SignsTheEndOfEachFileAndProvesAcrossThem) {
  const TempFolder keys;
  ASSERT_THAT(GenerateKey(keys.File("key")), IsOk());
  Options options = Rotating();
  options.signing.key_path = keys.File("key");
  options.signing.checkpoints_path = keys.File("checkpoints");
  Run(options, 3);
  auto report = Verify(log_.File(), {false, keys.File("key.pub"), keys.File("checkpoints")});
  ASSERT_THAT(report, IsOk());
  EXPECT_THAT(report->mismatches, ElementsAre());
  EXPECT_EQ(report->signed_through, report->last_sequence - 1);
  const auto trusted = TrustedKeys::Load(keys.File("key.pub"));
  for (std::int64_t sequence = 1; sequence < report->last_sequence; ++sequence) {
    const auto proof = Prove(log_.File(), sequence);
    if (!proof) {  // a checkpoint that ends its file is covered by none
      EXPECT_THAT(proof.error().message(), HasSubstr("no checkpoint covers"));
      continue;
    }
    EXPECT_TRUE(CheckProof(*proof, *trusted)->valid) << sequence;
  }
  EXPECT_THAT(Prove(log_.File(), BaseOf(2) + 1), IsOk());
}

TEST_F(RotatingLog, NamesAFileThatIsGone) {
  Run(Rotating(), 4);
  const std::int64_t first = BaseOf(2) + 1;
  const std::int64_t last = BaseOf(3);
  Remove(2);
  EXPECT_THAT(Check(log_.File()).mismatches,
              Names(last + 1, "missing",
                    fmt::format("the file audit.db.000002 is gone, with the records {} to {}",
                                first, last)));
}

TEST_F(RotatingLog, NamesTheFirstFileThatIsGone) {
  Run(Rotating(), 4);
  const std::int64_t base = BaseOf(2);
  Remove(1);
  EXPECT_THAT(
      Check(log_.File()).mismatches,
      Names(base, "missing",
            fmt::format("records 1 to {} are gone, and no record says that they were removed",
                        base)));
}

TEST_F(RotatingLog, NamesTheLastFilesThatAreGone) {
  Run(Rotating(), 4);
  const std::int64_t base = BaseOf(3);
  for (const std::int64_t number : Numbers())
    if (number > 2) Remove(number);
  EXPECT_THAT(Check(log_.File()).mismatches,
              Names(base + 1, "missing", "the file audit.db.000003 is gone"));
}

TEST_F(RotatingLog, SaysInTheLogThatTheNextFileWasGone) {
  Run(Rotating(), 2);
  Remove(Numbers().back());
  Run(Rotating(), 1);
  EXPECT_THAT(Exported(log_.File()), HasSubstr("was gone and is begun anew"));
  EXPECT_TRUE(Check(log_.File()).IsIntact());
}

TEST_F(RotatingLog, NamesARecordThatWasChangedInAClosedFile) {
  Run(Rotating(), 3);
  const std::int64_t sequence = BaseOf(2) + 1;
  Tamper(SegmentPath(log_.File(), 2),
         fmt::format("UPDATE record SET detail = 'x' WHERE sequence = {}", sequence));
  EXPECT_THAT(Check(log_.File()).mismatches, Names(sequence, "content", "not what was written"));
}

TEST_F(RotatingLog, SeesAClosedFileThatWasExchanged) {
  Run(Rotating(), 3);
  const TempFolder other;
  Options options = Rotating();
  options.path = other.File();
  options.start.program_version = "2.0.0";
  Run(options, 3);
  Remove(2);
  fs::copy_file(SegmentPath(other.File(), 2), SegmentPath(log_.File(), 2));
  const VerifyReport report = Check(log_.File());
  ASSERT_EQ(report.mismatches.size(), 1U);
  EXPECT_EQ(report.mismatches.front().fault, "base");
}

TEST_F(RotatingLog, RotatesByAgeWhateverTheCalendarDoesBetween) {
  Options options = OptionsFor(log_.File(), clock_);
  options.rotation.age_micros = kDayMicros;
  {
    const auto log = Log::Create(options);
    ASSERT_THAT(log, IsOk());
    Fill(**log, 1);
    clock_.JumpCalendar(std::chrono::hours(-48));
    Fill(**log, 1);
    EXPECT_THAT(Numbers(), ElementsAre(1));
    clock_.Advance(std::chrono::hours(73));
    Fill(**log, 1);
    EXPECT_THAT(Numbers(), ElementsAre(1, 2));
  }
  const VerifyReport report = Check(log_.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.clock_steps_back, 1);
}

TEST_F(RotatingLog, RemovesTheOldestFilesAndRecordsIt) {
  Options options = Rotating();
  options.rotation.keep_bytes = 1;
  Run(options, 4);
  EXPECT_GT(Numbers().front(), 3);
  EXPECT_THAT(Exported(log_.File()), HasSubstr("\"detail\":\"the file audit.db.00000"));
  VerifyReport report = Check(log_.File());
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_GT(report.first_sequence, 4);
  Run(options, 2);
  report = Check(log_.File());
  EXPECT_THAT(report.mismatches, ElementsAre());
  // What is removed without a record of it shows, also after a removal.
  Run(Rotating(), 3);
  Remove(Numbers().front());
  EXPECT_FALSE(Check(log_.File()).IsIntact());
}

TEST_F(RotatingLog, RemovesFilesByAgeButNotByACalendarThatWasSet) {
  Options options = Rotating();
  options.rotation.keep_micros = 30 * kDayMicros;
  const auto log = Log::Create(options);
  ASSERT_THAT(log, IsOk());
  Fill(**log, 1);
  Fill(**log, 1);
  clock_.JumpCalendar(std::chrono::hours(24 * 365));
  Fill(**log, 1);
  EXPECT_EQ(Numbers().front(), 1);
  clock_.JumpCalendar(std::chrono::hours(-24 * 365));
  Fill(**log, 1);
  EXPECT_EQ(Numbers().front(), 1);
  clock_.Advance(std::chrono::hours(24 * 31));
  Fill(**log, 1);
  EXPECT_GT(Numbers().front(), 1);
  EXPECT_TRUE(Check(log_.File()).IsIntact());
}

TEST_F(RotatingLog, ASecondProcessFollowsIntoTheNextFile) {
  const auto idle = Log::Create(OptionsFor(log_.File(), clock_));
  ASSERT_THAT(idle, IsOk());
  Fill(**idle, 1);
  Options options = Rotating();
  options.rotation.keep_bytes = 1;
  Run(options, 3);  // closes the file that the first one has open, and removes it
  EXPECT_GT(Numbers().front(), 1);
  Fill(**idle, 1, 5);
  const VerifyReport report = Check(log_.File());
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_THAT(Exported(log_.File()), Not(HasSubstr("was replaced")));
}

TEST_F(RotatingLog, TwoProcessesRemoveOldFilesOfOneChain) {
  Options options = Rotating();
  options.rotation.keep_bytes = 1;
  const auto write = [&] { Run(options, 30); };
  InTwoChildren(write);
  const VerifyReport report = Check(log_.File());
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_GT(report.first_sequence, 30);
  EXPECT_LT(report.files, 10);
}

// In any file of a signed series, at places that a seed chooses: the flip shows, or nothing that is
// said has changed.
TEST_F(RotatingLog, FailsOrExportsTheSameForBytesFlippedInAnyOfItsFiles) {
  constexpr int kFlips = 400;
  const TempFolder keys;
  ASSERT_THAT(GenerateKey(keys.File("key")), IsOk());
  Options options = Rotating();
  options.signing.key_path = keys.File("key");
  Run(options, 2);
  const std::string expected = Exported(log_.File());
  const std::vector<std::int64_t> numbers = Numbers();
  std::mt19937 random(20260101);
  int accepted = 0;
  for (int i = 0; i < kFlips; ++i) {
    const std::string path = SegmentPath(log_.File(), numbers[random() % numbers.size()]);
    const std::size_t at = random() % fs::file_size(path);
    const auto flip = static_cast<char>(1 + random() % 255);
    FlipByte(path, at, flip);
    const auto report = Verify(log_.File(), {false, keys.File("key.pub"), ""});
    const bool is_accepted = report && report->IsIntact();
    const bool is_same = !is_accepted || Exported(log_.File()) == expected;
    FlipByte(path, at, flip);
    ASSERT_TRUE(is_same) << path << " byte " << at << " flip " << int{flip};
    accepted += is_accepted ? 1 : 0;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, kFlips);
  EXPECT_THAT(Check(log_.File()).mismatches, ElementsAre());
}

TEST_F(RotatingLog, TwoProcessesGoOnTogetherWhileAReaderVerifies) {
  constexpr int kCallsEach = 30;
  const auto write = [&] { Run(Rotating(), kCallsEach); };
  Run(Rotating(), 1);
  const pid_t first = StartChild(write);
  const pid_t second = StartChild(write);
  int status = -1;
  while (::waitpid(first, &status, WNOHANG) == 0) {
    const auto report = Verify(log_.File());
    ASSERT_THAT(report, IsOk());
    if (!report->IsIntact()) {
      FAIL() << report->mismatches.front().sequence << ": " << report->mismatches.front().what;
    }
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(StatusOf(second), 0);
  const VerifyReport report = Check(log_.File());
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_EQ(report.open_begin_count, 0);
  EXPECT_GE(report.files, kCallsEach);
  EXPECT_EQ(List(log_.File(), {.limit = 1000})->size(), 2U * kCallsEach + 1);
}

}  // namespace
}  // namespace schemaward::audit
