#pragma once

#include <cstdint>

namespace schemaward {

/// What something that changes was when it was read: equal stamps are equal contents.
struct StateStamp {
  std::uint64_t reader = 0;  ///< versions of different readers cannot be compared
  std::int64_t version = 0;
  bool operator==(const StateStamp&) const = default;
};

}  // namespace schemaward
