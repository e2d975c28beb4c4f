#include "retrieve/search.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "retrieve/explain.h"
#include "retrieve/query.h"
#include "store/search_access.h"
#include "text/nearest.h"

namespace schemaward::retrieve {
namespace {

/// The table's own name out of its qualified one.
std::string TableNameOf(const std::string& qualified) {
  const auto parts = catalog::SplitName(qualified);
  return parts.empty() ? qualified : parts.back();
}

/// Names of the tables that the evidence of any ranker rests on.
std::vector<std::string> JoinedNames(const Candidate& candidate, const Candidates& candidates) {
  std::vector<std::string> names;
  for (const auto& evidence : candidate.evidence) {
    for (const std::int64_t id : evidence.tables) {
      const auto at = std::find_if(candidates.all().begin(), candidates.all().end(),
                                   [&](const Candidate& c) { return c.record.table_id == id; });
      if (at != candidates.all().end()) names.push_back(at->record.name);
    }
  }
  return names;
}

Result<Hit> MakeHit(const Query& query, const Candidate& candidate, const Candidates& candidates,
                    store::SearchReader& reader) {
  WARD_TRY(const auto columns, reader.ReadColumns(candidate.record.table_id));
  Hit hit;
  hit.table_id = candidate.record.table_id;
  hit.name = candidate.record.name;
  hit.score = candidate.total;
  hit.confidence = ConfidenceOf(query, candidate, TableNameOf(hit.name));
  // Where the query names the table, what it joins is no reason.
  const auto joined = BucketOf(hit.confidence) == Bucket::High ? std::vector<std::string>()
                                                               : JoinedNames(candidate, candidates);
  hit.reason = ReasonOf(query, candidate, columns, joined);
  const std::size_t best = BestColumnOf(candidate);
  if (best < columns.size()) hit.best_column = columns[best];
  return hit;
}

}  // namespace

Bucket BucketOf(double confidence) {
  if (confidence >= kHighFrom) return Bucket::High;
  return confidence >= kMediumFrom ? Bucket::Medium : Bucket::Low;
}

Searcher::Searcher() : rankers_(AllRankers()) {}
Searcher::~Searcher() = default;

const text::Lexicon& Searcher::lexicon() const {
  std::call_once(once_, [this] { lexicon_ = std::make_unique<text::Lexicon>(); });
  return *lexicon_;
}

Result<SearchAnswer> Searcher::Search(store::Store& store, const SearchRequest& request) const {
  SearchAnswer answer;
  WARD_CHECK(store::WithSearch(store, [&](store::SearchReader& reader) -> Status {
    WARD_TRY(answer, Search(reader, request));
    return Ok();
  }));
  return answer;
}

Result<SearchAnswer> Searcher::Search(store::SearchReader& reader,
                                      const SearchRequest& request) const {
  SearchAnswer answer;
  WARD_TRY(const Query query, ReadQuery(request.query, lexicon(), reader));
  answer.is_all = query.is_all;
  answer.has_words = std::any_of(query.words.begin(), query.words.end(),
                                 [](const QueryWord& word) { return !word.readings.empty(); });
  if (!answer.has_words) return answer;
  Candidates candidates;
  const RankContext context{query, reader, request.sources, request.exhaustive};
  WARD_CHECK(RunRankers(rankers_, context, candidates));
  std::vector<const Candidate*> ranked;
  for (const auto& candidate : candidates.all()) ranked.push_back(&candidate);
  std::sort(ranked.begin(), ranked.end(),
            [](const Candidate* a, const Candidate* b) { return RanksBefore(*a, *b); });
  answer.total = ranked.size();
  const std::size_t begin = std::min(request.offset, ranked.size());
  const std::size_t end = begin + std::min(request.limit, ranked.size() - begin);
  for (std::size_t i = begin; i < end; ++i) {
    WARD_TRY(auto hit, MakeHit(query, *ranked[i], candidates, reader));
    answer.hits.push_back(std::move(hit));
  }
  return answer;
}

Result<std::vector<std::string>> NearestTables(store::Store& store,
                                               std::span<const std::int64_t> sources,
                                               std::string_view wrong, std::size_t k) {
  text::NearestNames nearest(wrong, k);
  WARD_CHECK(store.VisitTables(sources, [&](const store::TableEntry& entry) {
    nearest.Offer(catalog::QualifiedName(entry.schema, entry.name));
    return true;
  }));
  return nearest.Take();
}

}  // namespace schemaward::retrieve
