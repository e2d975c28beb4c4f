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

}  // namespace schemaward
