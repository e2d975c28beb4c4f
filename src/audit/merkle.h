#pragma once

// Merkle trees over the hashes of records, so that one record can be shown to be in the log without
// the others. Source: RFC 6962, section 2.1 (leaves are prefixed 0x00, inner nodes 0x01).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"

namespace schemaward::audit {

/// Makes the nodes of a tree. Thread: owner.
class TreeHasher {
 public:
  /// Returns SHA-256(0x00 || data).
  Digest Leaf(std::string_view data);
  /// Returns SHA-256(0x01 || left || right).
  Digest Node(const Digest& left, const Digest& right);

 private:
  Sha256 hasher_;
};

/// A tree that only grows, kept as the roots of its complete parts: one for each bit of its size.
/// Thread: owner.
class Frontier {
 public:
  /// Adds a leaf that holds `data`.
  void Add(std::string_view data);
  std::int64_t size() const { return size_; }
  /// Returns the root; of no leaf, the hash of nothing.
  Digest Root();

  /// Returns it as bytes, size first, to be read back by Parse.
  std::string ToBytes() const;
  /// Reads what ToBytes gave; nullopt where the bytes are not such.
  static std::optional<Frontier> Parse(std::string_view bytes);

 private:
  TreeHasher hasher_;
  std::int64_t size_ = 0;
  std::vector<Digest> parts_;  // the largest first
};

/// Returns the nodes that lead from leaf `index` to the root of the tree over `leaves`, the
/// nearest first. Requires: index < leaves.size().
std::vector<Digest> InclusionPath(const std::vector<Digest>& leaves, std::size_t index);

/// Returns the root that `path` leads to from `leaf` at `index` of `size`; nullopt where the path
/// has not the length that such a leaf's has.
std::optional<Digest> RootOf(const Digest& leaf, std::uint64_t index, std::uint64_t size,
                             const std::vector<Digest>& path);

}  // namespace schemaward::audit
