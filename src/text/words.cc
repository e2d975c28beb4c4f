#include "text/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <utf8proc.h>

#include "text/fold.h"

namespace schemaward::text {
namespace {

enum class Letter : std::uint8_t { None, Lower, Upper, Digit };

struct Point {
  Letter letter;
  std::size_t begin;  ///< byte offset
};

Letter KindOf(utf8proc_int32_t point) {
  if (point < 0x80) {
    if (point >= 'a' && point <= 'z') return Letter::Lower;
    if (point >= 'A' && point <= 'Z') return Letter::Upper;
    return point >= '0' && point <= '9' ? Letter::Digit : Letter::None;
  }
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

std::vector<Point> Points(std::string_view text) {
  std::vector<Point> points;
  points.reserve(text.size() + 1);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t point = -1;
    auto size =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (size < 1 || point < 0) {
      size = 1;
      point = 0;  // a byte that is no UTF-8 separates words
    }
    points.push_back({KindOf(point), at});
    at += static_cast<std::size_t>(size);
  }
  points.push_back({Letter::None, text.size()});
  return points;
}

/// True where a word ends between points i-1 and i.
bool IsBoundary(const std::vector<Point>& points, std::size_t i) {
  const Letter before = points[i - 1].letter, here = points[i].letter;
  if (here == Letter::None || before == Letter::None) return true;
  if ((before == Letter::Digit) != (here == Letter::Digit)) return true;
  if (before == Letter::Lower && here == Letter::Upper) return true;
  const bool next_is_lower = i + 1 < points.size() && points[i + 1].letter == Letter::Lower;
  return before == Letter::Upper && here == Letter::Upper && next_is_lower;
}

/// True for the plural of an acronym that ends at its s: "IDs", "URLs".
bool IsPluralAcronym(std::string_view text, const std::vector<Point>& points, std::size_t i) {
  if (i + 2 >= points.size()) return false;
  const bool upper_run = points[i - 1].letter == Letter::Upper && points[i].letter == Letter::Upper;
  return upper_run && text[points[i + 1].begin] == 's' && points[i + 2].letter != Letter::Lower;
}

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
  const std::vector<Point> points = Points(text);
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < points.size() && words.size() < kWordsMax; ++i) {
    if (!IsBoundary(points, i) || IsPluralAcronym(text, points, i)) continue;
    if (points[begin].letter != Letter::None) {
      const std::size_t from = points[begin].begin;
      std::string word = Fold(text.substr(from, points[i].begin - from));
      if (word.size() > kWordBytesMax) word.resize(kWordBytesMax);
      if (!word.empty()) words.push_back(std::move(word));
    }
    begin = i;
  }
  return words;
}

std::string Singular(std::string_view word) {
  for (const auto& [many, one] : kIrregular) {
    if (word == many) return std::string(one);
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
