#include <algorithm>
#include <tuple>

#include "store/search_store.h"
#include "text/distance.h"
#include "text/fold.h"

namespace schemaward::store {
namespace {

// NOLINTBEGIN(readability-identifier-naming): positions in kSql
enum Which : int {
  kPosting,  // SearchReader::kPostingStatement
  kRange,    // SearchReader::kRangeStatement
  kCount,
  kTerm,
  kStem,
  kPrefix,
  kNear,
  kRecord,
  kColumns,
  kTables,
  kLinked,
  kWhichCount
};
// NOLINTEND(readability-identifier-naming)

constexpr std::array<std::string_view, kWhichCount> kSql{
    "SELECT data FROM search_posting WHERE key = ?1",
    "SELECT data FROM search_range WHERE range = ?1",
    "SELECT tables FROM search_total WHERE id = 1",
    "SELECT id, term, df, ranges FROM search_term WHERE term = ?1",
    "SELECT id, term, df, ranges FROM search_term WHERE stem = ?1 ORDER BY term LIMIT ?2",
    "SELECT id, term, df, ranges FROM (SELECT * FROM search_term WHERE term >= ?1 AND term < ?2"
    " LIMIT ?3) ORDER BY df DESC, term LIMIT ?4",
    // By the index on length alone: no row is read for a word that is too far.
    "SELECT term FROM search_term WHERE stem IS NOT NULL AND length BETWEEN ?1 AND ?2"
    " ORDER BY length, term LIMIT ?3",
    "SELECT source_id, schema_key, name_words, name, offers, wants, terms FROM search_table"
    " WHERE id = ?1",
    "SELECT columns FROM search_table WHERE id = ?1",
    "SELECT id FROM search_table ORDER BY id",
    "SELECT table_id FROM search_link WHERE key = ?1 AND direction = ?2 ORDER BY table_id LIMIT ?3",
};

Error Damaged(std::string_view what) {
  return std::move(Error(ErrorKind::StoreUnusable, "the store's search index cannot be read")
                       .Private("blob of " + std::string(what)));
}

}  // namespace

Result<sqlite::Statement*> SearchReader::Use(int which) {
  auto at = statements_.find(which);
  if (at == statements_.end()) {
    WARD_TRY(auto prepared, database_->Prepare(kSql[static_cast<std::size_t>(which)]));
    at = statements_.emplace(which, std::move(prepared)).first;
  }
  at->second.Reset();
  return &at->second;
}

Result<std::int64_t> SearchReader::CountTables() {
  WARD_TRY(auto* count, Use(kCount));
  WARD_TRY(const bool found, count->Step());
  const std::int64_t tables = found ? count->Int(0) : 0;
  count->Reset();
  return tables;
}

Result<std::vector<TermInfo>> SearchReader::ReadTerms(sqlite::Statement& statement,
                                                      std::size_t limit) {
  std::vector<TermInfo> terms;
  while (terms.size() < limit) {
    WARD_TRY(const bool more, statement.Step());
    if (!more) break;
    auto ranges = DecodeRanges(statement.Blob(3));
    if (!ranges) return Damaged("a term's ranges");
    if (statement.Int(2) == 0) continue;
    terms.push_back(
        {statement.Int(0), std::string(statement.Text(1)), statement.Int(2), *std::move(ranges)});
  }
  statement.Reset();
  return terms;
}

Result<std::optional<TermInfo>> SearchReader::FindTerm(std::string_view text) {
  WARD_TRY(auto* find, Use(kTerm));
  find->Bind(1, text);
  WARD_TRY(auto terms, ReadTerms(*find, 1));
  return terms.empty() ? std::optional<TermInfo>() : std::optional(std::move(terms.front()));
}

Result<std::vector<TermInfo>> SearchReader::FindStem(std::string_view stem, std::size_t limit) {
  WARD_TRY(auto* find, Use(kStem));
  find->Bind(1, stem).Bind(2, static_cast<std::int64_t>(limit));
  return ReadTerms(*find, limit);
}

Result<std::vector<TermInfo>> SearchReader::FindPrefix(std::string_view prefix, std::size_t limit) {
  std::string end(prefix);
  end += "\xF4\x8F\xBF\xBF";  // the last code point there is
  WARD_TRY(auto* find, Use(kPrefix));
  find->Bind(1, prefix).Bind(2, std::string_view(end)).Bind(3, kPrefixScanMax);
  find->Bind(4, static_cast<std::int64_t>(limit));
  return ReadTerms(*find, limit);
}

Result<std::vector<std::pair<TermInfo, std::uint32_t>>> SearchReader::FindNear(
    std::string_view word, std::uint32_t edits, std::size_t limit) {
  const std::u32string wanted = text::ToCodePoints(word);
  const auto length = static_cast<std::int64_t>(wanted.size());
  WARD_TRY(auto* scan, Use(kNear));
  scan->Bind(1, length - edits).Bind(2, length + edits).Bind(3, kTypoScanMax);
  std::vector<std::pair<std::uint32_t, std::string>> near;
  while (true) {
    WARD_TRY(const bool more, scan->Step());
    if (!more) break;
    const std::u32string term = text::ToCodePoints(scan->Text(0));
    const std::uint32_t distance = text::EditDistance(wanted, term, edits);
    if (distance <= edits) near.emplace_back(distance, std::string(scan->Text(0)));
  }
  std::vector<std::pair<TermInfo, std::uint32_t>> found;
  std::sort(near.begin(), near.end());
  for (const auto& [distance, term] : near) {
    if (found.size() == limit) break;
    WARD_TRY(auto info, FindTerm(term));
    if (info) found.emplace_back(*std::move(info), distance);
  }
  return found;
}

Result<std::optional<SearchRecord>> SearchReader::ReadRecord(std::int64_t table_id) {
  WARD_TRY(auto* get, Use(kRecord));
  get->Bind(1, table_id);
  WARD_TRY(const bool found, get->Step());
  if (!found) return std::optional<SearchRecord>();
  SearchRecord record;
  record.table_id = table_id;
  record.source_id = get->Int(0);
  record.schema_key = static_cast<std::uint64_t>(get->Int(1));
  record.name_words = static_cast<std::uint16_t>(get->Int(2));
  record.name = get->Text(3);
  auto offers = DecodeKeys(get->Blob(4)), wants = DecodeKeys(get->Blob(5));
  auto terms = DecodeRecord(get->Blob(6));
  get->Reset();
  if (!offers || !wants || !terms) return Damaged("a table's record");
  record.offers = *std::move(offers);
  record.wants = *std::move(wants);
  record.terms = *std::move(terms);
  return std::optional(std::move(record));
}

Result<std::vector<std::string>> SearchReader::ReadColumns(std::int64_t table_id) {
  WARD_TRY(auto* get, Use(kColumns));
  get->Bind(1, table_id);
  WARD_TRY(const bool found, get->Step());
  auto names = DecodeNames(found ? get->Blob(0) : std::string_view());
  get->Reset();
  if (!names) return Damaged("a table's columns");
  return *std::move(names);
}

Result<std::vector<std::int64_t>> SearchReader::ListTables() {
  WARD_TRY(auto* list, Use(kTables));
  std::vector<std::int64_t> ids;
  while (true) {
    WARD_TRY(const bool more, list->Step());
    if (!more) return ids;
    ids.push_back(list->Int(0));
  }
}

Result<std::vector<std::int64_t>> SearchReader::FindLinked(std::uint64_t key, int direction) {
  WARD_TRY(auto* find, Use(kLinked));
  find->Bind(1, static_cast<std::int64_t>(key)).Bind(2, static_cast<std::int64_t>(direction));
  find->Bind(3, static_cast<std::int64_t>(kLinkFanMax + 1));
  std::vector<std::int64_t> ids;
  while (true) {
    WARD_TRY(const bool more, find->Step());
    if (!more) break;
    ids.push_back(find->Int(0));
  }
  if (ids.size() > kLinkFanMax) ids.clear();
  return ids;
}

std::uint32_t ScoreRecord(std::span<const QueryConcept> query, const SearchRecord& record) {
  std::uint32_t score = 0;
  for (const auto& word : query) {
    std::uint32_t best = 0;
    for (const auto& [term, weight] : word.terms) {
      const auto at = std::lower_bound(
          record.terms.begin(), record.terms.end(), term.id,
          [](const RecordTerm& entry, std::int64_t id) { return entry.term_id < id; });
      if (at == record.terms.end() || at->term_id != term.id) continue;
      best = std::max(best, weight * at->impact);
    }
    score += best;
  }
  return score;
}

}  // namespace schemaward::store
