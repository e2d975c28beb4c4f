#include "base/cut.h"

namespace schemaward {
namespace {

constexpr unsigned char kTopBits = 0xC0;
constexpr unsigned char kContinuation = 0x80;

}  // namespace

std::string_view HeadOf(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & kTopBits) == kContinuation) --end;
  return text.substr(0, end);
}

std::string CutText(std::string_view text, std::size_t bytes_max) {
  const std::string_view head = HeadOf(text, bytes_max);
  return std::string(head) + (head.size() < text.size() ? "..." : "");
}

}  // namespace schemaward
