#pragma once

// How well definitions fit a question: the words of their names, synonyms, members and
// descriptions against its own.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/lexicon.h"
#include "text/stemmer.h"
#include "tool/tool.h"

namespace schemaward::tools {

/// What a definition says of itself.
struct Said {
  std::string name;
  std::vector<std::string> synonyms;
  std::vector<std::string> members;  ///< names of columns, dimensions, entities it stands on
  std::string description;
};

/// A definition that fits.
struct Fit {
  std::size_t index = 0;  ///< into what was given
  double score = 0;       ///< more than 0, at most 2; orders fits and means nothing else
  tool::Confidence confidence = tool::Confidence::Low;
  std::string reason;  ///< one line
};

/// Thread: owner. Lifetime: the lexicon outlives it.
class Relevance {
 public:
  Relevance(std::string_view query, const text::Lexicon& lexicon);

  /// True where the query is blank or "*": everything is wanted.
  bool is_all() const { return words_.empty(); }

  /// Returns the fits, best first; equal ones keep their order.
  std::vector<Fit> Rank(const std::vector<Said>& all) const;

 private:
  struct Word {
    std::string text;  ///< singular
    std::string stem;
    std::vector<text::Synonym> synonyms;
  };
  struct Place;
  double Likeness(const Word& word, const std::string& other, bool with_stem) const;
  std::vector<Place> Match(const Said& said, bool with_typos) const;

  std::vector<Word> words_;
  text::Stemmer stemmer_;
};

}  // namespace schemaward::tools
