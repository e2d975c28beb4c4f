#pragma once

// IndexWriter: one re-index of one source, in one transaction. What is not committed never was:
// kill -9 at any moment leaves the old index or the new one.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "store/samples.h"
#include "store/search_document.h"
#include "store/store.h"

namespace schemaward::store {

/// Of one table: `shape` covers all but what the engine estimates (row counts, statistics),
/// `content` covers everything that the engine says: not what checks of values found. Search
/// documents depend on the shape only.
struct TableHash {
  std::int64_t shape = 0;
  std::int64_t content = 0;
  bool operator==(const TableHash&) const = default;
};

/// Returns the 64-bit FNV-1a of the table's record. A fast hash is enough: it tells a table from
/// its own earlier self, nobody gains by a collision, and 2^-64 a change is rarer than a bad disk.
/// Thread: any.
TableHash HashOf(const catalog::Table& table);

/// A table as the last index left it.
struct IndexedTable {
  std::int64_t id = 0;
  std::string schema;
  std::string name;
  TableHash hash;
};

/// What a commit says of the source.
struct IndexStamp {
  std::string database{};
  std::string engine_version{};
  std::string fingerprint{};
  std::vector<catalog::Missing> missing{};
  std::int64_t indexed_at_us = 0;
  std::int64_t document_version = 0;   ///< of the rules by which search documents were made
  std::vector<std::string> schemas{};  ///< that were asked for; empty: all
};

/// Thread: owner. Other processes' and threads' writers wait while it lives, readers see the old
/// index until Commit. Errors of every call: as Store; StoreLocked after the busy timeout.
class IndexWriter {
 public:
  /// Errors: UnknownSource when the source is gone. Requires: `store` outlives the writer.
  static Result<std::unique_ptr<IndexWriter>> Begin(Store& store, std::int64_t source_id);
  /// Rolls back, unless committed.
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  /// Tables of the source as last indexed, sorted by schema, then name (bytes).
  Result<std::vector<IndexedTable>> Existing();

  /// Writes a table that is not there yet and returns its new id.
  Result<std::int64_t> Add(const catalog::Table& table, const TableHash& hash);
  /// Writes a table again; its schema and name stay.
  Status Replace(std::int64_t id, const catalog::Table& table, const TableHash& hash);
  /// Makes `document` what search knows of a table.
  Status PutSearch(std::int64_t id, const SearchDocument& document);
  /// Removes a table and all that is kept of it.
  Status Remove(std::int64_t id);

  /// Replaces what is kept of a table's values.
  Status PutSamples(std::int64_t id, const std::vector<ColumnSample>& samples);
  /// Every column of the source of which values are kept, sorted by table id, then column.
  Result<std::vector<SampledColumn>> SampledColumns();
  Status RemoveSample(const SampledColumn& sampled);

  /// The document_version of the last commit; 0 before the first.
  Result<std::int64_t> DocumentVersion();

  /// Ends the transaction; the source's generation grows by one. Returns the new generation.
  /// The writer is of no use afterwards.
  Result<std::int64_t> Commit(const IndexStamp& stamp);

 private:
  struct State;
  explicit IndexWriter(std::unique_ptr<State> state);
  Status OpenSearch();
  Status WriteKeys(std::int64_t id, const catalog::Table& table);
  Status WriteBody(std::int64_t id, const catalog::Table& table);
  Result<std::int64_t> NextId();
  Status CountAgain();
  std::unique_ptr<State> state_;
};

}  // namespace schemaward::store
