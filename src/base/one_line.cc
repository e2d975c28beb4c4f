#include "base/one_line.h"

#include "base/cut.h"

namespace schemaward {

namespace {

// Controls beyond ASCII, as UTF-8: U+0080 to U+009F, which terminals obey, the separators of lines
// and paragraphs, and what turns the direction of a line. Returns their bytes, else 0.
std::size_t ControlAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return 2;
  if (byte(0) != 0xE2) return 0;
  if (byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) return 3;
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9 ? 3 : 0;
}

}  // namespace

std::string OneLine(std::string text, std::size_t bytes_max) {
  constexpr char kDelete = '\x7f';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < ' ' || text[i] == kDelete)
      text[i] = ' ';
    else if (const std::size_t size = ControlAt(text, i); size > 0)
      text.replace(i, size, 1, ' ');
  }
  text.resize(HeadOf(text, bytes_max).size());
  return text;
}

std::string TidyLine(std::string_view text, std::size_t bytes_max) {
  std::string line;
  for (const char c : OneLine(std::string(text), text.size()))
    if (c != ' ' || (!line.empty() && line.back() != ' ')) line += c;
  line.resize(HeadOf(line, bytes_max).size());
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace schemaward
