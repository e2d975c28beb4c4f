#pragma once

// What the name rules said of a column, kept: the rules read words, and the same columns are asked
// about in every call.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "privacy/classify.h"

namespace schemaward::privacy {

/// ClassifyName with a memory. Thread: any.
class NameMemo {
 public:
  static constexpr std::size_t kEntriesMax = 4096;  // of some 150 bytes; beyond it all is forgotten

  /// As ClassifyName.
  Classification Of(std::string_view table, std::string_view column, std::string_view type);

 private:
  Mutex mutex_;
  std::unordered_map<std::string, Classification> known_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::privacy
