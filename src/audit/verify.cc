#include "audit/verify.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "audit/reader.h"
#include "audit/schema.h"

namespace schemaward::audit {
namespace {

// Goes along the chain and keeps what it has seen.
class Checker {
 public:
  Checker(Reader& reader, const VerifyOptions& options) : reader_(reader), options_(options) {}

  Result<VerifyReport> Run() {
    WARD_CHECK(CheckTriggers());
    CheckBase();
    while (MayGoOn()) {
      const Result<bool> more = reader_.Next();
      if (!more) Found(expected_, "unreadable", "the file is damaged at or after this record");
      if (!more || !*more) break;
      CheckRecord();
    }
    if (MayGoOn()) CheckHead();
    return Finish();
  }

 private:
  bool MayGoOn() const { return report_.IsIntact() || (options_.full && !is_damaged_); }

  void Found(std::int64_t sequence, std::string_view fault, std::string what) {
    if (fault == "unreadable") is_damaged_ = true;
    ++report_.mismatch_count;
    if (report_.mismatches.size() < VerifyReport::kListedMax)
      report_.mismatches.push_back({sequence, std::string(fault), std::move(what)});
  }

  Status CheckTriggers() {
    WARD_TRY(const std::vector<std::string> present, reader_.Triggers());
    for (const TriggerSpec& trigger : kTriggers)
      if (std::find(present.begin(), present.end(), trigger.name) == present.end())
        Found(0, "unprotected", fmt::format("the trigger {} is gone", trigger.name));
    return Ok();
  }

  void CheckBase() {
    const Chain& chain = reader_.chain();
    previous_ = chain.base_hash;
    expected_ = chain.base_sequence + 1;
    const bool is_genesis = chain.base_hash == BytesOf(kGenesis);
    if (chain.base_sequence < 0 || (chain.base_sequence == 0) != is_genesis)
      Found(0, "base", "the chain does not start where it says");
  }

  void CheckRecord() {
    const std::int64_t sequence = reader_.Sequence();
    ++report_.records;
    if (sequence != expected_)
      Found(sequence, "missing",
            sequence > expected_
                ? fmt::format("records {} to {} are gone", expected_, sequence - 1)
                : fmt::format("record {} stands where {} should", sequence, expected_));
    if (MayGoOn()) CheckHash(sequence, sequence == expected_);
    if (MayGoOn()) CheckCall(sequence);
    CheckClock();
    report_.last_sequence = sequence;
    expected_ = sequence + 1;
  }

  // After a gap the hash cannot be made, since the forerunner's is gone; the chain goes on from the
  // record's own hash. After a wrong record it goes on from its own hash or, where that was what
  // changed, from the one it should have.
  void CheckHash(std::int64_t sequence, bool is_next) {
    const std::optional<Digest> made = is_next ? reader_.Rehash(previous_) : std::nullopt;
    bool is_right = !is_next || (made && BytesOf(*made) == reader_.Hash());
    if (!is_right && !alternative_.empty()) {
      const std::optional<Digest> other = reader_.Rehash(alternative_);
      is_right = other && BytesOf(*other) == reader_.Hash();
    }
    alternative_.clear();
    if (!is_right) {
      Found(sequence, "content", fmt::format("record {} is not what was written", sequence));
      if (made) alternative_ = BytesOf(*made);
    }
    previous_ = reader_.Hash();
  }

  void CheckCall(std::int64_t sequence) {
    const std::string_view kind = reader_.Text("kind").value_or("");
    if (kind == "begin") open_.insert(open_.end(), sequence);
    if (kind != "end") return;
    const std::optional<std::int64_t> begin = reader_.Int("begin_sequence");
    if (!begin || *begin <= reader_.chain().base_sequence)
      return;  // unrecorded, or in the file before
    if (open_.erase(*begin) == 0)
      Found(sequence, "begin",
            fmt::format("record {} ends {}, which is no open begin", sequence, *begin));
  }

  void CheckClock() {
    const std::int64_t at = reader_.Int("occurred_at").value_or(0);
    if (at < last_at_) ++report_.clock_steps_back;
    last_at_ = at;
  }

  void CheckHead() {
    const Chain& chain = reader_.chain();
    if (chain.head_sequence == expected_ - 1 &&
        (chain.head_hash == previous_ || chain.head_hash == alternative_))
      return;
    Found(chain.head_sequence, "head",
          fmt::format("the last record is {}, but {} was written last", expected_ - 1,
                      chain.head_sequence));
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

  Reader& reader_;
  const VerifyOptions options_;
  VerifyReport report_;
  std::string previous_;
  std::string alternative_;
  std::int64_t expected_ = 1;
  std::int64_t last_at_ = 0;
  std::set<std::int64_t> open_;
  bool is_damaged_ = false;
};

}  // namespace

Result<VerifyReport> Verify(const std::string& path, const VerifyOptions& options) {
  WARD_TRY(Reader reader, Reader::Open(path));
  return Checker(reader, options).Run();
}

}  // namespace schemaward::audit
