#include "privacy/name_memo.h"

namespace schemaward::privacy {
namespace {

constexpr char kSeparator = '\0';  // in no name of a table or column

std::string KeyOf(std::string_view table, std::string_view column, std::string_view type) {
  std::string key;
  key.reserve(table.size() + column.size() + type.size() + 2);
  key.append(table).append(1, kSeparator).append(column).append(1, kSeparator).append(type);
  return key;
}

}  // namespace

Classification NameMemo::Of(std::string_view table, std::string_view column,
                            std::string_view type) {
  std::string key = KeyOf(table, column, type);
  {
    const MutexLock lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
  }
  Classification found = ClassifyName(table, column, type);
  const MutexLock lock(mutex_);
  if (known_.size() >= kEntriesMax) known_.clear();
  known_.emplace(std::move(key), found);
  return found;
}

}  // namespace schemaward::privacy
