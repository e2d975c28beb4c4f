#pragma once

// Texts of others on a line of ours.

#include <cstddef>
#include <string>

namespace schemaward {

/// Returns `text` with each control character as a blank, cut to at most `bytes_max` bytes between
/// characters. Thread: any.
std::string OneLine(std::string text, std::size_t bytes_max);

}  // namespace schemaward
