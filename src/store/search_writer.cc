// Changes are gathered per (term, range) and merged into their blobs when enough wait.

#include <algorithm>
#include <cassert>

#include "store/search_store.h"
#include "text/fold.h"

namespace schemaward::store {
namespace {

constexpr std::size_t kTermCacheMax = 65'536;
constexpr int kRangeKeyBits = 20;

// NOLINTBEGIN(readability-identifier-naming): positions in kSql
enum Which : int {
  kGetTerm,
  kAddTerm,
  kGetRanges,
  kSetRanges,
  kDropTerm,
  kGetPosting,
  kSetPosting,
  kDropPosting,
  kGetRange,
  kSetRange,
  kDropRange,
  kGetTable,
  kSetTable,
  kDropTable,
  kAddLink,
  kDropLink,
  kAddTotal,
  kWhichCount
};
// NOLINTEND(readability-identifier-naming)

constexpr std::array<std::string_view, kWhichCount> kSql{
    "SELECT id FROM search_term WHERE term = ?1",
    "INSERT INTO search_term (term, stem, length, df, ranges) VALUES (?1, ?2, ?3, 0, x'')",
    "SELECT ranges FROM search_term WHERE id = ?1",
    "UPDATE search_term SET df = ?2, ranges = ?3 WHERE id = ?1",
    "DELETE FROM search_term WHERE id = ?1",
    "SELECT data FROM search_posting WHERE key = ?1",
    "INSERT INTO search_posting (key, data) VALUES (?1, ?2)"
    " ON CONFLICT (key) DO UPDATE SET data = excluded.data",
    "DELETE FROM search_posting WHERE key = ?1",
    "SELECT data FROM search_range WHERE range = ?1",
    "INSERT INTO search_range (range, data) VALUES (?1, ?2)"
    " ON CONFLICT (range) DO UPDATE SET data = excluded.data",
    "DELETE FROM search_range WHERE range = ?1",
    "SELECT source_id, name, offers, wants, terms FROM search_table WHERE id = ?1",
    "INSERT OR REPLACE INTO search_table (id, source_id, schema_key, name_words, name, offers,"
    " wants, terms, columns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    "DELETE FROM search_table WHERE id = ?1",
    "INSERT OR IGNORE INTO search_link (key, direction, table_id) VALUES (?1, ?2, ?3)",
    "DELETE FROM search_link WHERE key = ?1 AND direction = ?2 AND table_id = ?3",
    "UPDATE search_total SET tables = tables + ?1 WHERE id = 1",
};

std::int64_t KeyOf(std::int64_t term_id, std::uint32_t range) {
  return (term_id << kRangeKeyBits) | static_cast<std::int64_t>(range);
}

bool IsWord(std::string_view term) {
  return std::none_of(term.begin(), term.end(),
                      [](char c) { return (c >= '0' && c <= '9') || c == ':'; });
}

std::uint32_t RangeOf(std::int64_t table_id) {
  return static_cast<std::uint32_t>(table_id >> kRangeBits);
}
std::uint32_t OffsetOf(std::int64_t table_id) {
  return static_cast<std::uint32_t>(table_id & (kRangeSize - 1));
}

Error Damaged(std::string_view what) {
  return std::move(Error(ErrorKind::StoreUnusable, "the store's search index cannot be read")
                       .Private("blob of " + std::string(what)));
}

/// Replaces, adds and removes entries of `old` by `changes`, both sorted by offset; of several
/// changes of one offset the last counts. `is_gone` says which changes remove.
template <class Entry, class Change, class Make, class IsGone>
std::vector<Entry> Merge(const std::vector<Entry>& old, const std::vector<Change>& changes,
                         Make&& make, IsGone&& is_gone) {
  std::vector<Entry> merged;
  merged.reserve(old.size() + changes.size());
  std::size_t i = 0;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    if (c + 1 < changes.size() && changes[c + 1].offset == changes[c].offset) continue;
    for (; i < old.size() && old[i].offset < changes[c].offset; ++i) merged.push_back(old[i]);
    if (i < old.size() && old[i].offset == changes[c].offset) ++i;
    if (!is_gone(changes[c])) merged.push_back(make(changes[c]));
  }
  merged.insert(merged.end(), old.begin() + static_cast<std::ptrdiff_t>(i), old.end());
  return merged;
}

}  // namespace

Result<SearchWriter> SearchWriter::Open(sqlite::Database& database, std::size_t pending_max) {
  SearchWriter writer(database);
  writer.pending_max_ = pending_max;
  WARD_CHECK(writer.Prepare());
  return writer;
}

Status SearchWriter::Prepare() {
  for (int which = 0; which < kWhichCount; ++which) {
    WARD_TRY(auto prepared, database_->Prepare(kSql[static_cast<std::size_t>(which)]));
    statements_.emplace(which, std::move(prepared));
  }
  return Ok();
}

Result<std::optional<SearchWriter::Old>> SearchWriter::ReadOld(std::int64_t table_id) {
  auto& get = statement(kGetTable);
  get.Bind(1, table_id);
  WARD_TRY(const bool found, get.Step());
  if (!found) return std::optional<Old>();
  Old old;
  old.source_id = get.Int(0);
  old.name = get.Text(1);
  auto offers = DecodeKeys(get.Blob(2)), wants = DecodeKeys(get.Blob(3));
  auto terms = DecodeRecord(get.Blob(4));
  get.Reset();
  if (!offers || !wants || !terms) return Damaged("a table's record");
  old.offers = *std::move(offers);
  old.wants = *std::move(wants);
  old.terms = *std::move(terms);
  return std::optional(std::move(old));
}

Result<std::int64_t> SearchWriter::TermId(const std::string& term) {
  if (const auto cached = term_ids_.find(term); cached != term_ids_.end()) return cached->second;
  auto& get = statement(kGetTerm);
  get.Bind(1, std::string_view(term));
  WARD_TRY(const bool found, get.Step());
  std::int64_t id = found ? get.Int(0) : 0;
  get.Reset();
  if (!found) {
    auto& add = statement(kAddTerm);
    add.Bind(1, std::string_view(term));
    if (IsWord(term)) {
      add.Bind(2, std::string_view(stemmer_.Stem(term)));
    } else {
      add.BindNull(2);
    }
    add.Bind(3, static_cast<std::int64_t>(text::ToCodePoints(term).size()));
    WARD_CHECK(add.Run());
    id = database_->LastInsertRowid();
  }
  if (term_ids_.size() >= kTermCacheMax) term_ids_.clear();
  term_ids_.emplace(term, id);
  return id;
}

Status SearchWriter::WriteRecord(std::int64_t table_id, const SearchDocument& document,
                                 const std::vector<RecordTerm>& terms) {
  const std::string offers = EncodeKeys(document.offers), wants = EncodeKeys(document.wants);
  const std::string record = EncodeRecord(terms), columns = EncodeNames(document.columns);
  auto& set = statement(kSetTable);
  set.Bind(1, table_id).Bind(2, document.source_id);
  set.Bind(3, static_cast<std::int64_t>(document.schema_key));
  set.Bind(4, static_cast<std::int64_t>(document.name_words));
  set.Bind(5, std::string_view(document.name)).BindBlob(6, offers).BindBlob(7, wants);
  set.BindBlob(8, record).BindBlob(9, columns);
  return set.Run();
}

Status SearchWriter::ChangeLinksOf(std::int64_t table_id, int direction,
                                   const std::vector<std::uint64_t>& old,
                                   const std::vector<std::uint64_t>& now) {
  const auto change = [&](int which, std::uint64_t key) {
    auto& link = statement(which);
    link.Bind(1, static_cast<std::int64_t>(key));
    link.Bind(2, static_cast<std::int64_t>(direction)).Bind(3, table_id);
    return link.Run();
  };
  for (const auto key : old) {
    if (!std::binary_search(now.begin(), now.end(), key)) WARD_CHECK(change(kDropLink, key));
  }
  for (const auto key : now) {
    if (!std::binary_search(old.begin(), old.end(), key)) WARD_CHECK(change(kAddLink, key));
  }
  return Ok();
}

Status SearchWriter::ChangeLinks(std::int64_t table_id, const Old& old,
                                 const SearchDocument& document) {
  WARD_CHECK(ChangeLinksOf(table_id, 0, old.offers, document.offers));
  return ChangeLinksOf(table_id, 1, old.wants, document.wants);
}

Status SearchWriter::AddChanges(std::int64_t table_id, const std::vector<RecordTerm>& old,
                                const std::vector<RecordTerm>& now) {
  const std::uint32_t range = RangeOf(table_id), offset = OffsetOf(table_id);
  const auto add = [&](std::int64_t term_id, std::uint8_t impact) {
    pending_[{term_id, range}].push_back({offset, impact});
    ++pending_count_;
  };
  std::size_t i = 0;
  for (const auto& term : now) {
    for (; i < old.size() && old[i].term_id < term.term_id; ++i) add(old[i].term_id, 0);
    const bool same = i < old.size() && old[i].term_id == term.term_id;
    if (!same || old[i].impact != term.impact) add(term.term_id, term.impact);
    if (same) ++i;
  }
  for (; i < old.size(); ++i) add(old[i].term_id, 0);
  return pending_count_ >= pending_max_ ? Flush() : Ok();
}

Status SearchWriter::Put(std::int64_t table_id, const SearchDocument& document) {
  assert(table_id >= 0 && table_id <= kTableIdMax && "table id out of search's range");
  WARD_TRY(auto found, ReadOld(table_id));
  const bool is_new = !found;
  const Old old = found ? *std::move(found) : Old{};
  std::vector<RecordTerm> terms;
  terms.reserve(document.terms.size());
  for (const auto& term : document.terms) {
    WARD_TRY(const auto id, TermId(term.text));
    terms.push_back({id, term.impact, term.fields, term.column});
  }
  std::sort(terms.begin(), terms.end(),
            [](const RecordTerm& a, const RecordTerm& b) { return a.term_id < b.term_id; });
  WARD_CHECK(WriteRecord(table_id, document, terms));
  WARD_CHECK(ChangeLinks(table_id, old, document));
  if (is_new) ++count_change_;
  if (old.source_id != document.source_id || old.name != document.name) {
    const auto tie = static_cast<std::uint32_t>(SearchHash(document.name) >> 32);
    pending_tables_[RangeOf(table_id)][OffsetOf(table_id)] = {OffsetOf(table_id),
                                                              document.source_id, tie};
  }
  return AddChanges(table_id, old.terms, terms);
}

Status SearchWriter::Remove(std::int64_t table_id) {
  WARD_TRY(const auto old, ReadOld(table_id));
  if (!old) return Ok();
  WARD_CHECK(ChangeLinks(table_id, *old, {}));
  auto& drop = statement(kDropTable);
  drop.Bind(1, table_id);
  WARD_CHECK(drop.Run());
  --count_change_;
  pending_tables_[RangeOf(table_id)][OffsetOf(table_id)] = {OffsetOf(table_id), 0, 0};
  return AddChanges(table_id, old->terms, {});
}

Status SearchWriter::Finish() { return Flush(); }

Status SearchWriter::Flush() {
  for (auto at = pending_.begin(); at != pending_.end();) {
    WARD_CHECK(FlushTerm(at->first.first, at));
  }
  pending_.clear();
  pending_count_ = 0;
  for (const auto& [range, changes] : pending_tables_) WARD_CHECK(FlushRange(range, changes));
  pending_tables_.clear();
  if (count_change_ != 0) {
    auto& add = statement(kAddTotal);
    add.Bind(1, count_change_);
    WARD_CHECK(add.Run());
    count_change_ = 0;
  }
  return Ok();
}

/// Writes all changes of one term and its row; moves `at` past them.
Status SearchWriter::FlushTerm(std::int64_t term_id,
                               std::map<PostingKey, std::vector<Change>>::iterator& at) {
  auto& get = statement(kGetRanges);
  get.Bind(1, term_id);
  WARD_TRY(const bool found, get.Step());
  auto ranges = DecodeRanges(found ? get.Blob(0) : std::string_view());
  get.Reset();
  if (!ranges) return Damaged("a term's ranges");
  std::map<std::uint32_t, RangeEntry> by_range;
  for (const auto& entry : *ranges) by_range[entry.range] = entry;
  for (; at != pending_.end() && at->first.first == term_id; ++at) {
    WARD_TRY(const auto entry, FlushPostings(at->first, std::move(at->second)));
    by_range[entry.range] = entry;
    if (entry.count == 0) by_range.erase(entry.range);
  }
  ranges->clear();
  std::int64_t df = 0;
  for (const auto& [range, entry] : by_range) {
    ranges->push_back(entry);
    df += entry.count;
  }
  if (df == 0) {
    auto& drop = statement(kDropTerm);
    drop.Bind(1, term_id);
    term_ids_.clear();  // it may hold the id that goes
    return drop.Run();
  }
  const std::string blob = EncodeRanges(*ranges);
  auto& set = statement(kSetRanges);
  set.Bind(1, term_id).Bind(2, df).BindBlob(3, blob);
  return set.Run();
}

Result<RangeEntry> SearchWriter::FlushPostings(const PostingKey& key, std::vector<Change> changes) {
  const std::int64_t row = KeyOf(key.first, key.second);
  auto& get = statement(kGetPosting);
  get.Bind(1, row);
  WARD_TRY(const bool found, get.Step());
  const auto old = DecodePostings(found ? get.Blob(0) : std::string_view());
  get.Reset();
  if (!old) return Damaged("postings");
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.offset < b.offset; });
  const auto postings = Merge(
      *old, changes,
      [](const Change& c) {
        return Posting{c.offset, c.impact};
      },
      [](const Change& c) { return c.impact == 0; });
  RangeEntry entry{key.second, 0, static_cast<std::uint32_t>(postings.size())};
  for (const auto& posting : postings)
    entry.max_impact = std::max(entry.max_impact, posting.impact);
  auto& put = statement(postings.empty() ? kDropPosting : kSetPosting);
  const std::string blob = EncodePostings(postings);
  put.Bind(1, row);
  if (!postings.empty()) put.BindBlob(2, blob);
  WARD_CHECK(put.Run());
  return entry;
}

Status SearchWriter::FlushRange(std::uint32_t range,
                                const std::map<std::uint32_t, RangeTable>& changes) {
  auto& get = statement(kGetRange);
  get.Bind(1, static_cast<std::int64_t>(range));
  WARD_TRY(const bool found, get.Step());
  const auto old = DecodeRangeTables(found ? get.Blob(0) : std::string_view());
  get.Reset();
  if (!old) return Damaged("a range's tables");
  std::vector<RangeTable> sorted;
  for (const auto& [offset, table] : changes) sorted.push_back(table);
  const auto tables = Merge(
      *old, sorted, [](const RangeTable& t) { return t; },
      [](const RangeTable& t) { return t.source_id == 0; });
  auto& put = statement(tables.empty() ? kDropRange : kSetRange);
  const std::string blob = EncodeRangeTables(tables);
  put.Bind(1, static_cast<std::int64_t>(range));
  if (!tables.empty()) put.BindBlob(2, blob);
  return put.Run();
}

}  // namespace schemaward::store
