#pragma once

// Looks into documents of other programs, whose members may be absent or of another type than is
// documented: what is not there reads as null, empty or false. Include where a Value is taken
// apart.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace schemaward::json {

/// Returns the member, or a null value where `value` is no object or has none of that name.
/// Lifetime: of `value`, or static. Thread: any, as all below.
const Value& Member(const Value& value, std::string_view name);

/// Returns the member at the end of a path of names.
const Value& Member(const Value& value, std::initializer_list<std::string_view> path);

/// Returns a text as it is, a number or boolean as JSON writes it, and "" for anything else.
std::string TextOf(const Value& value);
std::string TextOf(const Value& value, std::string_view member);

/// True only for the value true.
bool IsTrue(const Value& value);

/// Returns the integer that a number or the text of one holds.
std::optional<std::int64_t> IntegerOf(const Value& value);

/// Returns the elements of a list; a single text counts as a list of one; the members' values of an
/// object in the order of their names; nothing else has any. Lifetime: of `value`.
std::vector<const Value*> ItemsOf(const Value& value);

/// Returns TextOf of each item that has one.
std::vector<std::string> TextsOf(const Value& value);

}  // namespace schemaward::json
