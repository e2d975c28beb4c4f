#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "json/write.h"

namespace schemaward::cli {

/// Returns bound structs as a JSON list, each without the members that hold their defaults.
template <class T>
std::string ListJson(const std::vector<T>& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    out += json::WriteArguments(list[i]);
  }
  return out + "]";
}

}  // namespace schemaward::cli
