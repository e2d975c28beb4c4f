#pragma once

// What search knows of a table: its words with what a match of each is worth, and the keys by which
// it joins others.

#include <cstdint>

#include "catalog/catalog.h"
#include "store/search_document.h"
#include "text/lexicon.h"

namespace schemaward::index {

/// Makes search documents. Pure: the same table gives the same document. Thread: any.
/// Lifetime: keeps a reference to the lexicon.
class DocumentMaker {
 public:
  explicit DocumentMaker(const text::Lexicon& lexicon) : lexicon_(lexicon) {}

  /// Returns the document of `table`. The words of names, comments, labels and types count
  /// (docs/retrieval.md has the worths); at most kTermsMax of them, those worth most.
  store::SearchDocument Make(std::int64_t source_id, const catalog::Table& table) const;

  static constexpr std::size_t kTermsMax = 2'000;
  static constexpr std::size_t kWantsMax = 32;
  static constexpr std::size_t kLabelsMax = 64;        ///< of one column
  static constexpr std::size_t kCommentWordsMax = 64;  ///< of one comment

 private:
  const text::Lexicon& lexicon_;
};

}  // namespace schemaward::index
