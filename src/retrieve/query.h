#pragma once

// A question or a few keywords, read into words and what each may mean in this store.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/search_store.h"
#include "text/lexicon.h"

namespace schemaward::retrieve {

/// How a term of the store stands for a word of the query.
enum class Reading : std::uint8_t { Exact, Form, Spelling, Synonym, Compound, Prefix, Typo };

/// A term and how it was come by; parallel to store::QueryConcept::terms.
struct TermReading {
  std::string term;
  Reading reading = Reading::Exact;
};

/// A word of the query that matters.
struct QueryWord {
  std::string text;                   ///< folded, as written
  std::vector<TermReading> readings;  ///< empty: nothing in the store is like it
  double rarity = 0;                  ///< inverse document frequency of its best reading
  bool is_value = false;              ///< stands in quotes, or is a number: rarely a name
};

/// words[i] is concepts[i] explained. At most store::kQueryConceptsMax words.
struct Query {
  std::vector<QueryWord> words;
  std::vector<store::QueryConcept> concepts;
  std::vector<std::string> singulars;  ///< of every word written, stop words too, in order
  std::int64_t table_count = 0;        ///< tables in the store
  bool is_all = false;                 ///< the query is "*"
};

/// Reads `text`: stop words go, unless nothing else is there; each other word stands for itself,
/// its forms, spellings and synonyms, for compounds it is part of, and only where all of these are
/// absent for words that begin with it or are misspelt like it. Errors: as store::SearchReader.
Result<Query> ReadQuery(std::string_view text, const text::Lexicon& lexicon,
                        store::SearchReader& reader);

}  // namespace schemaward::retrieve
