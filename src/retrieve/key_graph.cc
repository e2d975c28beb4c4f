// Key graph: a table that joins what was found is needed to answer, even where the question does
// not name it. Neighbours of the first hits become candidates; every candidate gains from the two
// best tables that it joins, so that a bridge between two hits gains twice.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "retrieve/rankers.h"

namespace schemaward::retrieve {
namespace {

constexpr std::size_t kExpandMax = 12;  // first hits whose neighbours become candidates
constexpr std::size_t kOffersMax = 4;   // tables that offer one key; more: it names none of them
constexpr std::size_t kNeighboursMax = 32;  // of one hit

/// For each candidate the positions of those that it joins.
using Neighbours = std::vector<std::vector<std::size_t>>;

class KeyGraph final : public Ranker {
 public:
  std::string_view name() const override { return "key_graph"; }
  double weight() const override { return 0.1; }

  Status Propose(const RankContext& context, Candidates& candidates) const override {
    std::vector<std::int64_t> proposed;
    for (const auto* hit : FirstHits(candidates)) {
      WARD_TRY(const auto ids, NeighboursOf(context.reader, hit->record));
      proposed.insert(proposed.end(), ids.begin(), ids.end());
    }
    for (const std::int64_t id : proposed) {
      if (candidates.Has(id)) continue;
      WARD_TRY(auto record, context.reader.ReadRecord(id));
      if (record && IsWanted(context, *record)) candidates.Add(*std::move(record), context.query);
    }
    return Ok();
  }

  std::vector<Evidence> Weigh(const Query&, const Candidates& candidates) const override {
    const Neighbours neighbours = Join(candidates);
    std::vector<Evidence> evidence;
    for (const auto& joined : neighbours) evidence.push_back(WeighOne(candidates.all(), joined));
    return evidence;
  }

 private:
  static std::vector<const Candidate*> FirstHits(const Candidates& candidates) {
    std::vector<const Candidate*> hits;
    for (const auto& candidate : candidates.all()) hits.push_back(&candidate);
    const std::size_t count = std::min(kExpandMax, hits.size());
    std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(),
                      [](const Candidate* a, const Candidate* b) { return RanksBefore(*a, *b); });
    hits.resize(count);
    return hits;
  }

  static bool IsWanted(const RankContext& context, const store::SearchRecord& record) {
    const auto& sources = context.sources;
    return sources.empty() ||
           std::find(sources.begin(), sources.end(), record.source_id) != sources.end();
  }

  static Result<std::vector<std::int64_t>> NeighboursOf(store::SearchReader& reader,
                                                        const store::SearchRecord& record) {
    std::vector<std::int64_t> ids;
    for (const std::uint64_t key : record.wants) {
      WARD_TRY(const auto offering, reader.FindOffering(key));
      if (offering.size() <= kOffersMax) ids.insert(ids.end(), offering.begin(), offering.end());
    }
    for (const std::uint64_t key : record.offers) {
      WARD_TRY(const auto wanting, reader.FindWanting(key));
      ids.insert(ids.end(), wanting.begin(), wanting.end());
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.size() > kNeighboursMax) ids.clear();  // a hub says nothing about its neighbours
    return ids;
  }

  static Neighbours Join(const Candidates& candidates) {
    const auto& all = candidates.all();
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> offering;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const std::uint64_t key : all[i].record.offers) offering[key].push_back(i);
    }
    Neighbours neighbours(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const std::uint64_t key : all[i].record.wants) {
        const auto at = offering.find(key);
        if (at == offering.end() || at->second.size() > kOffersMax) continue;
        for (const std::size_t j : at->second) {
          if (i == j) continue;
          neighbours[i].push_back(j);
          neighbours[j].push_back(i);
        }
      }
    }
    for (auto& joined : neighbours) {  // two tables may share several keys
      std::sort(joined.begin(), joined.end());
      joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    }
    return neighbours;
  }

  static Evidence WeighOne(const std::vector<Candidate>& all,
                           const std::vector<std::size_t>& joined) {
    std::vector<const Candidate*> best;
    for (const std::size_t i : joined) {
      if (all[i].words_score > 0) best.push_back(&all[i]);
    }
    std::sort(best.begin(), best.end(), [](const Candidate* a, const Candidate* b) {
      return a->words_score != b->words_score ? a->words_score > b->words_score
                                              : a->record.name < b->record.name;
    });
    Evidence evidence;
    if (best.empty()) return evidence;
    evidence.score = best[0]->words_score;
    evidence.tables.push_back(best[0]->record.table_id);
    if (best.size() > 1) {
      evidence.score += best[1]->words_score;
      evidence.tables.push_back(best[1]->record.table_id);
    }
    return evidence;
  }
};

}  // namespace

std::unique_ptr<Ranker> key_graph() { return std::make_unique<KeyGraph>(); }

}  // namespace schemaward::retrieve
