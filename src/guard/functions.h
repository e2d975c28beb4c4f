#pragma once

// The functions that an approved tree may call.

#include <string_view>

namespace schemaward::guard {

/// Returns true when `name` is on the list: functions that every dialect has, that read nothing but
/// their arguments, and whose result is no larger than their input.
bool IsListedFunction(std::string_view name);

/// The same for functions that are called over a window only.
bool IsListedWindow(std::string_view name);

}  // namespace schemaward::guard
