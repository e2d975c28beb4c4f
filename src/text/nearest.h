#pragma once

// The names that are nearest to a wrong one. [R-REC-1]

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::text {

/// Keeps the k candidates nearest to a wrong name; candidates are fed one at a time and not kept
/// otherwise. There is no cut-off: with k candidates or more, k are returned.
///
/// A name is compared in its parts: what stands after its last dot, and what stands before it (a
/// wrong or lost schema costs little). The part after the dot counts as the least of: edits (typos,
/// swaps), words (plural, order, one more or one less), and being a prefix or suffix. Case, accents
/// and quotes do not count. Nearest first; ties by name. Thread: owner.
class NearestNames {
 public:
  NearestNames(std::string_view wrong, std::size_t k);
  ~NearestNames();
  NearestNames(NearestNames&&) noexcept;
  NearestNames& operator=(NearestNames&&) noexcept;

  /// Considers one candidate; costs little once k near ones are known.
  void Offer(std::string_view candidate);

  /// Returns the names kept, nearest first, and forgets them.
  std::vector<std::string> Take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the k of `candidates` nearest to `wrong`, as NearestNames does. Thread: any.
std::vector<std::string> FindNearestNames(std::string_view wrong,
                                          const std::vector<std::string>& candidates,
                                          std::size_t k);

/// Returns how far `candidate` is from `wrong`: 0 for the same bytes, 10 for one typo; or any value
/// above `limit` where it is more than `limit`. Thread: any.
std::uint32_t NameDistance(std::string_view wrong, std::string_view candidate,
                           std::uint32_t limit = 1U << 16);

}  // namespace schemaward::text
