#pragma once

// What of an expression is known before it runs: numbers, texts, steps of time.

#include <cstdint>
#include <optional>

#include "sql/query/tree.h"

namespace schemaward::guard {

/// Returns the literal below casts, signs and INTERVAL, or null. Lifetime: of `value`.
const sql::query::Expression* ConstantOf(const sql::query::Expression* value);

/// Returns the whole number that `value` is, with its signs; nothing where a cast or ~ stands
/// around one.
std::optional<std::int64_t> IntegerOf(const sql::query::Expression* value);

/// True for an interval of whole hours, days or longer units, of any sign.
bool IsLongStep(const sql::query::Expression* step);

/// True for a date or a moment that calendars have: a series that ends there has an end.
bool IsBoundedTime(const sql::query::Expression* value);

/// True for a text that IsLongStep takes and that moves forward: '1 day', '+2 hours', INTERVAL 1
/// DAY.
bool IsForwardStep(const sql::query::Expression* step);

}  // namespace schemaward::guard
