#include "text/words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <utf8proc.h>

#include "text/fold.h"

namespace schemaward::text {
namespace {

enum class Letter : std::uint8_t { None, Lower, Upper, Digit };

Letter KindOfAscii(char c) {
  if (c >= 'a' && c <= 'z') return Letter::Lower;
  if (c >= 'A' && c <= 'Z') return Letter::Upper;
  return c >= '0' && c <= '9' ? Letter::Digit : Letter::None;
}

Letter KindOf(utf8proc_int32_t point) {
  if (point < 0x80) return KindOfAscii(static_cast<char>(point));
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return Letter::Upper;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:  // accents belong to the letter before them
    case UTF8PROC_CATEGORY_MC:
      return Letter::Lower;
    case UTF8PROC_CATEGORY_ND:
      return Letter::Digit;
    default:
      return Letter::None;
  }
}

/// A text as a row of characters. Most names are ASCII and need no table of positions.
class AsciiText {
 public:
  explicit AsciiText(std::string_view text) : text_(text) {}
  std::size_t size() const { return text_.size(); }
  Letter kind(std::size_t i) const {
    return i < text_.size() ? KindOfAscii(text_[i]) : Letter::None;
  }
  std::size_t offset(std::size_t i) const { return i; }

 private:
  std::string_view text_;
};

class Utf8Text {
 public:
  explicit Utf8Text(std::string_view text) : end_(text.size()) {
    points_.reserve(text.size());
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    for (std::size_t at = 0; at < text.size();) {
      utf8proc_int32_t point = -1;
      auto size =
          utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &point);
      if (size < 1 || point < 0) {
        size = 1;
        point = 0;  // a byte that is no UTF-8 separates words
      }
      points_.emplace_back(KindOf(point), at);
      at += static_cast<std::size_t>(size);
    }
  }
  std::size_t size() const { return points_.size(); }
  Letter kind(std::size_t i) const { return i < points_.size() ? points_[i].first : Letter::None; }
  std::size_t offset(std::size_t i) const { return i < points_.size() ? points_[i].second : end_; }

 private:
  std::size_t end_;
  std::vector<std::pair<Letter, std::size_t>> points_;
};

/// True where a word ends between characters i-1 and i.
template <class Text>
bool IsBoundary(const Text& text, std::size_t i) {
  const Letter before = text.kind(i - 1), here = text.kind(i);
  if (here == Letter::None || before == Letter::None) return true;
  if ((before == Letter::Digit) != (here == Letter::Digit)) return true;
  if (before == Letter::Lower && here == Letter::Upper) return true;
  return before == Letter::Upper && here == Letter::Upper && text.kind(i + 1) == Letter::Lower;
}

/// True for the plural of an acronym that ends at its s: "IDs", "URLs".
template <class Text>
bool IsPluralAcronym(std::string_view bytes, const Text& text, std::size_t i) {
  if (i + 1 >= text.size()) return false;
  const bool upper_run = text.kind(i - 1) == Letter::Upper && text.kind(i) == Letter::Upper;
  return upper_run && bytes[text.offset(i + 1)] == 's' && text.kind(i + 2) != Letter::Lower;
}

template <class Text>
std::vector<std::string> Split(std::string_view bytes, const Text& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= text.size() && words.size() < kWordsMax; ++i) {
    if (!IsBoundary(text, i) || IsPluralAcronym(bytes, text, i)) continue;
    if (text.kind(begin) != Letter::None) {
      std::string word =
          Fold(bytes.substr(text.offset(begin), text.offset(i) - text.offset(begin)));
      if (word.size() > kWordBytesMax) word.resize(kWordBytesMax);
      if (!word.empty()) words.push_back(std::move(word));
    }
    begin = i;
  }
  return words;
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Sorted.
constexpr std::array<std::pair<std::string_view, std::string_view>, 38> kIrregular{{
    {"addresses", "address"},
    {"alias", "alias"},
    {"aliases", "alias"},
    {"analyses", "analysis"},
    {"atlas", "atlas"},
    {"bias", "bias"},
    {"bonuses", "bonus"},
    {"buses", "bus"},
    {"canvas", "canvas"},
    {"children", "child"},
    {"christmas", "christmas"},
    {"crises", "crisis"},
    {"criteria", "criterion"},
    {"economics", "economics"},
    {"feet", "foot"},
    {"geese", "goose"},
    {"halves", "half"},
    {"headquarters", "headquarters"},
    {"ids", "id"},
    {"indexes", "index"},
    {"indices", "index"},
    {"knives", "knife"},
    {"leaves", "leave"},
    {"lens", "lens"},
    {"lives", "live"},
    {"mathematics", "mathematics"},
    {"matrices", "matrix"},
    {"men", "man"},
    {"mice", "mouse"},
    {"movies", "movie"},
    {"news", "news"},
    {"physics", "physics"},
    {"series", "series"},
    {"shelves", "shelf"},
    {"species", "species"},
    {"teeth", "tooth"},
    {"vertices", "vertex"},
    {"women", "woman"},
}};

}  // namespace

std::vector<std::string> SplitWords(std::string_view text) {
  return IsAscii(text) ? Split(text, AsciiText(text)) : Split(text, Utf8Text(text));
}

std::string Singular(std::string_view word) {
  const auto* irregular =
      std::lower_bound(kIrregular.begin(), kIrregular.end(), word,
                       [](const auto& entry, std::string_view w) { return entry.first < w; });
  if (irregular != kIrregular.end() && irregular->first == word) {
    return std::string(irregular->second);
  }
  constexpr std::size_t kShortest = 3;  // "is", "gas", "bus" stay
  if (word.size() <= kShortest || word.back() != 's') return std::string(word);
  const auto without = [&](std::size_t bytes) {
    return std::string(word.substr(0, word.size() - bytes));
  };
  if (word.ends_with("ss") || word.ends_with("us") || word.ends_with("is"))
    return std::string(word);
  if (word.ends_with("ies")) return word.size() > 4 ? without(3) + "y" : without(1);
  for (const std::string_view ending : {"sses", "xes", "ches", "shes", "zzes", "uses"}) {
    if (word.ends_with(ending)) return without(ending == "uses" && word.size() < 7 ? 1 : 2);
  }
  return without(1);
}

}  // namespace schemaward::text
