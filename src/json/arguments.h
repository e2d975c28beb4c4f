#pragma once

// Many values of one type as arguments of calls, or as the bodies of definitions.

#include <string>
#include <vector>

#include "json/fields.h"

namespace schemaward::json {

/// Writes objects of one type as arguments of a call: members that hold what a default value holds
/// are left out, but for required ones, and nothing is null. What a default value holds is found
/// out once. Thread: immutable once built, any.
class ArgumentsWriter {
 public:
  explicit ArgumentsWriter(const SlotOps& ops);
  /// Requires: the slot's type is the one of `ops`.
  std::string Write(Slot slot) const;

 private:
  std::vector<std::string> usual_;  ///< by member
};

/// Returns each value as WriteArguments does.
template <class T>
std::vector<std::string> WriteEachArguments(const std::vector<T>& values) {
  std::vector<std::string> texts;
  if (values.empty()) return texts;
  texts.reserve(values.size());
  const ArgumentsWriter writer(*SlotOf(values.front()).ops);
  for (const T& value : values) texts.push_back(writer.Write(SlotOf(value)));
  return texts;
}

}  // namespace schemaward::json
