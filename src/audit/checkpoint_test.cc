// Signed checkpoints through the log: what they prove, and how a cut tail, a fork and a chain that
// was signed anew are told apart.

#include "audit/checkpoint.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/keys.h"
#include "audit/prove.h"
#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

auto Names(std::int64_t sequence, const std::string& fault) {
  return ElementsAre(AllOf(Field(&Mismatch::sequence, sequence), Field(&Mismatch::fault, fault)));
}

class SignedLog : public ::testing::Test {
 protected:
  SignedLog() {
    EXPECT_THAT(GenerateKey(keys_.File("key")), IsOk());
    EXPECT_THAT(GenerateKey(keys_.File("other")), IsOk());
  }

  Options Signed(const std::string& key = "key") {
    Options options = OptionsFor(log_.File(), clock_);
    options.signing.key_path = keys_.File(key);
    options.signing.checkpoints_path = keys_.File("checkpoints");
    return options;
  }

  /// Appends calls in a run of its own, which ends with a checkpoint.
  void Run(const Options& options, int calls, int first = 0) {
    const auto log = Log::Create(options);
    ASSERT_THAT(log, IsOk());
    Fill(**log, calls, first);
  }

  VerifyReport CheckSigned(bool full = false, const std::string& key = "key") {
    const std::string kept = keys_.File("checkpoints");  // made with the first checkpoint
    auto report =
        Verify(log_.File(), {full, keys_.File(key + ".pub"), fs::exists(kept) ? kept : ""});
    EXPECT_THAT(report, IsOk());
    return report ? *std::move(report) : VerifyReport{};
  }

  void Save() {
    fs::copy_file(log_.File(), keys_.File("saved"), fs::copy_options::overwrite_existing);
  }
  void Restore() {
    fs::copy_file(keys_.File("saved"), log_.File(), fs::copy_options::overwrite_existing);
  }

  TempFolder log_;
  TempFolder keys_;
  FakeClock clock_;
};

TEST_F(SignedLog, EndsEachRunWithACheckpointInTheLogAndElsewhere) {
  Run(Signed(), 2);  // records 1 to 5, checkpoint 6
  Run(Signed(), 1);  // start 7, 8 and 9, checkpoint 10
  const VerifyReport report = CheckSigned();
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_EQ(report.records, 10);
  EXPECT_EQ(report.signed_through, 9);
  EXPECT_EQ(report.checkpoints, 4);  // two in the log, the same two elsewhere
  const auto kept = ReadCheckpoints(keys_.File("checkpoints"));
  ASSERT_THAT(kept, IsOk());
  ASSERT_EQ(kept->checkpoints.size(), 2U);
  EXPECT_EQ(kept->checkpoints[1].covers_sequence, 9);
  EXPECT_EQ(kept->checkpoints[1].tree_first, 1);
  EXPECT_EQ(fs::status(keys_.File("checkpoints")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(SignedLog, SignsAfterSoManyRecords) {
  Options options = Signed();
  options.signing.records = 4;
  const auto log = Log::Create(options);
  ASSERT_THAT(log, IsOk());
  Fill(**log, 1);
  EXPECT_EQ(CheckSigned(true).signed_through, 0);
  Fill(**log, 2);
  EXPECT_GE(CheckSigned().signed_through, 4);
}

TEST_F(SignedLog, SignsSoLongAfterARecord) {
  Options options = Signed();
  options.signing.interval = std::chrono::milliseconds(1);
  const auto log = Log::Create(options);
  ASSERT_THAT(log, IsOk());
  Fill(**log, 1);
  EXPECT_TRUE(Eventually([&] { return CheckSigned(true).signed_through == 3; }));
}

TEST_F(SignedLog, SignsNothingWhereNothingWasRecorded) {
  Run(Signed(), 1);
  { const auto log = Log::Create(Signed()); }
  EXPECT_EQ(CheckSigned().records, 4);
}

TEST_F(SignedLog, ShowsACutTail) {
  Run(Signed(), 2);
  Save();
  Run(Signed(), 3);  // up to record 13, checkpoint 14
  Restore();
  const VerifyReport report = CheckSigned();
  EXPECT_THAT(report.mismatches, Names(13, "cut"));
  EXPECT_THAT(report.mismatches.front().what, HasSubstr("records 7 to 13 are gone"));
  EXPECT_TRUE(Check(log_.File()).IsIntact()) << "the log alone cannot show it";
}

TEST_F(SignedLog, ShowsATailThatWasCutRowByRow) {
  Run(Signed(), 2);
  Run(Signed(), 3);
  Tamper(log_.File(),
         "DELETE FROM record WHERE sequence > 6; UPDATE chain SET head_sequence = 6, head_hash = "
         "(SELECT hash FROM record WHERE sequence = 6)");
  EXPECT_THAT(CheckSigned().mismatches, Names(13, "cut"));
}

TEST_F(SignedLog, ShowsAFork) {
  Run(Signed(), 2);
  Save();
  Run(Signed(), 3, 10);
  Restore();
  Run(Signed(), 3, 20);
  const VerifyReport report = CheckSigned();
  EXPECT_THAT(report.mismatches, Names(13, "forked"));
  EXPECT_THAT(report.mismatches.front().what, HasSubstr("they part after record 5"));
  EXPECT_TRUE(Check(log_.File()).IsIntact());
}

TEST_F(SignedLog, ShowsAChainThatWasSignedAnew) {
  Run(Signed(), 2);
  Save();
  Run(Signed(), 3, 10);
  Restore();
  Options forged = Signed("other");
  forged.signing.checkpoints_path.clear();
  Run(forged, 3, 20);
  const VerifyReport report = CheckSigned();
  EXPECT_THAT(report.mismatches, Names(14, "resigned"));
  EXPECT_THAT(report.mismatches.front().what, AllOf(HasSubstr("trusted signatures end at record 5"),
                                                    HasSubstr("they part after record 5")));
}

TEST_F(SignedLog, ShowsAChainThatWasWrittenAnewWithoutAKey) {
  Run(Signed(), 2);
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(log_.File() + suffix);
  Run(OptionsFor(log_.File(), clock_), 8, 50);
  EXPECT_THAT(CheckSigned().mismatches, Names(5, "rewritten"));
}

TEST_F(SignedLog, ShowsARecordThatWasChangedAndAChainThatWasHashedAnew) {
  Run(Signed(), 2);
  Tamper(log_.File(), "UPDATE record SET principal = 'eve' WHERE sequence = 2");
  Rechain(log_.File());
  // The log alone sees that the checkpoint no longer fits; the one kept elsewhere says more.
  EXPECT_THAT(Check(log_.File()).mismatches, Names(6, "checkpoint"));
  EXPECT_EQ(CheckSigned(true).mismatches.size(), 3U);  // checkpoint, rewritten, unsigned
}

TEST_F(SignedLog, ShowsASignatureThatIsNotTheKeys) {
  Run(Signed(), 2);
  Tamper(log_.File(), "UPDATE record SET occurred_at = occurred_at + 1 WHERE sequence = 6");
  Rechain(log_.File());
  EXPECT_TRUE(Check(log_.File()).IsIntact()) << "without the key nothing shows";
  EXPECT_THAT(CheckSigned().mismatches, Names(6, "checkpoint"));
}

TEST_F(SignedLog, AsksForASignatureWhereAKeyIsGiven) {
  Run(OptionsFor(log_.File(), clock_), 2);
  auto report = Verify(log_.File(), {false, keys_.File("key.pub"), ""});
  EXPECT_THAT(report->mismatches, Names(0, "unsigned"));
}

TEST_F(SignedLog, SaysWhichCheckpointElsewhereNobodyTrusted) {
  Run(Signed(), 2);
  const VerifyReport report = CheckSigned(false, "other");
  EXPECT_THAT(report.mismatches, Names(5, "resigned"));
}

TEST_F(SignedLog, RecordsThatACheckpointCouldNotBeKeptElsewhere) {
  Options options = Signed();
  options.signing.checkpoints_path = keys_.File("nowhere/checkpoints");
  options.signing.records = 1;
  Run(options, 2);
  EXPECT_THAT(Exported(log_.File()),
              HasSubstr("the checkpoint of record 5 was not written to its file"));
  EXPECT_TRUE(Check(log_.File()).IsIntact());
}

TEST_F(SignedLog, PassesOverALineOfTheCheckpointsThatBrokeOff) {
  Run(Signed(), 1);
  std::ofstream(keys_.File("checkpoints"), std::ios::app) << R"({"covers_seq)";
  Run(Signed(), 1);
  const VerifyReport report = CheckSigned();
  EXPECT_TRUE(report.IsIntact());
  EXPECT_EQ(report.broken_lines, 1);
  EXPECT_EQ(report.checkpoints, 4);
}

TEST_F(SignedLog, RefusesAKeyOrCheckpointsInTheLogsFolder) {
  Options options = Signed();
  options.signing.checkpoints_path = log_.File("checkpoints");
  EXPECT_THAT(Log::Create(options),
              IsError(ErrorKind::InputUnreadable,
                      "the audit log's checkpoints lie in the log's own folder"));
  options = Signed();
  options.signing.key_path.clear();
  EXPECT_THAT(
      Log::Create(options),
      IsError(ErrorKind::InputUnreadable,
              "a file for the audit log's checkpoints is named, but no key that signs them"));
  options = Signed("none");
  EXPECT_THAT(Log::Create(options), IsError(ErrorKind::InputUnreadable));
}

TEST_F(SignedLog, TwoProcessesSignOneChain) {
  Options options = Signed();
  options.signing.records = 10;
  const auto write = [&] { Run(options, 100); };
  InTwoChildren(write);
  const VerifyReport report = CheckSigned();
  EXPECT_THAT(report.mismatches, ElementsAre());
  EXPECT_EQ(report.open_begin_count, 0);
  EXPECT_GE(report.signed_through, 402);
}

TEST_F(SignedLog, ProvesEachRecordThatACheckpointCovers) {
  Run(Signed(), 4);
  Run(Signed(), 2);
  const auto keys = TrustedKeys::Load(keys_.File("key.pub"));
  for (std::int64_t sequence = 1; sequence <= 15; ++sequence) {
    const auto proof = Prove(log_.File(), sequence);
    ASSERT_THAT(proof, IsOk()) << sequence;
    const auto report = CheckProof(*proof, *keys);
    ASSERT_THAT(report, IsOk());
    EXPECT_TRUE(report->valid) << report->fault;
    EXPECT_EQ(report->sequence, sequence);
    EXPECT_EQ(report->covers_sequence, sequence <= 9 ? 9 : 15);
    const auto strangers = TrustedKeys::Load(keys_.File("other.pub"));
    EXPECT_EQ(CheckProof(*proof, *strangers)->fault, "the checkpoint's key is not trusted");
  }
  EXPECT_THAT(CheckProof(*Prove(log_.File(), 2), *keys)->record.text,
              HasSubstr(R"("principal":"ana")"));
  EXPECT_THAT(Prove(log_.File(), 16),
              IsError(ErrorKind::InvalidArgument, "no checkpoint covers record 16 yet"));
  EXPECT_THAT(Prove(log_.File(), 17),
              IsError(ErrorKind::InvalidArgument, "the audit log has no record 17"));
}

TEST_F(SignedLog, NoProofHoldsOnceACharacterOfItChanged) {
  Run(Signed(), 4);
  const auto keys = TrustedKeys::Load(keys_.File("key.pub"));
  const std::string proof = *Prove(log_.File(), 3);
  for (std::size_t i = 0; i < proof.size(); ++i) {
    std::string changed = proof;
    changed[i] = changed[i] == '0' ? '1' : '0';
    const auto report = CheckProof(changed, *keys);
    EXPECT_FALSE(report && report->valid) << i;
  }
  EXPECT_THAT(CheckProof("", *keys), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(CheckProof("{}", *keys), IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::audit
