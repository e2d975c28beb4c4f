#include "audit/checkpoint.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/read.h"
#include "json/value.h"
#include "json/write.h"

namespace schemaward::audit {
namespace {

constexpr mode_t kFileMode = 0600;

Error Unreadable(const std::string& path) {
  return std::move(
      Error(ErrorKind::InputUnreadable, "the file of checkpoints cannot be read").Private(path));
}

Error Unwritable(const std::string& path, int code) {
  return std::move(Error(code == ENOSPC ? ErrorKind::DiskFull : ErrorKind::InputUnreadable,
                         "the file of checkpoints cannot be written")
                       .Private(fmt::format("{}: errno {}", path, code)));
}

Error NotACheckpoint() { return Error(ErrorKind::InputUnreadable, "the line is no checkpoint"); }

// A line that broke off, because the disk was full, must not swallow the next one.
bool EndsInsideALine(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

std::string Checkpoint::SignedText() const {
  return fmt::format("schemaward audit checkpoint 1\n{}\n{}\n{}\n{}\n{}\n", covers_sequence,
                     covers_hash, tree_first, tree_root, occurred_at);
}

Result<Checkpoint> ParseCheckpoint(std::string_view line) {
  if (line.size() > kCheckpointLineMax) return NotACheckpoint();
  const Result<json::Document> parsed = json::Parse(line);
  Checkpoint checkpoint;
  if (!parsed || !json::Read(parsed->value(), checkpoint).ok()) return NotACheckpoint();
  return checkpoint;
}

Result<CheckpointFile> ReadCheckpoints(const std::string& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed || size > kCheckpointsBytesMax) return Unreadable(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) return Unreadable(path);
  CheckpointFile read;
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    if (Result<Checkpoint> checkpoint = ParseCheckpoint(line))
      read.checkpoints.push_back(*std::move(checkpoint));
    else
      ++read.broken_lines;
  }
  return read;
}

Status AppendCheckpoint(const std::string& path, const Checkpoint& checkpoint) {
  const int file =
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, kFileMode);
  if (file < 0) return Unwritable(path, errno);
  std::string line = EndsInsideALine(file) ? "\n" : "";
  line += json::Write(checkpoint) + "\n";
  const ssize_t written = ::write(file, line.data(), line.size());
  const bool done = written == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  const int code = written < 0 ? errno : ENOSPC;
  ::close(file);
  if (!done) return Unwritable(path, code);
  return Ok();
}

}  // namespace schemaward::audit
