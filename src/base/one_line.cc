#include "base/one_line.h"

#include "base/cut.h"

namespace schemaward {

std::string OneLine(std::string text, std::size_t bytes_max) {
  constexpr char kDelete = '\x7f';
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == kDelete) c = ' ';
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
