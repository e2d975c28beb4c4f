#include "privacy/words.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace schemaward::privacy {
namespace {

// What letters with an accent are compared as, by code point from `first`. Upper-case letters stay
// upper-case, so that a name that opens with one still splits at the change of case.
struct Letters {
  char32_t first;
  std::string_view plain;
};
constexpr std::array kAccented = std::to_array<Letters>({
    {0x00C0, "AAAAAAACEEEEIIIIDNOOOOO_OUUUUYTsaaaaaaaceeeeiiiidnooooo_ouuuuyty"},
    {0x0100,
     "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSs"
     "SsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs"},
    {0x0218, "SsTt"},
});

// Letters of other scripts that look like a Latin one: who writes "email" with them hides a column.
struct LooksLike {
  char32_t letter;
  char plain;
};
constexpr std::array kLooksLike = std::to_array<LooksLike>({
    {0x0391, 'A'}, {0x0392, 'B'}, {0x0395, 'E'}, {0x0397, 'H'}, {0x0399, 'I'}, {0x039A, 'K'},
    {0x039C, 'M'}, {0x039D, 'N'}, {0x039F, 'O'}, {0x03A1, 'P'}, {0x03A4, 'T'}, {0x03A5, 'Y'},
    {0x03A7, 'X'}, {0x03BF, 'o'}, {0x03C1, 'p'}, {0x0405, 'S'}, {0x0406, 'I'}, {0x0408, 'J'},
    {0x0410, 'A'}, {0x0412, 'B'}, {0x0415, 'E'}, {0x041A, 'K'}, {0x041C, 'M'}, {0x041D, 'H'},
    {0x041E, 'O'}, {0x0420, 'P'}, {0x0421, 'C'}, {0x0422, 'T'}, {0x0423, 'Y'}, {0x0425, 'X'},
    {0x0430, 'a'}, {0x0435, 'e'}, {0x043E, 'o'}, {0x0440, 'p'}, {0x0441, 'c'}, {0x0443, 'y'},
    {0x0445, 'x'}, {0x0455, 's'}, {0x0456, 'i'}, {0x0458, 'j'}, {0x04BB, 'h'}, {0x0501, 'd'},
    {0x0261, 'g'}, {0x0269, 'i'},
});

constexpr char32_t kSharpS = 0xDF;
constexpr char32_t kWideFirst = 0xFF01;  // the full-width forms of printable ASCII
constexpr char32_t kWideLast = 0xFF5E;

bool IsBetween(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Marks that stand on the letter before, and what nobody sees.
bool IsDropped(char32_t c) {
  return IsBetween(c, 0x0300, 0x036F) || c == 0x00AD || c == 0x034F || c == 0x061C || c == 0x180E ||
         IsBetween(c, 0x200B, 0x200F) || IsBetween(c, 0x202A, 0x202E) ||
         IsBetween(c, 0x2060, 0x206F) || IsBetween(c, 0xFE00, 0xFE0F) || c == 0xFEFF ||
         IsBetween(c, 0xE0000, 0xE01EF);
}

// Blanks, dashes and dots of other sets.
bool IsSeparator(char32_t c) {
  return c == 0x00A0 || c == 0x00B7 || IsBetween(c, 0x2000, 0x200A) ||
         IsBetween(c, 0x2010, 0x2029) || c == 0x202F || c == 0x2212 || c == 0x3000;
}

// The character at `at` and its bytes; what is no UTF-8 is one byte that has no meaning.
struct Character {
  char32_t code = 0;
  std::size_t size = 1;
};

Character CharacterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + size > text.size()) return {};
  char32_t code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  return {code, size};
}

// How the character is compared; empty where it is left as it is.
std::string_view PlainOf(char32_t c) {
  if (c == kSharpS) return "ss";
  if (IsSeparator(c)) return "_";
  for (const Letters& letters : kAccented)
    if (c >= letters.first && c - letters.first < letters.plain.size())
      return letters.plain.substr(c - letters.first, 1);
  for (const LooksLike& one : kLooksLike)
    if (one.letter == c) return {&one.plain, 1};
  return {};
}

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
    const Character character = CharacterAt(name, i);
    const std::string_view plain = PlainOf(character.code);
    if (IsBetween(character.code, kWideFirst, kWideLast))
      folded += static_cast<char>(character.code - kWideFirst + '!');
    else if (!IsDropped(character.code))
      folded += plain.empty() ? name.substr(i, character.size) : plain;
    i += character.size;
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
