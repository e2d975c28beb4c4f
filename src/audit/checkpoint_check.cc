#include "audit/checkpoint_check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace schemaward::audit {
namespace {

std::string TextOf(const Reader& record, std::string_view column) {
  return std::string(record.Text(column).value_or(""));
}

Checkpoint CheckpointOf(const Reader& record) {
  Checkpoint checkpoint;
  checkpoint.covers_sequence = record.Int("covers_sequence").value_or(0);
  checkpoint.covers_hash = TextOf(record, "covers_hash");
  checkpoint.tree_first = record.Int("tree_first").value_or(0);
  checkpoint.tree_root = TextOf(record, "tree_root");
  checkpoint.occurred_at = record.Int("occurred_at").value_or(0);
  checkpoint.key_id = TextOf(record, "key_id");
  checkpoint.signature = TextOf(record, "signature");
  return checkpoint;
}

}  // namespace

Result<CheckpointCheck> CheckpointCheck::Create(const VerifyOptions& options) {
  CheckpointCheck check;
  if (!options.public_key_path.empty()) {
    WARD_TRY(check.keys_, TrustedKeys::Load(options.public_key_path));
  }
  if (!options.checkpoints_path.empty()) {
    WARD_TRY(const CheckpointFile file, ReadCheckpoints(options.checkpoints_path));
    check.has_elsewhere_ = true;
    check.ReadElsewhere(file);
  }
  return check;
}

bool CheckpointCheck::IsSigned(const Checkpoint& checkpoint) const {
  return keys_ && keys_->Accepts(checkpoint.key_id, checkpoint.SignedText(), checkpoint.signature);
}

// What nobody trusted signed proves nothing, and is said.
void CheckpointCheck::ReadElsewhere(const CheckpointFile& file) {
  broken_lines_ = file.broken_lines;
  for (const Checkpoint& checkpoint : file.checkpoints) {
    if (!keys_ || IsSigned(checkpoint)) {
      elsewhere_.emplace(checkpoint.covers_sequence, checkpoint);
    } else if (!stranger_) {
      stranger_ = Place{checkpoint.covers_sequence,
                        fmt::format("the checkpoint of record {} that is kept elsewhere is not "
                                    "signed with a trusted key",
                                    checkpoint.covers_sequence)};
    }
  }
}

void CheckpointCheck::StartFile(std::int64_t base_sequence, std::string_view base_hash) {
  tree_ = Frontier();
  base_ = base_sequence;
  CompareElsewhere(base_sequence, base_hash);
}

void CheckpointCheck::CompareElsewhere(std::int64_t sequence, std::string_view hash) {
  const auto [first, last] = elsewhere_.equal_range(sequence);
  for (auto at = first; at != last; ++at) {
    if (at->second.covers_hash == ToHex(hash)) {
      ++fitting_;
      if (keys_) signed_through_ = std::max(signed_through_, sequence);
    } else if (!different_) {
      different_ = Place{sequence, {}};
    }
  }
  // A fork that was signed elsewhere too fits after the place at which both differ.
  if (first != last && !different_) last_fitting_ = sequence;
}

void CheckpointCheck::Take(const Reader& record, std::string_view previous_hash) {
  if (record.Text("kind") == "checkpoint") CheckRecord(record, previous_hash);
  if (keys_) tree_.Add(record.Hash());
  CompareElsewhere(record.Sequence(), record.Hash());
}

// A checkpoint covers all up to the record before it.
void CheckpointCheck::CheckRecord(const Reader& record, std::string_view previous_hash) {
  const Checkpoint checkpoint = CheckpointOf(record);
  const std::int64_t sequence = record.Sequence();
  const bool fits = checkpoint.covers_sequence == sequence - 1 &&
                    checkpoint.covers_hash == ToHex(previous_hash) &&
                    checkpoint.tree_first == base_ + 1 &&
                    (!keys_ || checkpoint.tree_root == ToHex(BytesOf(tree_.Root())));
  if (keys_ && !keys_->Has(checkpoint.key_id)) {
    if (!stranger_)
      stranger_ =
          Place{sequence, fmt::format("the checkpoint in record {} is signed with a key that is "
                                      "not trusted; trusted signatures end at record {}",
                                      sequence, log_signed_)};
    return;
  }
  if (!fits || (keys_ && !IsSigned(checkpoint))) {
    if (!wrong_)
      wrong_ = Place{sequence, fmt::format("the checkpoint in record {} {}", sequence,
                                           fits ? "has a signature that is not its key's"
                                                : "does not say what the log holds")};
    return;
  }
  ++fitting_;
  if (!keys_) return;
  log_signed_ = checkpoint.covers_sequence;
  signed_through_ = std::max(signed_through_, log_signed_);
}

// A key that is not trusted explains a history that differs; a trusted one that signed both is a
// fork; one that signed none of it since is neither.
void CheckpointCheck::Finish(std::int64_t last, VerifyReport& report, const Found& found) {
  report.checkpoints = fitting_;
  report.signed_through = signed_through_;
  report.broken_lines = broken_lines_;
  if (wrong_) found(wrong_->sequence, "checkpoint", wrong_->what);
  const std::string parted =
      different_ ? fmt::format(
                       "it is not the log whose record {} was signed: they part after "
                       "record {}",
                       different_->sequence, last_fitting_)
                 : "";
  if (stranger_)
    found(stranger_->sequence, "resigned",
          different_ ? fmt::format("{}; {}", stranger_->what, parted) : stranger_->what);
  else if (different_ && log_signed_ >= different_->sequence)
    found(different_->sequence, "forked",
          fmt::format("{}, and both were signed with a trusted key", parted));
  else if (different_)
    found(different_->sequence, "rewritten", parted);
  if (!elsewhere_.empty() && elsewhere_.rbegin()->first > last)
    found(elsewhere_.rbegin()->first, "cut",
          fmt::format("records {} to {} are gone: a checkpoint says that they were written",
                      last + 1, elsewhere_.rbegin()->first));
  if (keys_ && !stranger_ && signed_through_ == 0)
    found(0, "unsigned", "no checkpoint is signed with a trusted key");
}

}  // namespace schemaward::audit
