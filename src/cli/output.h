#pragma once

// What people see: tables on standard output, words and progress on standard error. [R-CLI-2]

#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/error.h"
#include "base/result.h"

namespace schemaward::cli {

/// Prints message, detail and hint to standard error and returns the exit code.
int PrintError(const Error& error);

/// Writes `text` and a line break to standard output.
void PrintLine(std::string_view text);

/// Writes `text` and a line break to standard error.
void PrintWords(std::string_view text);

/// Prints rows with columns aligned, each on one line; the first row is the head.
void PrintTable(const std::vector<std::vector<std::string>>& table);

/// Errors: InvalidArgument where there is a file at `path` and `over` is false.
Status MayWrite(const std::string& path, bool over);

/// Writes `text` to the file at `path`. Errors: as MayWrite; InputUnreadable where it could not be
/// written.
Status WriteOutput(const std::string& path, const std::string& text, bool over);

/// True when standard output, or standard error, is a terminal.
bool OutputIsTerminal();
bool ErrorIsTerminal();

/// A progress bar on standard error while it is a terminal, else nothing. Thread: one at a time.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what) : what_(std::move(what)) {}
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void Show(const Progress& progress);
  /// Takes the bar off the screen, so that words can follow.
  void Clear();

 private:
  std::string what_;
  std::string last_;
};

}  // namespace schemaward::cli
