// Lexical: the words of the query that a table has. Finds the candidates.

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "retrieve/rankers.h"

namespace schemaward::retrieve {
namespace {

class Lexical final : public Ranker {
 public:
  std::string_view name() const override { return "lexical"; }
  double weight() const override { return 1.0; }

  Status Propose(const RankContext& context, Candidates& candidates) const override {
    WARD_TRY(auto ids, context.exhaustive ? ScoreAll(context) : AskPostings(context));
    std::sort(ids.begin(), ids.end());  // read in the order in which they lie
    candidates.Reserve(ids.size());
    for (const std::int64_t id : ids) {
      WARD_TRY(auto record, context.reader.ReadRecord(id));
      if (record) candidates.Add(*std::move(record), context.query);
    }
    return Ok();
  }

  std::vector<Evidence> Weigh(const Query&, const Candidates& candidates) const override {
    std::vector<Evidence> evidence;
    for (const auto& candidate : candidates.all()) {
      evidence.push_back({static_cast<double>(candidate.words_score), {}});
    }
    return evidence;
  }

 private:
  static Result<std::vector<std::int64_t>> AskPostings(const RankContext& context) {
    WARD_TRY(const auto hits,
             context.reader.TopTables(context.query.concepts, kCandidatesMax, context.sources));
    std::vector<std::int64_t> ids;
    for (const auto& hit : hits) ids.push_back(hit.table_id);
    return ids;
  }

  static Result<std::vector<std::int64_t>> ScoreAll(const RankContext& context) {
    WARD_TRY(const auto all, context.reader.ListTables());
    std::vector<std::tuple<std::int64_t, std::uint32_t, std::int64_t>> scored;
    for (const std::int64_t id : all) {
      WARD_TRY(const auto record, context.reader.ReadRecord(id));
      if (!record) continue;
      const auto& sources = context.sources;
      const bool wanted = sources.empty() || std::find(sources.begin(), sources.end(),
                                                       record->source_id) != sources.end();
      const std::uint32_t score = store::ScoreRecord(context.query.concepts, *record);
      const auto tie = static_cast<std::uint32_t>(store::SearchHash(record->name) >> 32);
      if (wanted && score > 0) scored.emplace_back(-static_cast<std::int64_t>(score), tie, id);
    }
    std::sort(scored.begin(), scored.end());
    std::vector<std::int64_t> ids;
    for (const auto& [score, tie, id] : scored) {
      if (ids.size() < kCandidatesMax) ids.push_back(id);
    }
    return ids;
  }
};

}  // namespace

std::unique_ptr<Ranker> lexical() { return std::make_unique<Lexical>(); }

}  // namespace schemaward::retrieve
