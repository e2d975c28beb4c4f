#include "audit/verify.h"

#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/record.h"
#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr int kCalls = 4;  // records 1 (start), 2 and 3, 4 and 5, 6 and 7, 8 and 9

auto Names(std::int64_t sequence, const std::string& fault) {
  return ElementsAre(AllOf(Field(&Mismatch::sequence, sequence), Field(&Mismatch::fault, fault)));
}

TEST(AuditVerify, AcceptsWhatTheLogWrote) {
  const TempFolder folder;
  MakeLog(folder.File(), kCalls);
  const VerifyReport report = Check(folder.File(), true);
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.ExitCode(), 0);
  EXPECT_EQ(report.records, 9);
  EXPECT_EQ(report.last_sequence, 9);
  EXPECT_EQ(report.head_hash.size(), 64U);
  EXPECT_EQ(report.open_begin_count, 0);
}

TEST(AuditVerify, NamesTheRecordWhateverFieldOfItChanges) {
  for (const ColumnSpec& column : Columns()) {
    if (column.name == "sequence") continue;
    for (const std::int64_t sequence : {1, 4, 5, 9}) {
      const TempFolder folder;
      MakeLog(folder.File(), kCalls);
      const std::string value =
          column.type == "INTEGER" ? fmt::format("coalesce({}, 0) + 1", column.name)
          : column.name == "hash"  ? "zeroblob(32)"
                                   : fmt::format("coalesce({}, '') || 'x'", column.name);
      Tamper(folder.File(), fmt::format("UPDATE record SET {} = {} WHERE sequence = {}",
                                        column.name, value, sequence));
      const VerifyReport report = Check(folder.File());
      EXPECT_THAT(report.mismatches, Names(sequence, "content")) << column.name;
      EXPECT_EQ(report.ExitCode(), 1);
      // The rest of the chain still holds: one change is one mismatch.
      const VerifyReport full = Check(folder.File(), true);
      EXPECT_EQ(full.mismatches.front().sequence, sequence) << column.name;
      EXPECT_LE(full.mismatch_count, 2) << column.name;
    }
  }
}

TEST(AuditVerify, NamesTheRecordWhateverFieldOfItIsEmptiedOrChangesItsType) {
  for (const ColumnSpec& column : Columns()) {
    if (column.name == "sequence") continue;
    for (const char* value : {"NULL", "CAST({} AS BLOB)", "1.5"}) {
      const TempFolder folder;
      MakeLog(folder.File(), kCalls);
      const std::int64_t sequence = column.name == "mode" || column.name.ends_with("_hash") ? 1 : 5;
      const std::string set = fmt::format(fmt::runtime(value), column.name);
      const auto before = Exported(folder.File());
      Tamper(folder.File(), fmt::format("UPDATE record SET {} = {} WHERE sequence = {}",
                                        column.name, set, sequence));
      const VerifyReport report = Check(folder.File());
      if (before == Exported(folder.File()))
        EXPECT_TRUE(report.IsIntact()) << column.name << " " << value;
      else
        EXPECT_THAT(report.mismatches, Names(sequence, "content")) << column.name << " " << value;
    }
  }
}

struct Case {
  const char* name;
  const char* sql;
  std::int64_t sequence;
  const char* fault;
};

TEST(AuditVerify, SeesWhatIsDoneToTheChain) {
  const std::vector<Case> cases = {
      {"deleted in the middle", "DELETE FROM record WHERE sequence = 5", 6, "missing"},
      {"deleted at the start", "DELETE FROM record WHERE sequence <= 3", 4, "missing"},
      {"tail cut", "DELETE FROM record WHERE sequence >= 8", 9, "head"},
      {"everything deleted", "DELETE FROM record", 9, "head"},
      {"deleted and renumbered",
       "DELETE FROM record WHERE sequence = 4; UPDATE record SET sequence = sequence - 1 WHERE "
       "sequence > 4;",
       4, "content"},
      {"two swapped",
       "UPDATE record SET sequence = -4 WHERE sequence = 4; UPDATE record SET sequence = 4 WHERE "
       "sequence = 6;"
       "UPDATE record SET sequence = 6 WHERE sequence = -4",
       4, "content"},
      {"one added",
       "INSERT INTO record(sequence, version, kind, hash) VALUES(10, 1, 'start', zeroblob(32))", 10,
       "content"},
      {"negative sequence", "UPDATE record SET sequence = -1 WHERE sequence = 1", -1, "missing"},
      {"head moved", "UPDATE chain SET head_sequence = 7", 7, "head"},
      {"head hash changed", "UPDATE chain SET head_hash = zeroblob(32)", 9, "head"},
      {"base moved", "UPDATE chain SET base_sequence = 3", 0, "base"},
      {"hash stored as text", "UPDATE record SET hash = CAST(hash AS TEXT) WHERE sequence = 5", 5,
       "content"},
      {"base hash changed", "UPDATE chain SET base_hash = randomblob(32)", 0, "base"},
      {"column added and filled",
       "ALTER TABLE record ADD COLUMN extra TEXT; UPDATE record SET extra = 'x' WHERE sequence = 6",
       6, "content"},
      {"column renamed", "ALTER TABLE record RENAME COLUMN principal TO agent", 2, "content"},
      {"column dropped", "ALTER TABLE record DROP COLUMN metric", 3, "content"},
  };
  for (const Case& c : cases) {
    const TempFolder folder;
    MakeLog(folder.File(), kCalls);
    Tamper(folder.File(), c.sql);
    const VerifyReport report = Check(folder.File());
    EXPECT_THAT(report.mismatches, Names(c.sequence, c.fault)) << c.name;
  }
}

TEST(AuditVerify, SeesThatATriggerIsGone) {
  const TempFolder folder;
  MakeLog(folder.File(), 1);
  auto database = sqlite::Database::Open(folder.File(), {});
  ASSERT_THAT(database->Execute("DROP TRIGGER record_is_not_deleted"), IsOk());
  EXPECT_THAT(Check(folder.File()).mismatches, Names(0, "unprotected"));
}

TEST(AuditVerify, GoesOnAfterTheFirstMismatchWhenAskedTo) {
  const TempFolder folder;
  MakeLog(folder.File(), kCalls);
  Tamper(folder.File(),
         "UPDATE record SET tool = 'x' WHERE sequence = 4; DELETE FROM record WHERE sequence = 6;"
         "UPDATE record SET hash = zeroblob(32) WHERE sequence = 8");
  const VerifyReport report = Check(folder.File(), true);
  std::vector<std::pair<std::int64_t, std::string>> found;
  found.reserve(report.mismatches.size());
  for (const Mismatch& mismatch : report.mismatches)
    found.emplace_back(mismatch.sequence, mismatch.fault);
  using Pair = std::pair<std::int64_t, std::string>;
  // Record 7 ends the deleted 6.
  EXPECT_THAT(found, ElementsAre(Pair{4, "content"}, Pair{7, "missing"}, Pair{7, "begin"},
                                 Pair{8, "content"}));
  EXPECT_EQ(Check(folder.File()).mismatch_count, 1);
}

TEST(AuditVerify, AcceptsRecordsOfALaterVersionThatHasMoreColumns) {
  const TempFolder folder;
  MakeLog(folder.File(), 1);
  Tamper(folder.File(),
         "ALTER TABLE record ADD COLUMN tokens INTEGER; ALTER TABLE record ADD COLUMN a_note TEXT");
  EXPECT_TRUE(Check(folder.File()).IsIntact());
  MakeLog(folder.File(), 1);
  EXPECT_TRUE(Check(folder.File()).IsIntact());
}

TEST(AuditVerify, ReportsBeginsWithoutAnEnd) {
  const TempFolder folder;
  const FakeClock clock;
  const auto log = OpenLog(folder.File(), clock);
  Fill(*log, 1);
  ASSERT_THAT(log->Begin(SomeBegin(1), Durability::Now), IsOk());
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_THAT(report.open_begins, ElementsAre(4));
}

TEST(AuditVerify, SeesAnEndThatNamesNoOpenBegin) {
  const TempFolder folder;
  MakeLog(folder.File(), 1);
  const FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    ASSERT_THAT(log->End(SomeEnd({std::make_shared<std::int64_t>(2)})), IsOk());
  }
  EXPECT_THAT(Check(folder.File()).mismatches, Names(5, "begin"));
}

TEST(AuditVerify, CountsClocksThatStepBackWithoutBlame) {
  const TempFolder folder;
  FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    Fill(*log, 1);
    clock.JumpCalendar(std::chrono::hours(-3));
    Fill(*log, 1);
  }
  const VerifyReport report = Check(folder.File());
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.clock_steps_back, 1);
}

TEST(AuditVerify, SaysWhenThereIsNoAuditLog) {
  const TempFolder folder;
  EXPECT_THAT(Verify(folder.File()),
              IsError(ErrorKind::InputUnreadable, "there is no audit log to read"));
  std::ofstream(folder.File()) << "not a database, but long enough to be looked at by SQLite, "
                                  "which reads a header of 100 bytes";
  EXPECT_THAT(Verify(folder.File()), IsError(ErrorKind::StoreUnusable));
  auto other = sqlite::Database::Open(folder.File("other.db"), {.create = true});
  ASSERT_THAT(other->Execute("CREATE TABLE record(x)"), IsOk());
  EXPECT_THAT(Verify(folder.File("other.db")),
              IsError(ErrorKind::InputUnreadable, "the file is not an audit log"));
}

TEST(AuditList, GivesTheNewestCallsThatPassOldestFirst) {
  const TempFolder folder;
  FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    Fill(*log, 5);
    clock.Advance(std::chrono::seconds(10));
    const auto refused = log->Begin(SomeBegin(9), Durability::Soon);
    EndRecord end = SomeEnd(*refused);
    end.status = "refused";
    ASSERT_THAT(log->End(end), IsOk());
    ASSERT_THAT(log->Begin(SomeBegin(10), Durability::Soon), IsOk());
  }
  const auto sequences = [&](const Filter& filter) {
    std::vector<std::int64_t> all;
    const auto calls = List(folder.File(), filter);
    EXPECT_THAT(calls, IsOk());
    for (const Call& call : *calls) all.push_back(call.sequence);
    return all;
  };
  EXPECT_THAT(sequences({}), ElementsAre(2, 4, 6, 8, 10, 12, 14));
  EXPECT_THAT(sequences({.limit = 2}), ElementsAre(12, 14));
  EXPECT_THAT(sequences({.status = "refused"}), ElementsAre(12));
  EXPECT_THAT(sequences({.status = "success", .limit = 1}), ElementsAre(10));
  EXPECT_THAT(sequences({.since_micros = clock.UnixMicros()}), ElementsAre(12, 14));
  EXPECT_THAT(sequences({.after_sequence = 10}), ElementsAre(12, 14));
  EXPECT_THAT(sequences({.tool = "other"}), ElementsAre());
  const auto calls = List(folder.File(), {.limit = 2});
  EXPECT_EQ(calls->at(0).status, "refused");
  EXPECT_EQ(calls->at(0).args.text, R"({"limit":9,"qualified_name":"main.orders"})");
  EXPECT_EQ(calls->at(0).occurred_at, "2026-01-01T00:00:10.000000Z");
  EXPECT_EQ(calls->at(1).status, std::nullopt);
}

TEST(AuditExport, GivesTheSameBytesForTheSameRecords) {
  const TempFolder folder;
  MakeLog(folder.File("a.db"), 3);
  MakeLog(folder.File("b.db"), 3);
  EXPECT_EQ(Exported(folder.File("a.db")), Exported(folder.File("b.db")));
  EXPECT_THAT(Exported(folder.File("a.db")),
              HasSubstr("\"hash\":\"" + Check(folder.File("a.db")).head_hash));
}

void Overwrite(const std::string& path, std::size_t at, char byte) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

// Flipping a byte anywhere must show, or change nothing that the export says. Every byte of the
// file's header, each third of the schema and each 29th of the records is flipped; the fuzz target
// audit_verify flips the rest.
TEST(AuditVerify, FailsOrExportsTheSameForEveryByteFlipped) {
  const TempFolder folder;
  const std::string path = folder.File();
  MakeLog(path, 12);
  std::ifstream file(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(file)), {});
  const std::string expected = Exported(path);
  constexpr std::size_t kHeader = 120;
  constexpr std::size_t kPage = 4096;
  ASSERT_GE(good.size(), 3 * kPage);
  constexpr std::array kFlips = {0x01, 0x80, 0xFF};
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < good.size(); at += at < kHeader ? 1 : at < kPage ? 3 : 29) {
    const int flip = kFlips[at % kFlips.size()];
    Overwrite(path, at, static_cast<char>(good[at] ^ flip));
    const auto report = Verify(path);
    const bool is_accepted = report && report->IsIntact();
    const bool is_same = !is_accepted || Exported(path) == expected;
    Overwrite(path, at, good[at]);
    ASSERT_TRUE(is_same) << "byte " << at << " flip " << flip;
    accepted += is_accepted ? 1 : 0;
  }
  EXPECT_GT(accepted, 0U);  // free space and unused header bytes
}

}  // namespace
}  // namespace schemaward::audit
