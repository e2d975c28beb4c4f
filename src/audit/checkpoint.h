#pragma once

// A checkpoint: a signed statement of what the log held at one record. It stands in the log as a
// record of its own and, one JSON line each, in a file kept elsewhere, so that a cut tail shows.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::audit {

/// All hashes, the key's id and the signature are lower-case hexadecimal digits.
struct Checkpoint {
  std::int64_t covers_sequence = 0;  ///< the last record that is covered
  std::string covers_hash;           ///< its hash, and so the chain up to it
  std::int64_t tree_first = 0;       ///< first record of the tree: the first of its file
  std::string tree_root;             ///< of the Merkle tree over tree_first to covers_sequence
  std::int64_t occurred_at = 0;      ///< microseconds since 1970, UTC
  std::string key_id;
  std::string signature;
  void Bind(json::Fields& f) {
    f("covers_sequence", covers_sequence, "the last record that is covered", {.required = true});
    f("covers_hash", covers_hash, "hash of that record", {.required = true});
    f("tree_first", tree_first, "first record of the tree", {.required = true});
    f("tree_root", tree_root, "root of the tree", {.required = true});
    f("occurred_at", occurred_at, "when it was signed, microseconds", {.required = true});
    f("key_id", key_id, "SHA-256 of the public key", {.required = true});
    f("signature", signature, "Ed25519", {.required = true});
  }

  /// Returns the bytes that are signed.
  std::string SignedText() const;
};

inline constexpr std::size_t kCheckpointLineMax = 4096;           ///< bytes
inline constexpr std::size_t kCheckpointsBytesMax = 256U << 20U;  ///< of a file that is read

/// Returns the checkpoint of one line. Errors: InputUnreadable.
Result<Checkpoint> ParseCheckpoint(std::string_view line);

/// What a file of checkpoints holds.
struct CheckpointFile {
  std::vector<Checkpoint> checkpoints;  ///< in the file's order
  std::int64_t broken_lines = 0;  ///< lines that are none: a write that broke off, or was changed
};

/// Reads the file at `path`. A last line that has no end is left out, since a writer may be at it.
/// Errors: InputUnreadable where the file cannot be read.
Result<CheckpointFile> ReadCheckpoints(const std::string& path);

/// Appends `checkpoint` to the file at `path` as one line, written at once and synced; the file is
/// made, mode 0600, where it is absent. Errors: InputUnreadable, DiskFull.
Status AppendCheckpoint(const std::string& path, const Checkpoint& checkpoint);

}  // namespace schemaward::audit
