// Top tables by range: ranges are read from the highest bound down, until no bound can reach the
// k-th score. Within a range every posting is added up in an array, which is faster than merging
// lists table by table as long as a range fits the first-level cache.
// Source: the idea of bounds per block is block-max WAND (Ding and Suel 2011); a block here is a
// range of ids shared by all terms, so that a bound needs one addition per term.

#include <algorithm>
#include <cassert>
#include <tuple>

#include "store/search_store.h"

namespace schemaward::store {
namespace {

constexpr int kRangeKeyBits = 20;

/// True where `a` ranks before `b`.
bool Before(const LexicalHit& a, const LexicalHit& b) {
  return std::tie(b.score, a.tie, a.table_id) < std::tie(a.score, b.tie, b.table_id);
}

Error Damaged(std::string_view what) {
  return std::move(Error(ErrorKind::StoreUnusable, "the store's search index cannot be read")
                       .Private("blob of " + std::string(what)));
}

}  // namespace

/// One call of TopTables.
class TopTablesRun {
 public:
  TopTablesRun(SearchReader& reader, std::span<const QueryConcept> query, std::size_t k,
               std::span<const std::int64_t> sources)
      : reader_(reader), query_(query), k_(k), sources_(sources) {}

  Result<std::vector<LexicalHit>> Run() {
    if (k_ == 0) return std::vector<LexicalHit>();
    WARD_TRY(posting_, reader_.Use(SearchReader::kPostingStatement));
    WARD_TRY(tables_, reader_.Use(SearchReader::kRangeStatement));
    sum_.assign(kRangeSize, 0);
    best_.assign(kRangeSize, 0);
    for (const auto& [bound, range] : Bounds()) {
      // A bound that only equals the k-th score may still win by its tie.
      if (top_.size() == k_ && bound < top_.front().score) {
        ++reader_.cost_.ranges_skipped;
        continue;
      }
      WARD_CHECK(ReadRange(range));
    }
    std::sort(top_.begin(), top_.end(), Before);
    return std::move(top_);
  }

 private:
  using Bound = std::pair<std::uint32_t, std::uint32_t>;  ///< highest possible score, range

  /// Every range that holds a posting, highest bound first.
  std::vector<Bound> Bounds() const {
    std::map<std::uint32_t, std::uint32_t> bounds;
    for (const auto& word : query_) {
      std::map<std::uint32_t, std::uint32_t> best;
      for (const auto& [term, weight] : word.terms) {
        for (const auto& entry : term.ranges) {
          auto& bound = best[entry.range];
          bound = std::max(bound, weight * entry.max_impact);
        }
      }
      for (const auto& [range, bound] : best) bounds[range] += bound;
    }
    std::vector<Bound> sorted;
    for (const auto& [range, bound] : bounds) sorted.emplace_back(bound, range);
    std::sort(sorted.begin(), sorted.end(), [](const Bound& a, const Bound& b) {
      return std::tie(b.first, a.second) < std::tie(a.first, b.second);
    });
    return sorted;
  }

  Status ReadRange(std::uint32_t range) {
    ++reader_.cost_.ranges;
    std::fill(sum_.begin(), sum_.end(), 0);
    for (const auto& word : query_) WARD_CHECK(AddWord(word, range));
    return Collect(range);
  }

  /// Adds the best reading of one word to the sums.
  Status AddWord(const QueryConcept& word, std::uint32_t range) {
    const bool single = word.terms.size() == 1;
    auto& target = single ? sum_ : best_;
    bool any = false;
    for (const auto& [term, weight] : word.terms) {
      const bool here = std::binary_search(
          term.ranges.begin(), term.ranges.end(), RangeEntry{range, 0, 0},
          [](const RangeEntry& a, const RangeEntry& b) { return a.range < b.range; });
      if (!here) continue;
      any = true;
      WARD_CHECK(AddPostings(term.id, weight, range, single, target));
    }
    if (single || !any) return Ok();
    for (std::size_t i = 0; i < kRangeSize; ++i) sum_[i] += best_[i];
    std::fill(best_.begin(), best_.end(), 0);
    return Ok();
  }

  Status AddPostings(std::int64_t term_id, std::uint32_t weight, std::uint32_t range, bool add,
                     std::vector<std::uint32_t>& target) {
    posting_->Bind(1, (term_id << kRangeKeyBits) | static_cast<std::int64_t>(range));
    WARD_TRY(const bool found, posting_->Step());
    ++reader_.cost_.postings_blobs;
    const bool whole =
        !found || VisitPostings(posting_->Blob(0), [&](std::uint32_t offset, std::uint8_t impact) {
          const std::uint32_t score = weight * impact;
          target[offset] = add ? target[offset] + score : std::max(target[offset], score);
        });
    posting_->Reset();
    return whole ? Ok() : Status(Damaged("postings"));
  }

  /// Offers the range's tables to the k best.
  Status Collect(std::uint32_t range) {
    const std::uint32_t least = top_.size() == k_ ? top_.front().score : 1;
    const bool any =
        std::any_of(sum_.begin(), sum_.end(), [&](std::uint32_t sum) { return sum >= least; });
    if (!any) return Ok();
    tables_->Bind(1, static_cast<std::int64_t>(range));
    WARD_TRY(const bool found, tables_->Step());
    const auto tables = RangeTablesView::Read(found ? tables_->Blob(0) : std::string_view());
    if (!tables) return Damaged("a range's tables");
    for (std::uint32_t offset = 0; offset < tables->end(); ++offset) {
      const std::uint32_t score = sum_[offset];
      if (score < least || (top_.size() == k_ && score < top_.front().score)) continue;
      if (!sources_.empty() && !IsWanted(tables->SourceOf(offset))) continue;
      const auto id = (static_cast<std::int64_t>(range) << kRangeBits) | offset;
      Offer({id, score, tables->Tie(offset)});
    }
    tables_->Reset();
    return Ok();
  }

  bool IsWanted(std::int64_t source_id) const {
    return std::find(sources_.begin(), sources_.end(), source_id) != sources_.end();
  }

  /// Keeps the k best in a heap whose front is the worst of them.
  void Offer(const LexicalHit& hit) {
    if (top_.size() == k_) {
      if (!Before(hit, top_.front())) return;
      std::pop_heap(top_.begin(), top_.end(), Before);
      top_.back() = hit;
    } else {
      top_.push_back(hit);
    }
    std::push_heap(top_.begin(), top_.end(), Before);
  }

  SearchReader& reader_;
  std::span<const QueryConcept> query_;
  std::size_t k_;
  std::span<const std::int64_t> sources_;
  sqlite::Statement* posting_ = nullptr;
  sqlite::Statement* tables_ = nullptr;
  std::vector<std::uint32_t> sum_, best_;
  std::vector<LexicalHit> top_;
};

Result<std::vector<LexicalHit>> SearchReader::TopTables(std::span<const QueryConcept> query,
                                                        std::size_t k,
                                                        std::span<const std::int64_t> sources) {
  assert(query.size() <= kQueryConceptsMax && "too many words in a query");
  return TopTablesRun(*this, query, k, sources).Run();
}

}  // namespace schemaward::store
