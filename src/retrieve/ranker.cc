#include "retrieve/ranker.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace schemaward::retrieve {

void Candidates::Add(store::SearchRecord record, const Query& query) {
  if (!positions_.emplace(record.table_id, all_.size()).second) return;
  Candidate candidate;
  candidate.matches = MatchWords(query, record);
  for (const auto& match : candidate.matches) candidate.words_score += match.score;
  candidate.record = std::move(record);
  all_.push_back(std::move(candidate));
}

Status Ranker::Propose(const RankContext&, Candidates&) const { return Ok(); }

std::vector<WordMatch> MatchWords(const Query& query, const store::SearchRecord& record) {
  std::vector<WordMatch> matches(query.concepts.size());
  for (std::size_t word = 0; word < query.concepts.size(); ++word) {
    const auto& terms = query.concepts[word].terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto at = std::lower_bound(
          record.terms.begin(), record.terms.end(), terms[i].term.id,
          [](const store::RecordTerm& entry, std::int64_t id) { return entry.term_id < id; });
      if (at == record.terms.end() || at->term_id != terms[i].term.id) continue;
      const std::uint32_t score = terms[i].weight * at->impact;
      if (score > matches[word].score) matches[word] = {score, i, at->fields, at->column};
    }
  }
  return matches;
}

Status RunRankers(std::span<const std::unique_ptr<Ranker>> rankers, const RankContext& context,
                  Candidates& candidates) {
  for (std::size_t last = 0; last < rankers.size(); ++last) {
    WARD_CHECK(rankers[last]->Propose(context, candidates));
    // New candidates may change what earlier rankers say of the old ones, so all weigh again.
    for (auto& candidate : candidates.all()) {
      candidate.evidence.clear();
      candidate.total = 0;
    }
    for (std::size_t i = 0; i <= last; ++i) {
      auto evidence = rankers[i]->Weigh(context.query, candidates);
      for (std::size_t c = 0; c < evidence.size(); ++c) {
        auto& candidate = candidates.all()[c];
        candidate.total += rankers[i]->weight() * evidence[c].score;
        candidate.evidence.push_back(std::move(evidence[c]));
      }
    }
  }
  return Ok();
}

bool RanksBefore(const Candidate& a, const Candidate& b) {
  return std::tie(b.total, a.record.name, a.record.table_id) <
         std::tie(a.total, b.record.name, b.record.table_id);
}

}  // namespace schemaward::retrieve
