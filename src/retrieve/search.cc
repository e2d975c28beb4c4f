#include "retrieve/search.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "catalog/catalog.h"
#include "retrieve/explain.h"
#include "retrieve/fuse.h"
#include "retrieve/meaning.h"
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

/// A place in the answer: a candidate of the keywords, or a table that is near in meaning alone.
struct Place {
  const Candidate* candidate = nullptr;
  std::int64_t table_id = 0;
  double score = 0;
};

std::vector<Place> PlacesOf(const std::vector<const Candidate*>& ranked,
                            std::span<const NearTable> near) {
  std::vector<Place> places;
  if (near.empty()) {
    for (const Candidate* one : ranked) places.push_back({one, one->record.table_id, one->total});
    return places;
  }
  std::vector<std::int64_t> by_words, by_meaning;
  std::unordered_map<std::int64_t, const Candidate*> candidates;
  for (const Candidate* one : ranked) {
    by_words.push_back(one->record.table_id);
    candidates.emplace(one->record.table_id, one);
  }
  for (const NearTable& one : near) by_meaning.push_back(one.table_id);
  for (const Fused& one : Fuse({by_words, by_meaning})) {
    const auto found = candidates.find(one.id);
    places.push_back({found == candidates.end() ? nullptr : found->second, one.id, one.score});
  }
  return places;
}

/// A hit of meaning alone; nothing where the table has gone since its vector was read.
Result<std::optional<Hit>> MakeNearHit(const Place& place, store::SearchReader& reader) {
  WARD_TRY(const auto record, reader.ReadRecord(place.table_id));
  if (!record) return std::optional<Hit>();
  Hit hit;
  hit.table_id = place.table_id;
  hit.name = record->name;
  hit.confidence = kNearConfidence;
  hit.reason = "near in meaning; no word of the question";
  return std::optional<Hit>(std::move(hit));
}

}  // namespace

Bucket BucketOf(double confidence) {
  if (confidence >= kHighFrom) return Bucket::High;
  return confidence >= kMediumFrom ? Bucket::Medium : Bucket::Low;
}

Searcher::Searcher(std::shared_ptr<Meaning> meaning)
    : rankers_(AllRankers()), meaning_(std::move(meaning)) {}
Searcher::~Searcher() = default;

const text::Lexicon& Searcher::lexicon() const {
  std::call_once(once_, [this] { lexicon_ = std::make_unique<text::Lexicon>(); });
  return *lexicon_;
}

Result<SearchAnswer> Searcher::Search(store::Store& store, const SearchRequest& request) const {
  SearchRequest wanted = request;
  std::vector<NearTable> near;
  bool is_degraded = false;
  Meaning* const meaning = request.meaning != nullptr ? request.meaning : meaning_.get();
  if (meaning != nullptr && request.ctx != nullptr && request.near.empty() &&
      request.query != "*") {
    auto found = meaning->Nearest(store, request.query, request.sources, *request.ctx);
    WARD_CHECK(request.ctx->Check());
    is_degraded = !found;
    if (found) near = *std::move(found);
    wanted.near = near;
  }
  SearchAnswer answer;
  WARD_CHECK(store::WithSearch(store, [&](store::SearchReader& reader) -> Status {
    WARD_TRY(answer, Search(reader, wanted));
    return Ok();
  }));
  answer.is_degraded = is_degraded && !answer.is_all;
  return answer;
}

Result<SearchAnswer> Searcher::Search(store::SearchReader& reader,
                                      const SearchRequest& request) const {
  SearchAnswer answer;
  WARD_TRY(const Query query, ReadQuery(request.query, lexicon(), reader));
  answer.is_all = query.is_all;
  answer.has_words = std::any_of(query.words.begin(), query.words.end(),
                                 [](const QueryWord& word) { return !word.readings.empty(); });
  if (answer.is_all || (!answer.has_words && request.near.empty())) return answer;
  Candidates candidates;
  const RankContext context{query, reader, request.sources, request.exhaustive};
  if (answer.has_words) WARD_CHECK(RunRankers(rankers_, context, candidates));
  std::vector<const Candidate*> ranked;
  for (const auto& candidate : candidates.all()) ranked.push_back(&candidate);
  std::sort(ranked.begin(), ranked.end(),
            [](const Candidate* a, const Candidate* b) { return RanksBefore(*a, *b); });
  const std::vector<Place> places = PlacesOf(ranked, request.near);
  answer.total = places.size();
  const std::size_t begin = std::min(request.offset, places.size());
  const std::size_t end = begin + std::min(request.limit, places.size() - begin);
  for (std::size_t i = begin; i < end; ++i) {
    std::optional<Hit> hit;
    if (places[i].candidate != nullptr) {
      WARD_TRY(hit, MakeHit(query, *places[i].candidate, candidates, reader));
    } else {
      WARD_TRY(hit, MakeNearHit(places[i], reader));
    }
    if (!hit) continue;
    hit->score = places[i].score;
    answer.hits.push_back(*std::move(hit));
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
