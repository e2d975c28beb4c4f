#pragma once

// A small text file of someone else's, read and replaced whole.

#include <string>

#include "base/result.h"

namespace schemaward::clients {

/// A file as it was read.
struct TextFile {
  std::string path;  ///< absolute, links followed
  std::string text;  ///< empty where there is no file
  bool is_there = false;
};

/// Reads the file. Errors: InputUnreadable when it is there and cannot be read, is larger than
/// 16 MiB, or is a link to nothing. Thread: any, as below.
Result<TextFile> ReadTextFile(const std::string& path);

/// Returns the name of the copy that ReplaceTextFile leaves.
std::string BackupOf(const TextFile& file);

/// Puts `text` into the place of the file in one step: who reads it finds the old or the new whole.
/// What was there is kept in BackupOf; mode and owner stay, a new file is its owner's alone;
/// folders are made. Errors: InputUnreadable when the file is no longer as it was read; DiskFull
/// when something could not be written, and then the file is as it was.
Status ReplaceTextFile(const TextFile& file, const std::string& text);

}  // namespace schemaward::clients
