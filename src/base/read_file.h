#pragma once

// Whole files that people name.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward {

/// Returns what is said of the file at `path` that could not be read: an InputUnreadable whose
/// detail says why, as far as the file system tells. `what` is what the error calls it. Thread:
/// any.
Error UnreadableFile(const std::string& path, std::string_view what = "file");

/// Returns the bytes of the file at `path`, relative to the working folder. `what` is what the
/// error calls it. Errors: InputUnreadable when it is no file, may not be read or has more than
/// `bytes_max` bytes. Thread: any.
Result<std::string> ReadFile(const std::string& path, std::uintmax_t bytes_max,
                             std::string_view what = "file");

}  // namespace schemaward
