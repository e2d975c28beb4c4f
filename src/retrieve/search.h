#pragma once

// From a question to ranked tables, each with how sure it is and why.

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "retrieve/ranker.h"
#include "store/search_store.h"
#include "store/store.h"
#include "text/lexicon.h"

namespace schemaward::retrieve {

class Meaning;

/// [R-CONF-1]
enum class Bucket : std::uint8_t { High, Medium, Low };
inline constexpr double kHighFrom = 0.8;
inline constexpr double kMediumFrom = 0.5;
Bucket BucketOf(double confidence);

/// A table that was found.
struct Hit {
  std::int64_t table_id = 0;
  std::string name;         ///< schema.table
  double confidence = 0;    ///< in [0, 1]; BucketOf gives the bucket
  double score = 0;         ///< orders hits of one search; means nothing else
  std::string reason;       ///< one line, at most kReasonBytesMax
  std::string best_column;  ///< empty: no column matches
};
inline constexpr std::size_t kReasonBytesMax = 240;

/// A table that is near a question in meaning.
struct NearTable {
  std::int64_t table_id = 0;
  float cosine = 0;
};

struct SearchRequest {
  std::string query;
  std::size_t limit = 10;                 ///< hits wanted; at most kCandidatesMax are found
  std::size_t offset = 0;                 ///< hits left out before them
  std::span<const std::int64_t> sources;  ///< empty: all
  bool exhaustive = false;                ///< for tests: every table is scored, the postings unused
  CallContext* ctx = nullptr;         ///< of whoever waits for an embedder; null: keywords alone
  std::span<const NearTable> near{};  ///< nearest first; fused with what keywords find
  Meaning* meaning = nullptr;         ///< in place of the searcher's own; null: that one
};

struct SearchAnswer {
  std::vector<Hit> hits;
  std::size_t total = 0;     ///< hits there are, at most kCandidatesMax and what joins them
  bool is_all = false;       ///< the query was "*": no hits; the caller lists the tables
  bool has_words = false;    ///< some word of the query is known to the store
  bool is_degraded = false;  ///< an embedder is configured, and keywords alone were used
};

/// Searches stores. Makes the lexicon at its first search. Thread: any.
class Searcher {
 public:
  /// `meaning`: makes searches hybrid; null: keywords alone. Shared: the index uses it too.
  explicit Searcher(std::shared_ptr<Meaning> meaning = nullptr);
  ~Searcher();

  /// Searches by keywords, and where there is an embedder and request.ctx, by meaning too. An
  /// embedder that is away, or has made no vectors yet, makes the answer degraded. Errors: as
  /// store::Store; Cancelled, DeadlineExceeded.
  Result<SearchAnswer> Search(store::Store& store, const SearchRequest& request) const;
  /// The same over a reader at hand.
  Result<SearchAnswer> Search(store::SearchReader& reader, const SearchRequest& request) const;

  const text::Lexicon& lexicon() const;
  /// Null where searches go by keywords alone.
  const Meaning* meaning() const { return meaning_.get(); }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<text::Lexicon> lexicon_;
  std::vector<std::unique_ptr<Ranker>> rankers_;
  const std::shared_ptr<Meaning> meaning_;
};

/// Names of the `k` tables of `sources` (empty: all) that are nearest to `wrong`, nearest first.
/// For an answer without hits. Errors: as store::Store.
Result<std::vector<std::string>> NearestTables(store::Store& store,
                                               std::span<const std::int64_t> sources,
                                               std::string_view wrong, std::size_t k);

}  // namespace schemaward::retrieve
