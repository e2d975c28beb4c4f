#include "transport/lines.h"

namespace schemaward::transport {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kKeptBytesIdle = 64u << 10;  // more than this is given back after a line

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

void LineSplitter::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      Keep(bytes);
      return;
    }
    Finish(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
}

void LineSplitter::End() { Finish({}); }

void LineSplitter::Keep(std::string_view part) {
  if (skipping_) return;
  if (kept_.size() + part.size() <= line_bytes_max_) {
    kept_ += part;
    return;
  }
  skipping_ = true;
  std::string().swap(kept_);
  sink_.OnLongLine();
}

void LineSplitter::Finish(std::string_view rest) {
  std::string_view line = rest;
  if (!kept_.empty() || rest.size() > line_bytes_max_) {
    Keep(rest);
    line = kept_;
  }
  if (!skipping_) {
    if (at_start_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!IsBlank(line)) sink_.OnLine(line);
  }
  at_start_ = false;
  skipping_ = false;
  kept_.clear();
  if (kept_.capacity() > kKeptBytesIdle) kept_.shrink_to_fit();
}

}  // namespace schemaward::transport
