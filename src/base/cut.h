#pragma once

// Texts made shorter without cutting a character of UTF-8 in two.

#include <cstddef>
#include <string>
#include <string_view>

namespace schemaward {

/// Returns the longest head of `text` of at most `bytes_max` bytes that cuts no character. Lives as
/// long as what `text` views. Thread: any.
std::string_view HeadOf(std::string_view text, std::size_t bytes_max);

/// The same, with "..." after it where something was cut. Thread: any.
std::string CutText(std::string_view text, std::size_t bytes_max);

}  // namespace schemaward
