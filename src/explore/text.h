#pragma once

// Small words of what a model is told.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::explore {

/// Returns `text` with each run of blanks and control characters as one blank, cut to
/// kCellBytesMax.
std::string ShowValue(std::string_view text);

/// Returns "unknown", 950, 1.2K, 3.4M or 5.6B.
std::string ShowRows(const std::optional<std::int64_t>& rows);

/// Returns "a, b, c".
std::string Listed(const std::vector<std::string>& names);

/// Returns `text` without blanks around it and without one layer of backticks or double quotes
/// around the whole.
std::string BareName(std::string_view text);

}  // namespace schemaward::explore
