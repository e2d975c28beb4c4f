#include "privacy/words.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace schemaward::privacy {
namespace {

// A Latin letter with an accent, in UTF-8, and what it is compared as. Upper-case letters stand in
// a table of their own so that a name that opens with an accented capital still splits at the
// change of case.
struct Fold {
  std::string_view utf8;
  std::string_view ascii;
};

constexpr std::array kFolds = std::to_array<Fold>({
    {"\xC3\xA0", "a"},  {"\xC3\xA1", "a"}, {"\xC3\xA2", "a"}, {"\xC3\xA3", "a"}, {"\xC3\xA4", "a"},
    {"\xC3\xA5", "a"},  {"\xC3\xA7", "c"}, {"\xC3\xA8", "e"}, {"\xC3\xA9", "e"}, {"\xC3\xAA", "e"},
    {"\xC3\xAB", "e"},  {"\xC3\xAC", "i"}, {"\xC3\xAD", "i"}, {"\xC3\xAE", "i"}, {"\xC3\xAF", "i"},
    {"\xC3\xB1", "n"},  {"\xC3\xB2", "o"}, {"\xC3\xB3", "o"}, {"\xC3\xB4", "o"}, {"\xC3\xB5", "o"},
    {"\xC3\xB6", "o"},  {"\xC3\xB9", "u"}, {"\xC3\xBA", "u"}, {"\xC3\xBB", "u"}, {"\xC3\xBC", "u"},
    {"\xC3\x9F", "ss"}, {"\xC4\x9F", "g"}, {"\xC4\xB1", "i"}, {"\xC5\x9F", "s"}, {"\xC3\x80", "A"},
    {"\xC3\x81", "A"},  {"\xC3\x82", "A"}, {"\xC3\x83", "A"}, {"\xC3\x84", "A"}, {"\xC3\x87", "C"},
    {"\xC3\x88", "E"},  {"\xC3\x89", "E"}, {"\xC3\x8A", "E"}, {"\xC3\x8D", "I"}, {"\xC3\x91", "N"},
    {"\xC3\x93", "O"},  {"\xC3\x94", "O"}, {"\xC3\x95", "O"}, {"\xC3\x96", "O"}, {"\xC3\x9A", "U"},
    {"\xC3\x9C", "U"},  {"\xC4\x9E", "G"}, {"\xC4\xB0", "I"}, {"\xC5\x9E", "S"},
});

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) {
  return IsLower(c) || IsUpper(c) || IsDigit(c) || static_cast<unsigned char>(c) >= 0x80;
}

std::string Folded(std::string_view name) {
  std::string folded;
  for (std::size_t i = 0; i < name.size();) {
    if (static_cast<unsigned char>(name[i]) < 0x80) {
      folded += name[i++];
      continue;
    }
    const auto fold = std::find_if(kFolds.begin(), kFolds.end(), [&](const Fold& f) {
      return name.substr(i, f.utf8.size()) == f.utf8;
    });
    folded += fold == kFolds.end() ? name.substr(i, 1) : fold->ascii;
    i += fold == kFolds.end() ? 1 : fold->utf8.size();
  }
  return folded;
}

// True where a word ends before text[i]: fooBar, HTTPKey (before the K), abc12, 12abc.
bool IsBoundary(std::string_view text, std::size_t i) {
  const char before = text[i - 1];
  const char here = text[i];
  if (IsDigit(before) != IsDigit(here)) return true;
  if (IsLower(before) && IsUpper(here)) return true;
  return IsUpper(before) && IsUpper(here) && i + 1 < text.size() && IsLower(text[i + 1]);
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view name) {
  const std::string text = Folded(name.substr(0, kNameBytesMax));
  std::vector<std::string> words;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsWord(text[i])) {
      open = false;
      continue;
    }
    if (!open || IsBoundary(text, i)) words.emplace_back();
    words.back() += LowerAscii(text[i]);
    open = true;
  }
  return words;
}

}  // namespace schemaward::privacy
