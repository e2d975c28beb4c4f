#pragma once

// The pages of docs/errors, built in.

#include <span>

#include "base/embedded_text.h"

namespace schemaward::mcp {

/// One page for each kind of error, KIND.md, and those around them. Lifetime: static.
std::span<const EmbeddedText> ErrorPages();

}  // namespace schemaward::mcp
