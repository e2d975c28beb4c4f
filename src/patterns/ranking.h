#pragma once

// Which patterns are meant by a few words. Each field of a pattern weighs by how much it says of
// its need; words weigh by how few patterns hold them.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "patterns/pattern.h"
#include "text/lexicon.h"
#include "text/stemmer.h"

namespace schemaward::patterns {

/// Words of all patterns and where they stand. Thread: any, once made.
class Ranking {
 public:
  Ranking(const std::vector<Pattern>& patterns, const text::Lexicon& lexicon);

  /// One score per pattern, in their order; 0: the words do not mean it.
  std::vector<double> Scores(std::string_view words) const;

 private:
  /// By stem: how much of it each pattern holds.
  using Postings = std::map<std::string, std::vector<double>, std::less<>>;
  void Add(std::size_t at, std::string_view text, double weight, const text::Stemmer& stemmer);
  double RarityOf(const std::vector<double>& postings) const;
  std::vector<double> Of(const std::string& word, const text::Stemmer& stemmer) const;

  const text::Lexicon& lexicon_;
  std::size_t count_ = 0;
  Postings postings_;
};

}  // namespace schemaward::patterns
