#pragma once

// The library: every pattern that is built into the program, and the search among them.

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "patterns/pattern.h"
#include "text/lexicon.h"

namespace schemaward::patterns {

/// The texts of a library, as files hold them.
struct Source {
  std::vector<std::string_view> patterns;  ///< one file each
  std::vector<std::string_view> evidence;  ///< one JSON object each: the runner's
};

/// What is built in. Lifetime: static.
Source BuiltIn();

struct Query {
  std::string words;
  std::optional<Category> category;
  std::optional<Difficulty> difficulty;
};

/// A pattern that was found. Lifetime: the library's.
struct Hit {
  const Pattern* pattern = nullptr;
  double score = 0;  ///< orders the hits of one search; means nothing else
};

/// Thread: any. Reads its source at its first use, once.
class Library {
 public:
  /// `lexicon` is asked for at the first search. Lifetime: what it gives outlives the library.
  Library(Source source, std::function<const text::Lexicon&()> lexicon);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Every pattern, sorted by id. Errors of every call: InputUnreadable where a file cannot be
  /// read.
  Result<const std::vector<Pattern>*> All() const;
  /// Null where there is none of that id.
  Result<const Pattern*> Find(std::string_view id) const;
  /// The patterns that hold what weighs most in the words, best first, ties by id; where there are
  /// no words, all that the filters let through, by id.
  Result<std::vector<Hit>> Search(const Query& query) const;
  /// The `k` ids nearest to one that does not exist: by spelling, then by its words.
  Result<std::vector<std::string>> Near(std::string_view id, std::size_t k) const;
  /// Changes with any of the texts: 12 hexadecimal digits.
  Result<std::string> Version() const;

 private:
  struct State;
  Result<const State*> Ready() const;

  const Source source_;
  const std::function<const text::Lexicon&()> lexicon_;
  mutable std::once_flag once_;
  mutable std::optional<Error> failed_;
  mutable std::unique_ptr<State> state_;
};

}  // namespace schemaward::patterns
