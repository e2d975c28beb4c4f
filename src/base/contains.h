#pragma once

#include <algorithm>
#include <iterator>

namespace schemaward {

/// True where an element of `list` equals `value`. Linear. Thread: any.
template <class List, class Value>
bool Contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

}  // namespace schemaward
