#pragma once

// What kind of value a column holds, told from its type's name in any engine.

#include <cstdint>

#include "catalog/catalog.h"

namespace schemaward::suggest {

enum class Family : std::uint8_t { Unknown, Number, Text, Uuid, Time, Date, Boolean, Other };

/// Unknown where the engine declares no type. Thread: any.
Family FamilyOf(const catalog::Column& column);

/// True for numbers that hold fractions (numeric, real, ...), which measures use and keys seldom.
bool IsFractional(const catalog::Column& column);

}  // namespace schemaward::suggest
