#pragma once

// Texts of others on a line of ours.

#include <cstddef>
#include <string>
#include <string_view>

namespace schemaward {

/// Returns `text` with each control character as a blank, cut to at most `bytes_max` bytes between
/// characters. Thread: any.
std::string OneLine(std::string text, std::size_t bytes_max);

/// The same, with each run of blanks as one and none at either end: for sentences, where the exact
/// letters of a name do not matter. Thread: any.
std::string TidyLine(std::string_view text, std::size_t bytes_max);

}  // namespace schemaward
