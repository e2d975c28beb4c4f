#pragma once

// Search's part of the store: a dictionary of terms, their postings cut by ranges of table ids, a
// record of each table, and the keys that tables offer and want. docs/formats/search.md has the
// layout; scores are integers, so that sums do not depend on their order.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sqlite/sqlite.h"
#include "store/search_codec.h"
#include "store/search_document.h"
#include "store/search_schema.h"
#include "text/stemmer.h"

namespace schemaward::store {

/// Writes documents. Every call belongs to the caller's transaction; Finish comes before its
/// commit. Changes wait in memory, at most kPendingMax postings, so that a bulk load rewrites each
/// blob a few times only. The cost of Put follows the terms that changed. Thread: owner.
/// Lifetime: ends before the database and before its transaction.
class SearchWriter {
 public:
  static constexpr std::size_t kPendingMax = 500'000;

  static Result<SearchWriter> Open(sqlite::Database& database,
                                   std::size_t pending_max = kPendingMax);

  /// Makes `document` what search knows of the table. Requires: 0 <= table_id <= kTableIdMax;
  /// document.terms sorted and unique. Errors: as sqlite::Database.
  Status Put(std::int64_t table_id, const SearchDocument& document);
  /// Forgets the table; nothing happens where it is not known. Errors: as sqlite::Database.
  Status Remove(std::int64_t table_id);
  /// Writes what still waits. Errors: as sqlite::Database.
  Status Finish();

 private:
  struct Change {
    std::uint32_t offset;
    std::uint8_t impact;  ///< 0: the posting goes
  };
  struct Old {
    std::vector<RecordTerm> terms;
    std::vector<std::uint64_t> offers, wants;
    std::int64_t source_id = 0;
    std::string name;
  };
  using PostingKey = std::pair<std::int64_t, std::uint32_t>;  ///< term id, range

  explicit SearchWriter(sqlite::Database& database) : database_(&database) {}
  Status Prepare();
  Result<std::optional<Old>> ReadOld(std::int64_t table_id);
  Result<std::int64_t> TermId(const std::string& term);
  Status WriteRecord(std::int64_t table_id, const SearchDocument& document,
                     const std::vector<RecordTerm>& terms);
  Status ChangeLinks(std::int64_t table_id, const Old& old, const SearchDocument& document);
  Status ChangeLinksOf(std::int64_t table_id, int direction, const std::vector<std::uint64_t>& old,
                       const std::vector<std::uint64_t>& now);
  Status AddChanges(std::int64_t table_id, const std::vector<RecordTerm>& old,
                    const std::vector<RecordTerm>& now);
  Status Flush();
  Status FlushTerm(std::int64_t term_id, std::map<PostingKey, std::vector<Change>>::iterator& at);
  Result<RangeEntry> FlushPostings(const PostingKey& key, std::vector<Change> changes);
  Status FlushRange(std::uint32_t range, const std::map<std::uint32_t, RangeTable>& changes);

  sqlite::Database* database_;
  std::size_t pending_max_ = kPendingMax;
  text::Stemmer stemmer_;
  std::unordered_map<std::string, std::int64_t> term_ids_;  ///< at most kTermCacheMax
  std::map<PostingKey, std::vector<Change>> pending_;
  std::size_t pending_count_ = 0;
  /// Range -> offset -> entry; an entry of source 0 goes.
  std::map<std::uint32_t, std::map<std::uint32_t, RangeTable>> pending_tables_;
  std::int64_t count_change_ = 0;
  std::map<int, sqlite::Statement> statements_;
  sqlite::Statement& statement(int which) { return statements_.at(which); }
};

/// A word of the dictionary.
struct TermInfo {
  std::int64_t id = 0;
  std::string text;
  std::int64_t table_count = 0;  ///< tables that hold it
  std::vector<RangeEntry> ranges;
};

/// One way to read a word of a query.
struct QueryTerm {
  TermInfo term;
  std::uint32_t weight = 0;  ///< what an impact of 1 is worth
};

/// A word of a query with all its readings; of those that a table has, the best counts.
struct QueryConcept {
  std::vector<QueryTerm> terms;
};

/// At most so many words of a query count, and readings of a word: sums fit 32 bits.
inline constexpr std::size_t kQueryConceptsMax = 32;
inline constexpr std::size_t kQueryTermsMax = 24;
inline constexpr std::uint32_t kQueryWeightMax = 1U << 18;

/// A table and the sum of its concepts.
struct LexicalHit {
  std::int64_t table_id = 0;
  std::uint32_t score = 0;
  std::uint32_t tie = 0;
  bool operator==(const LexicalHit&) const = default;
};

/// The record of one table, without its columns.
struct SearchRecord {
  std::int64_t table_id = 0;
  std::int64_t source_id = 0;
  std::string name;
  std::uint64_t schema_key = 0;
  std::uint16_t name_words = 0;
  std::vector<RecordTerm> terms;
  std::vector<std::uint64_t> offers, wants;
};

/// Counts what a search read, for tests and benchmarks.
struct SearchCost {
  std::int64_t ranges = 0;
  std::int64_t ranges_skipped = 0;
  std::int64_t postings_blobs = 0;
};

/// Reads what SearchWriter wrote. Nothing is read before the first call and nothing is kept after
/// one, but for prepared statements. Errors of every call: as sqlite::Database, and StoreUnusable
/// where a blob cannot be read. Thread: owner. Lifetime: ends before the database. For answers of
/// one moment, the caller holds a read transaction.
class SearchReader {
 public:
  explicit SearchReader(sqlite::Database& database) : database_(&database) {}

  Result<std::int64_t> CountTables();
  Result<std::optional<TermInfo>> FindTerm(std::string_view text);
  /// Terms of one stem, sorted by text; at most `limit`.
  Result<std::vector<TermInfo>> FindStem(std::string_view stem, std::size_t limit);
  /// Terms that begin with `prefix`, sorted by number of tables, descending; of the first
  /// kPrefixScanMax at most `limit`.
  Result<std::vector<TermInfo>> FindPrefix(std::string_view prefix, std::size_t limit);
  /// Words (no digits) within `edits` of `word`, nearest first, then by number of tables; at most
  /// kTypoScanMax words of a length that can be near are looked at.
  Result<std::vector<std::pair<TermInfo, std::uint32_t>>> FindNear(std::string_view word,
                                                                   std::uint32_t edits,
                                                                   std::size_t limit);
  static constexpr std::int64_t kPrefixScanMax = 256;
  static constexpr std::int64_t kTypoScanMax = 50'000;

  /// The `k` tables of highest score above 0 (ties: by tie, then id), of `sources` (empty: all).
  /// Ranges that cannot hold one of them are not read; the answer is the same as if all were.
  /// Requires: the bounds above.
  Result<std::vector<LexicalHit>> TopTables(std::span<const QueryConcept> query, std::size_t k,
                                            std::span<const std::int64_t> sources);

  Result<std::optional<SearchRecord>> ReadRecord(std::int64_t table_id);
  Result<std::vector<std::string>> ReadColumns(std::int64_t table_id);
  /// Every table id, ascending; for tests and checks of the whole store.
  Result<std::vector<std::int64_t>> ListTables();
  /// Tables that offer (or want) `key`, ascending; none where more than kLinkFanMax do, since a key
  /// that everyone uses joins nothing in particular.
  Result<std::vector<std::int64_t>> FindOffering(std::uint64_t key) { return FindLinked(key, 0); }
  Result<std::vector<std::int64_t>> FindWanting(std::uint64_t key) { return FindLinked(key, 1); }
  static constexpr std::size_t kLinkFanMax = 64;

  const SearchCost& cost() const { return cost_; }

 private:
  Result<std::vector<std::int64_t>> FindLinked(std::uint64_t key, int direction);
  Result<sqlite::Statement*> Use(int which);
  Result<std::vector<TermInfo>> ReadTerms(sqlite::Statement& statement, std::size_t limit);
  friend class TopTablesRun;
  static constexpr int kPostingStatement = 0;
  static constexpr int kRangeStatement = 1;

  sqlite::Database* database_;
  std::map<int, sqlite::Statement> statements_;
  SearchCost cost_;
};

/// The score of one table by its record: what TopTables adds up, from the other side.
std::uint32_t ScoreRecord(std::span<const QueryConcept> query, const SearchRecord& record);

}  // namespace schemaward::store
