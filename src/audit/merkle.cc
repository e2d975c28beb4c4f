#include "audit/merkle.h"

#include <algorithm>
#include <bit>
#include <span>

namespace schemaward::audit {
namespace {

constexpr std::string_view kLeafPrefix("\x00", 1);
constexpr std::string_view kNodePrefix("\x01", 1);
constexpr std::size_t kDigestSize = sizeof(Digest);
constexpr int kSizeBytes = 8;
constexpr std::int64_t kLeavesMax = std::int64_t{1} << 40;

// The largest power of two below `size`. Requires: size > 1.
std::size_t SplitOf(std::size_t size) { return std::bit_floor(size - 1); }

Digest RootOfLeaves(std::span<const Digest> leaves, TreeHasher& hasher) {
  if (leaves.size() == 1) return leaves.front();
  const std::size_t split = SplitOf(leaves.size());
  return hasher.Node(RootOfLeaves(leaves.first(split), hasher),
                     RootOfLeaves(leaves.subspan(split), hasher));
}

}  // namespace

Digest TreeHasher::Leaf(std::string_view data) {
  return hasher_.Update(kLeafPrefix).Update(data).Finish();
}

Digest TreeHasher::Node(const Digest& left, const Digest& right) {
  return hasher_.Update(kNodePrefix).Update(BytesOf(left)).Update(BytesOf(right)).Finish();
}

// Two parts of one size become one of the next: as many as the size has ones at its end.
void Frontier::Add(std::string_view data) {
  Digest part = hasher_.Leaf(data);
  for (int i = std::countr_one(static_cast<std::uint64_t>(size_)); i > 0; --i) {
    part = hasher_.Node(parts_.back(), part);
    parts_.pop_back();
  }
  parts_.push_back(part);
  ++size_;
}

Digest Frontier::Root() {
  if (parts_.empty()) return Sha256().Finish();
  Digest root = parts_.back();
  for (std::size_t i = parts_.size() - 1; i > 0; --i) root = hasher_.Node(parts_[i - 1], root);
  return root;
}

std::string Frontier::ToBytes() const {
  std::string bytes;
  for (int i = 0; i < kSizeBytes; ++i)
    bytes += static_cast<char>((static_cast<std::uint64_t>(size_) >> (8 * i)) & 0xFFU);
  for (const Digest& part : parts_) bytes += BytesOf(part);
  return bytes;
}

std::optional<Frontier> Frontier::Parse(std::string_view bytes) {
  if (bytes.size() < kSizeBytes) return std::nullopt;
  std::uint64_t size = 0;
  for (int i = 0; i < kSizeBytes; ++i)
    size |= std::uint64_t{static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)])}
            << static_cast<unsigned>(8 * i);
  bytes.remove_prefix(kSizeBytes);
  const auto parts = static_cast<std::size_t>(std::popcount(size));
  if (size > static_cast<std::uint64_t>(kLeavesMax) || bytes.size() != parts * kDigestSize)
    return std::nullopt;
  Frontier frontier;
  frontier.size_ = static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i < parts; ++i) {
    Digest part{};
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i * kDigestSize), kDigestSize,
                part.begin());
    frontier.parts_.push_back(part);
  }
  return frontier;
}

std::vector<Digest> InclusionPath(const std::vector<Digest>& leaves, std::size_t index) {
  TreeHasher hasher;
  std::vector<Digest> path;
  std::span<const Digest> tree(leaves);
  while (tree.size() > 1) {
    const std::size_t split = SplitOf(tree.size());
    const bool is_left = index < split;
    const std::span<const Digest> left = tree.first(split);
    const std::span<const Digest> right = tree.subspan(split);
    path.push_back(RootOfLeaves(is_left ? right : left, hasher));
    tree = is_left ? left : right;
    if (!is_left) index -= split;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

// Source: RFC 9162, section 2.1.3.2.
std::optional<Digest> RootOf(const Digest& leaf, std::uint64_t index, std::uint64_t size,
                             const std::vector<Digest>& path) {
  if (index >= size) return std::nullopt;
  TreeHasher hasher;
  std::uint64_t last = size - 1;
  Digest root = leaf;
  for (const Digest& other : path) {
    if (last == 0) return std::nullopt;
    if ((index & 1U) == 1 || index == last) {
      root = hasher.Node(other, root);
      while ((index & 1U) == 0 && index != 0) {
        index >>= 1U;
        last >>= 1U;
      }
    } else {
      root = hasher.Node(root, other);
    }
    index >>= 1U;
    last >>= 1U;
  }
  if (last != 0) return std::nullopt;
  return root;
}

}  // namespace schemaward::audit
