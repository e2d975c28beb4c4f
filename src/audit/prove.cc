#include "audit/prove.h"

#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "audit/checkpoint.h"
#include "audit/hex.h"
#include "audit/merkle.h"
#include "audit/record.h"
#include "audit/series.h"
#include "base/hex.h"
#include "json/read.h"
#include "json/value.h"
#include "json/write.h"

namespace schemaward::audit {
namespace {

constexpr std::string_view kFormat = "schemaward-audit-proof-1";
constexpr std::size_t kPathMax = 64;

struct Proof {
  std::string format;
  std::string canonical;      ///< the record's canonical bytes, hexadecimal
  std::string previous_hash;  ///< of the record before it
  std::int64_t leaf_index = 0;
  std::vector<std::string> path;  ///< the nearest first
  Checkpoint checkpoint;
  void Bind(json::Fields& f) {
    f("format", format, "format of the proof", {.required = true});
    f("canonical", canonical, "canonical bytes of the record", {.required = true});
    f("previous_hash", previous_hash, "hash of the record before", {.required = true});
    f("leaf_index", leaf_index, "place of the record in the tree, from 0", {.required = true});
    f("path", path, "hashes from the leaf to the root", {.required = true});
    f("checkpoint", checkpoint, "in which the root is signed", {.required = true});
  }
};

Error NotAProof() {
  return Error(ErrorKind::InputUnreadable, "the file is no proof of the audit log");
}

// Collects the leaves of one file until a checkpoint covers the wanted record.
class Prover {
 public:
  explicit Prover(std::int64_t sequence) : sequence_(sequence) {}

  void StartFile(const Chain& chain) {
    leaves_.clear();
    previous_ = chain.base_hash;
    first_ = chain.base_sequence + 1;
  }

  /// True when the proof is complete.
  bool Take(Reader& record) {
    if (is_found_ && record.Text("kind") == "checkpoint") return TakeCheckpoint(record);
    if (record.Sequence() == sequence_) {
      (void)record.Rehash(previous_);
      is_found_ = true;
      proof_.format = kFormat;
      proof_.canonical = ToHex(record.CanonicalBytes());
      proof_.previous_hash = ToHex(previous_);
      proof_.leaf_index = sequence_ - first_;
    }
    leaves_.push_back(hasher_.Leaf(record.Hash()));
    previous_ = record.Hash();
    return false;
  }

  bool is_found() const { return is_found_; }
  Result<std::string> Finish() {
    const auto index = static_cast<std::size_t>(proof_.leaf_index);
    if (index >= leaves_.size())
      return Error(ErrorKind::StoreUnusable, "the audit log has a gap before this record");
    for (const Digest& node : InclusionPath(leaves_, index))
      proof_.path.push_back(ToHex(BytesOf(node)));
    return json::Write(proof_);
  }

 private:
  bool TakeCheckpoint(const Reader& record) {
    Checkpoint& checkpoint = proof_.checkpoint;
    checkpoint.covers_sequence = record.Int("covers_sequence").value_or(0);
    checkpoint.covers_hash = record.Text("covers_hash").value_or("");
    checkpoint.tree_first = record.Int("tree_first").value_or(0);
    checkpoint.tree_root = record.Text("tree_root").value_or("");
    checkpoint.occurred_at = record.Int("occurred_at").value_or(0);
    checkpoint.key_id = record.Text("key_id").value_or("");
    checkpoint.signature = record.Text("signature").value_or("");
    return true;
  }

  const std::int64_t sequence_;
  Proof proof_;
  TreeHasher hasher_;
  std::vector<Digest> leaves_;
  std::string previous_;
  std::int64_t first_ = 1;
  bool is_found_ = false;
};

// Takes canonical bytes apart again.
class CanonicalReader {
 public:
  explicit CanonicalReader(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the record as JSON and notes its sequence; nullopt where the bytes are not canonical.
  std::optional<std::string> ToJson() {
    if (bytes_.empty()) return std::nullopt;
    bytes_.remove_prefix(1);
    std::string json = "{";
    while (!bytes_.empty())
      if (!TakeField(json)) return std::nullopt;
    return json + "}";
  }
  std::int64_t sequence() const { return sequence_; }

 private:
  std::optional<std::uint64_t> TakeNumber(std::size_t size) {
    if (bytes_.size() < size) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
      number |= std::uint64_t{static_cast<unsigned char>(bytes_[i])} << (8 * i);
    bytes_.remove_prefix(size);
    return number;
  }
  std::optional<std::string_view> TakeText(std::optional<std::uint64_t> size) {
    if (!size || bytes_.size() < *size) return std::nullopt;
    const std::string_view text = bytes_.substr(0, *size);
    bytes_.remove_prefix(*size);
    return text;
  }

  bool TakeField(std::string& json) {
    constexpr std::uint64_t kInteger = 1;
    constexpr std::uint64_t kText = 3;
    constexpr std::uint64_t kBlob = 4;
    const auto name = TakeText(TakeNumber(2));
    if (!name) return false;
    const auto type = TakeNumber(1);
    const auto value = TakeText(TakeNumber(4));
    if (!type || !value) return false;
    if (*type == kText) {
      AppendMember(json, *name, *value);
    } else if (*type == kBlob) {
      AppendMember(json, *name, ToHex(*value));
    } else if (*type == kInteger && value->size() == sizeof(std::int64_t)) {
      CanonicalReader number(*value);
      const auto integer = static_cast<std::int64_t>(*number.TakeNumber(sizeof(std::int64_t)));
      if (*name == "sequence") sequence_ = integer;
      AppendMember(json, *name, integer);
    } else {
      return false;
    }
    return true;
  }

  std::string_view bytes_;
  std::int64_t sequence_ = 0;
};

std::optional<Digest> RootOfProof(const Proof& proof, std::string_view record_hash) {
  std::vector<Digest> path;
  for (const std::string& text : proof.path) {
    const std::optional<Digest> node = DigestFromHex(text);
    if (!node) return std::nullopt;
    path.push_back(*node);
  }
  const std::int64_t size = proof.checkpoint.covers_sequence - proof.checkpoint.tree_first + 1;
  return RootOf(TreeHasher().Leaf(record_hash), static_cast<std::uint64_t>(proof.leaf_index),
                static_cast<std::uint64_t>(size), path);
}

// Returns what is wrong; empty where nothing is.
std::string FaultOf(const Proof& proof, const TrustedKeys& keys, ProofReport& report) {
  const std::optional<std::string> canonical = FromHex(proof.canonical);
  const std::optional<Digest> previous = DigestFromHex(proof.previous_hash);
  CanonicalReader reader(canonical ? std::string_view(*canonical) : std::string_view());
  const std::optional<std::string> record = reader.ToJson();
  if (!record || !previous) return "the record's bytes are not a record's";
  report.sequence = reader.sequence();
  report.record.text = *record;
  const Checkpoint& checkpoint = proof.checkpoint;
  const bool is_range = checkpoint.tree_first >= 1 &&
                        checkpoint.covers_sequence >= checkpoint.tree_first &&
                        checkpoint.covers_sequence < INT64_MAX && proof.leaf_index >= 0 &&
                        proof.leaf_index <= checkpoint.covers_sequence - checkpoint.tree_first;
  if (!is_range || reader.sequence() != checkpoint.tree_first + proof.leaf_index)
    return "the record is not the one at this place";
  const Digest hash = Sha256().Update(BytesOf(*previous)).Update(*canonical).Finish();
  const std::optional<Digest> root = RootOfProof(proof, BytesOf(hash));
  if (!root || ToHex(BytesOf(*root)) != proof.checkpoint.tree_root)
    return "the record does not lead to the signed root";
  if (!keys.Has(proof.checkpoint.key_id)) return "the checkpoint's key is not trusted";
  if (!keys.Accepts(proof.checkpoint.key_id, proof.checkpoint.SignedText(),
                    proof.checkpoint.signature))
    return "the checkpoint's signature is not its key's";
  return {};
}

}  // namespace

Result<std::string> Prove(const std::string& path, std::int64_t sequence) {
  WARD_TRY(Series series, Series::Open(path));
  Prover prover(sequence);
  while (true) {
    WARD_TRY(const Series::Step step, series.Next());
    if (step == Series::Step::File && !prover.is_found()) prover.StartFile(series.file().chain());
    if (step == Series::Step::Record && prover.Take(series.file())) return prover.Finish();
    if (step == Series::Step::End || (step == Series::Step::FileEnd && prover.is_found())) break;
  }
  if (prover.is_found())
    return std::move(
        Error(ErrorKind::InvalidArgument,
              fmt::format("no checkpoint covers record {} yet", sequence))
            .Hint("Checkpoints are signed where audit.key is set; wait for the next one."));
  return std::move(
      Error(ErrorKind::InvalidArgument, fmt::format("the audit log has no record {}", sequence))
          .Hint("`schemaward audit list` shows those of calls."));
}

Result<ProofReport> CheckProof(std::string_view proof_json, const TrustedKeys& keys) {
  if (proof_json.size() > kProofBytesMax) return NotAProof();
  const Result<json::Document> parsed = json::Parse(proof_json);
  Proof proof;
  if (!parsed || !json::Read(parsed->value(), proof).ok() || proof.format != kFormat ||
      proof.path.size() > kPathMax)
    return NotAProof();
  ProofReport report;
  report.covers_sequence = proof.checkpoint.covers_sequence;
  report.key_id = proof.checkpoint.key_id;
  report.fault = FaultOf(proof, keys, report);
  report.valid = report.fault.empty();
  return report;
}

Result<ProofReport> CheckProofFile(const std::string& proof_path,
                                   const std::string& public_key_path) {
  WARD_TRY(const TrustedKeys keys, TrustedKeys::Load(public_key_path));
  std::ifstream file(proof_path, std::ios::binary);
  std::string proof(kProofBytesMax + 1, '\0');
  file.read(proof.data(), static_cast<std::streamsize>(proof.size()));
  proof.resize(static_cast<std::size_t>(file.gcount()));
  if (proof.empty())
    return std::move(
        Error(ErrorKind::InputUnreadable, "the proof cannot be read").Private(proof_path));
  return CheckProof(proof, keys);
}

}  // namespace schemaward::audit
