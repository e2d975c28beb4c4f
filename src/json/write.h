#pragma once

// Writes bound structs as JSON bytes, straight into a string: no document tree on the answer path.

#include <string>

#include "json/fields.h"

namespace schemaward::json {

/// Appends the value of `slot` as JSON: no blanks, members in Bind's order, empty optionals as
/// null. NaN and infinities are the strings "NaN", "Infinity", "-Infinity"; integers beyond 2^53
/// either way are strings. [R-VAL-1]
void AppendSlot(std::string& out, Slot slot);

/// Appends `value` as JSON.
template <class T>
void Append(std::string& out, const T& value) {
  AppendSlot(out, SlotOf(value));
}

/// Returns `value` as JSON.
template <class T>
std::string Write(const T& value) {
  std::string out;
  Append(out, value);
  return out;
}

/// Returns the object in `slot` as arguments of a call: members that hold what a default value
/// holds are left out, but for required ones, and nothing is null. What WriteArguments gives reads
/// back to the same value.
std::string ArgumentsOfSlot(Slot slot);

template <class T>
std::string WriteArguments(const T& value) {
  return ArgumentsOfSlot(SlotOf(value));
}

/// Appends `value` as the number or string that R-VAL-1 asks for.
void AppendInt(std::string& out, std::int64_t value);
void AppendDouble(std::string& out, double value);

}  // namespace schemaward::json
