#pragma once

// A ranker is one kind of evidence that a table answers a question. In the order of their list
// rankers propose candidates, seeing those that earlier ones proposed, already weighed; then each
// weighs all of them. The total is the weighted sum of the evidence.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "retrieve/query.h"
#include "store/search_store.h"

namespace schemaward::retrieve {

/// At most so many tables are weighed against each other; more than these have the same words in
/// lesser measure. Coherence and the key graph are defined over them.
inline constexpr std::size_t kCandidatesMax = 256;

/// What one word of the query found in one table.
struct WordMatch {
  std::uint32_t score = 0;   ///< 0: nothing
  std::size_t reading = 0;   ///< position in QueryWord::readings
  std::uint8_t fields = 0;   ///< store::kIn... bits
  std::uint16_t column = 0;  ///< 1 + position; 0: none
};

/// One ranker's evidence for one table.
struct Evidence {
  double score = 0;
  std::vector<std::int64_t> tables;  ///< the others that it rests on, at most a few
};

/// A table that is being weighed.
struct Candidate {
  store::SearchRecord record;
  std::vector<WordMatch> matches;  ///< one per word of the query
  std::uint32_t words_score = 0;   ///< the sum of the matches' scores
  std::vector<Evidence> evidence;  ///< one per ranker that has weighed it, in their order
  double total = 0;                ///< the weighted sum of the evidence
};

/// Candidates by table id, in order of arrival.
class Candidates {
 public:
  /// Adds the table unless it is known.
  void Add(store::SearchRecord record, const Query& query);
  void Reserve(std::size_t count) { all_.reserve(count); }
  bool Has(std::int64_t table_id) const { return positions_.contains(table_id); }
  std::vector<Candidate>& all() { return all_; }
  const std::vector<Candidate>& all() const { return all_; }

 private:
  std::vector<Candidate> all_;
  std::unordered_map<std::int64_t, std::size_t> positions_;
};

/// What a ranker may use.
struct RankContext {
  const Query& query;
  store::SearchReader& reader;
  std::span<const std::int64_t> sources;  ///< empty: all
  /// Score every table rather than ask the postings for the best: slow, and the same answer.
  bool exhaustive = false;
};

/// Thread: any; a ranker has no state.
class Ranker {
 public:
  virtual ~Ranker() = default;
  virtual std::string_view name() const = 0;
  /// What a score of 1 is worth next to other rankers'.
  virtual double weight() const = 0;
  /// Adds candidates. Errors: as store::SearchReader.
  virtual Status Propose(const RankContext& context, Candidates& candidates) const;
  /// Returns the evidence for each candidate, in their order.
  virtual std::vector<Evidence> Weigh(const Query& query, const Candidates& candidates) const = 0;
};

/// The rankers, in order.
std::vector<std::unique_ptr<Ranker>> AllRankers();

/// Lets every ranker propose and weigh. Errors: as store::SearchReader.
Status RunRankers(std::span<const std::unique_ptr<Ranker>> rankers, const RankContext& context,
                  Candidates& candidates);

/// What each word of the query finds in a table's record.
std::vector<WordMatch> MatchWords(const Query& query, const store::SearchRecord& record);

/// True where `a` comes before `b`: higher total first, then by name, then by id.
bool RanksBefore(const Candidate& a, const Candidate& b);

}  // namespace schemaward::retrieve
