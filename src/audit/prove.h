#pragma once

// Proofs that one record is in the log: its bytes, the path to a Merkle root, and the checkpoint in
// which that root is signed. Checked without the log. Layout: docs/formats/audit.md.

#include <cstdint>
#include <string>
#include <string_view>

#include "audit/keys.h"
#include "base/result.h"
#include "json/fields.h"

namespace schemaward::audit {

inline constexpr std::size_t kProofBytesMax = 256U << 10U;

/// Returns the proof for the record `sequence` as one JSON object. Reads the file that holds it.
/// Errors: InvalidArgument where the log has no such record, or no checkpoint covers it yet; as
/// Verify's.
Result<std::string> Prove(const std::string& path, std::int64_t sequence);

/// What a proof comes to.
struct ProofReport {
  bool valid = false;
  std::string fault;  ///< why it is not valid; empty where it is
  std::int64_t sequence = 0;
  std::int64_t covers_sequence = 0;  ///< the signed checkpoint covers records up to this
  std::string key_id;
  json::Raw record;  ///< as the export gives it, without its hash
  void Bind(json::Fields& f) {
    f("valid", valid, "the record is in the log that was signed");
    f("fault", fault, "why not");
    f("sequence", sequence, "the record");
    f("covers_sequence", covers_sequence, "the last record that the signed checkpoint covers");
    f("key_id", key_id, "SHA-256 of the public key");
    f("record", record, "what the record says");
  }
};

/// Checks `proof` against the trusted keys. A proof that does not hold is no error but an answer.
/// Errors: InputUnreadable where `proof` is none. Thread: any.
Result<ProofReport> CheckProof(std::string_view proof, const TrustedKeys& keys);

/// The same for a proof and keys in files. Errors: InputUnreadable where one cannot be read.
Result<ProofReport> CheckProofFile(const std::string& proof_path,
                                   const std::string& public_key_path);

}  // namespace schemaward::audit
