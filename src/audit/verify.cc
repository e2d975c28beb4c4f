#include "audit/verify.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "audit/checkpoint_check.h"
#include "audit/schema.h"
#include "audit/segments.h"
#include "audit/series.h"

namespace schemaward::audit {
namespace {

// Goes along the chain and keeps what it has seen.
class Checker {
 public:
  Checker(std::string path, Series series, CheckpointCheck checkpoints, bool full)
      : path_(std::move(path)),
        series_(std::move(series)),
        checkpoints_(std::move(checkpoints)),
        is_full_(full) {}

  VerifyReport Run() {
    while (MayGoOn()) {
      const Result<Series::Step> step = series_.Next();
      if (!step)
        CannotRead();
      else if (*step == Series::Step::File)
        CheckFileStart();
      else if (*step == Series::Step::Record)
        CheckRecord();
      else if (*step == Series::Step::FileEnd)
        CheckHead();
      else
        break;
    }
    if (MayGoOn()) CheckEnd();
    return Finish();
  }

 private:
  const Reader& file() const { return series_.file(); }
  bool MayGoOn() const { return report_.IsIntact() || is_full_; }
  std::string FileName(std::int64_t number) const { return SegmentName(path_, number); }

  void Found(std::int64_t sequence, std::string_view fault, std::string what) {
    ++report_.mismatch_count;
    if (report_.mismatches.size() < VerifyReport::kListedMax)
      report_.mismatches.push_back({sequence, std::string(fault), std::move(what)});
  }

  void CannotRead() {
    is_after_damage_ = true;
    next_number_ = 0;
    Found(
        expected_, "unreadable",
        fmt::format("the file {} is damaged at or after this record", FileName(series_.number())));
    series_.LeaveFile();
  }

  void CheckFileStart() {
    ++report_.files;
    CheckTriggers();
    const Chain& chain = file().chain();
    if (report_.files == 1)
      CheckBase(chain);
    else
      CheckLink(chain);
    checkpoints_.StartFile(chain.base_sequence, chain.base_hash);
    previous_ = chain.base_hash;
    expected_ = chain.base_sequence + 1;
    number_ = series_.number();
    next_number_ = 0;
    is_after_damage_ = false;
    alternative_.clear();
  }

  void CheckTriggers() {
    const Result<std::vector<std::string>> present = series_.file().Triggers();
    for (const TriggerSpec& trigger : kTriggers)
      if (!present || std::find(present->begin(), present->end(), trigger.name) == present->end())
        Found(0, "unprotected", fmt::format("the trigger {} is gone", trigger.name));
  }

  void CheckBase(const Chain& chain) {
    const bool is_genesis = chain.base_hash == BytesOf(kGenesis);
    if (chain.base_sequence < 0 || (chain.base_sequence == 0) != is_genesis)
      Found(0, "base", "the chain does not start where it says");
    report_.first_sequence = chain.base_sequence + 1;
    first_base_ = chain.base_sequence;
    first_base_hash_ = ToHex(chain.base_hash);
  }

  // A later file starts where the one before it ended.
  void CheckLink(const Chain& chain) {
    const std::string name = FileName(series_.number());
    if (series_.number() != number_ + 1)
      Found(chain.base_sequence + 1, "missing",
            fmt::format("the file {} is gone, with the records {} to {}", FileName(number_ + 1),
                        expected_, chain.base_sequence));
    else if (!is_after_damage_ &&
             (chain.base_sequence != expected_ - 1 || chain.base_hash != previous_))
      Found(chain.base_sequence + 1, "base",
            fmt::format("the file {} does not start where {} ends", name, FileName(number_)));
    else if (!is_after_damage_ && next_number_ != series_.number())
      Found(chain.base_sequence + 1, "base",
            fmt::format("{} was not closed, yet {} goes on", FileName(number_), name));
  }

  void CheckRecord() {
    const std::int64_t sequence = file().Sequence();
    ++report_.records;
    if (sequence != expected_)
      Found(sequence, "missing",
            sequence > expected_
                ? fmt::format("records {} to {} are gone", expected_, sequence - 1)
                : fmt::format("record {} stands where {} should", sequence, expected_));
    const std::string previous = previous_;
    if (MayGoOn()) CheckHash(sequence, sequence == expected_);
    if (MayGoOn()) CheckCall(sequence);
    if (MayGoOn()) checkpoints_.Take(file(), previous);
    CheckClock();
    report_.last_sequence = sequence;
    expected_ = sequence + 1;
  }

  // After a gap the hash cannot be made, since the forerunner's is gone; the chain goes on from the
  // record's own hash. After a wrong record it goes on from its own hash or, where that was what
  // changed, from the one it should have.
  void CheckHash(std::int64_t sequence, bool is_next) {
    const std::optional<Digest> made = is_next ? series_.file().Rehash(previous_) : std::nullopt;
    bool is_right = !is_next || (made && BytesOf(*made) == file().Hash());
    if (!is_right && !alternative_.empty()) {
      const std::optional<Digest> other = series_.file().Rehash(alternative_);
      is_right = other && BytesOf(*other) == file().Hash();
    }
    alternative_.clear();
    if (!is_right) {
      Found(sequence, "content", fmt::format("record {} is not what was written", sequence));
      if (made) alternative_ = BytesOf(*made);
    }
    previous_ = file().Hash();
  }

  void CheckCall(std::int64_t sequence) {
    const std::string_view kind = file().Text("kind").value_or("");
    if (kind == "begin") open_.insert(open_.end(), sequence);
    if (kind == "retire") NoteRetired();
    if (kind != "end") return;
    const std::optional<std::int64_t> begin = file().Int("begin_sequence");
    if (!begin || *begin <= first_base_) return;  // unrecorded, or in a file that was removed
    if (open_.erase(*begin) == 0)
      Found(sequence, "begin",
            fmt::format("record {} ends {}, which is no open begin", sequence, *begin));
  }

  // The removal of old files is recorded; it must be that of all before the first.
  void NoteRetired() {
    if (file().Int("covers_sequence") == first_base_ &&
        file().Text("covers_hash") == std::string_view(first_base_hash_))
      is_removal_known_ = true;
  }

  void CheckClock() {
    const std::int64_t at = file().Int("occurred_at").value_or(0);
    if (at < last_at_) ++report_.clock_steps_back;
    last_at_ = at;
  }

  void CheckHead() {
    const Chain& chain = file().chain();
    next_number_ = chain.next_file;
    if (chain.head_sequence == expected_ - 1 &&
        (chain.head_hash == previous_ || chain.head_hash == alternative_))
      return;
    Found(chain.head_sequence, "head",
          fmt::format("the last record is {}, but {} was written last", expected_ - 1,
                      chain.head_sequence));
  }

  void CheckEnd() {
    if (next_number_ != 0)
      Found(expected_, "missing",
            fmt::format("the file {} is gone: {} says that it goes on", FileName(next_number_),
                        FileName(number_)));
    if (first_base_ > 0 && !is_removal_known_)
      Found(first_base_, "missing",
            fmt::format("records 1 to {} are gone, and no record says that they were removed",
                        first_base_));
    checkpoints_.Finish(expected_ - 1, report_,
                        [this](std::int64_t sequence, std::string_view fault, std::string what) {
                          if (MayGoOn()) Found(sequence, fault, std::move(what));
                        });
  }

  VerifyReport Finish() {
    report_.head_hash = ToHex(previous_);
    report_.open_begin_count = static_cast<std::int64_t>(open_.size());
    for (const std::int64_t sequence : open_) {
      if (report_.open_begins.size() == VerifyReport::kListedMax) break;
      report_.open_begins.push_back(sequence);
    }
    return std::move(report_);
  }

  const std::string path_;
  Series series_;
  CheckpointCheck checkpoints_;
  const bool is_full_;
  VerifyReport report_;
  std::string previous_;
  std::string alternative_;
  std::int64_t expected_ = 1;
  std::int64_t last_at_ = 0;
  std::set<std::int64_t> open_;
  std::int64_t number_ = 0;       // of the file that was read last
  std::int64_t next_number_ = 0;  // of the file that it says goes on; 0: none
  bool is_after_damage_ = false;
  std::int64_t first_base_ = 0;
  std::string first_base_hash_;
  bool is_removal_known_ = false;
};

}  // namespace

bool IsThere(const std::string& path) { return !ListSegments(path).empty(); }

Result<VerifyReport> Verify(const std::string& path, const VerifyOptions& options) {
  WARD_TRY(CheckpointCheck checkpoints, CheckpointCheck::Create(options));
  WARD_TRY(Series series, Series::Open(path));
  return Checker(path, std::move(series), std::move(checkpoints), options.full).Run();
}

}  // namespace schemaward::audit
