// Coherence: a question is about one schema. What a schema's tables have of it together speaks for
// each of them, so that a table with one of its words in the schema that has all of them comes
// before a table with one of its words elsewhere.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "retrieve/rankers.h"

namespace schemaward::retrieve {
namespace {

class Coherence final : public Ranker {
 public:
  std::string_view name() const override { return "coherence"; }
  double weight() const override { return 0.5; }

  std::vector<Evidence> Weigh(const Query& query, const Candidates& candidates) const override {
    const std::size_t words = query.words.size();
    // Schema -> for each word the most that one of its tables makes of it.
    std::map<std::uint64_t, std::vector<std::uint32_t>> best;
    for (const auto& candidate : candidates.all()) {
      auto& row = best[candidate.record.schema_key];
      row.resize(words);
      for (std::size_t i = 0; i < words; ++i) {
        row[i] = std::max(row[i], candidate.matches[i].score);
      }
    }
    std::vector<Evidence> evidence;
    for (const auto& candidate : candidates.all()) {
      std::uint64_t sum = 0;
      for (const std::uint32_t score : best[candidate.record.schema_key]) sum += score;
      evidence.push_back({static_cast<double>(sum), {}});
    }
    return evidence;
  }
};

}  // namespace

std::unique_ptr<Ranker> coherence() { return std::make_unique<Coherence>(); }

}  // namespace schemaward::retrieve
