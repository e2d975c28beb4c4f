#include "audit/segments.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNumberDigits = 6;

// The number in "audit.db.000002" where the log is "audit.db"; 0 where the name is another.
std::int64_t NumberOf(std::string_view name, std::string_view log_name) {
  if (name == log_name) return 1;
  if (name.size() != log_name.size() + 1 + kNumberDigits || !name.starts_with(log_name) ||
      name[log_name.size()] != '.')
    return 0;
  const char* const end = name.data() + name.size();
  std::int64_t number = 0;
  const auto [stopped, failed] = std::from_chars(end - kNumberDigits, end, number);
  return failed == std::errc() && stopped == end && number > 1 ? number : 0;
}

std::int64_t FileBytes(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<std::int64_t>(info.st_size) : 0;
}

}  // namespace

std::string SegmentPath(const std::string& path, std::int64_t number) {
  return number == 1 ? path : fmt::format("{}.{:06}", path, number);
}

std::string SegmentName(const std::string& path, std::int64_t number) {
  return fs::path(SegmentPath(path, number)).filename().string();
}

std::vector<Segment> ListSegments(const std::string& path) {
  const fs::path log(path);
  const std::string log_name = log.filename().string();
  const fs::path folder = log.has_parent_path() ? log.parent_path() : fs::path(".");
  std::vector<Segment> segments;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (const std::int64_t number = NumberOf(at->path().filename().string(), log_name); number > 0)
      segments.push_back({number, SegmentPath(path, number)});
  std::sort(segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.number < b.number; });
  return segments;
}

std::int64_t SegmentBytes(const std::string& path) {
  return FileBytes(path) + FileBytes(path + "-wal");
}

// The file first: its -wal alone is nothing.
int RemoveSegment(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm"})
    if (::unlink((path + suffix).c_str()) != 0 && errno != ENOENT) return errno;
  return 0;
}

}  // namespace schemaward::audit
