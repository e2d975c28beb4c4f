#include "cli/output.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/one_line.h"

namespace schemaward::cli {

int PrintError(const Error& error) {
  PrintWords("schemaward: " + error.message());
  if (!error.detail().empty()) PrintWords("  " + error.detail());
  if (!error.hint().empty()) PrintWords("  " + error.hint());
  if (!error.recovery().fuzzy_matches.empty()) {
    std::string near;
    for (const std::string& name : error.recovery().fuzzy_matches)
      near += (near.empty() ? "" : ", ") + name;
    PrintWords("  Nearest: " + near);
  }
  // On a terminal the person is the operator, who may see what the wire never carries.
  const std::string& cause = error.private_detail();
  if (!cause.empty()) PrintWords("  Cause: " + cause.substr(0, cause.find_last_not_of(" \n") + 1));
  return error.row().exit_code;
}

void PrintLine(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

void PrintWords(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

void PrintTable(const std::vector<std::vector<std::string>>& table) {
  // Names and arguments are others' words: none begins a line of its own or steers the terminal.
  std::vector<std::vector<std::string>> rows = table;
  for (auto& row : rows)
    for (std::string& cell : row) {
      const std::size_t size = cell.size();
      cell = OneLine(std::move(cell), size);
    }
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i + 1 < row.size() ? fmt::format("{:<{}}  ", row[i], widths[i]) : row[i];
    PrintLine(line);
  }
}

Status MayWrite(const std::string& path, bool over) {
  if (over || !std::ifstream(path).good()) return Ok();
  return Error(ErrorKind::InvalidArgument, "there is a file of that name already")
      .Hint("Write over it with --force.")
      .Private(path);
}

Status WriteOutput(const std::string& path, const std::string& text, bool over) {
  WARD_CHECK(MayWrite(path, over));
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (out) return Ok();
  return Error(ErrorKind::InputUnreadable, "the file could not be written")
      .Hint("Name a file in a folder that is there and that this user may write to.")
      .Private(path);
}

bool OutputIsTerminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool ErrorIsTerminal() { return ::isatty(STDERR_FILENO) == 1; }

void ProgressBar::Clear() {
  if (!last_.empty()) std::fprintf(stderr, "\r\033[K");
  last_.clear();
}

void ProgressBar::Show(const Progress& progress) {
  if (!ErrorIsTerminal()) return;
  constexpr std::int64_t kWidth = 30;
  const std::int64_t filled =
      progress.total > 0 ? kWidth * std::min(progress.done, progress.total) / progress.total : 0;
  std::string bar = progress.total > 0
                        ? fmt::format("\r{} [{:#<{}}{: <{}}] {}/{}", what_, "", filled, "",
                                      kWidth - filled, progress.done, progress.total)
                        : fmt::format("\r{} {}", what_, progress.message);
  bar += "\033[K";
  if (bar == last_) return;
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
  last_ = std::move(bar);
}

}  // namespace schemaward::cli
