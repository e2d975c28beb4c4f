#pragma once

// What words mean the same in business and database language: synonyms, abbreviations, stop words,
// and the words that compounds are made of.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schemaward::text {

/// A word that may stand for another.
struct Synonym {
  std::string_view word;
  std::uint8_t percent;  ///< how well it stands for it, 1..100
};

/// The built-in lexicon, made ready for look-up. Words are folded and singular. Costs some 100 KiB;
/// make it when it is first needed. Source: lexicon_data.cc, written for this project.
/// Thread: any, once made. Lifetime: views refer to static text.
class Lexicon {
 public:
  Lexicon();

  /// Returns the words that may stand for `word`, best first; none where it is not listed.
  std::vector<Synonym> SynonymsOf(std::string_view word) const;

  /// True for words that carry no meaning in a question ("which", "show", "of").
  bool IsStopWord(std::string_view word) const;

  /// Returns the known words, two to six, that `word` is written together from
  /// ("countrylanguage"), singular; none for a known word and where no reading is found.
  std::vector<std::string> Segment(std::string_view word) const;

  bool Knows(std::string_view word) const;

 private:
  struct Pair {
    std::string_view from, to;
    std::uint8_t percent;
  };
  void Read(std::string_view line);
  void AddSet(const std::vector<std::string_view>& words, std::uint8_t percent);
  void AddOneWay(const std::vector<std::string_view>& from,
                 const std::vector<std::string_view>& to);

  std::vector<Pair> pairs_;                   ///< sorted by from, then percent descending, then to
  std::vector<std::string_view> known_;       ///< sorted
  std::vector<std::string_view> stop_words_;  ///< sorted
};

/// The text of the lexicon, one entry a line; the first character says its kind:
///   = a b c        synonyms, each for every other
///   ~ a b c        abbreviations and spellings of one word, each for every other, stronger
///   > a b -> c d   a or b may mean c or d, not the other way round
///   + a b c        words that only compounds are made of
///   - a b c        stop words
std::string_view LexiconText();

}  // namespace schemaward::text
