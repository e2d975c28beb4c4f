#pragma once

// The audit file for reading: one snapshot of the chain's row and all records in order. It reads
// whatever columns the file has, so that a later version's records can be checked. Private to
// audit/.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/record.h"
#include "base/result.h"
#include "sqlite/sqlite.h"

namespace schemaward::audit {

/// The row of the table `chain`.
struct Chain {
  std::int64_t base_sequence = 0;
  std::string base_hash;
  std::int64_t head_sequence = 0;
  std::string head_hash;
  std::int64_t next_file = 0;  ///< number of the file that goes on; 0 while this one is written
};

/// Stands on one record at a time. Thread: owner. Lifetime: views live until the next Next.
class Reader {
 public:
  /// Opens `path` and starts one read transaction; records before `first` are passed over. Errors:
  /// InputUnreadable when it is not there or is not an audit log; those of sqlite::Database.
  static Result<Reader> Open(const std::string& path, std::int64_t first = INT64_MIN);

  const Chain& chain() const { return chain_; }
  /// Returns the names of the triggers that guard the tables.
  Result<std::vector<std::string>> Triggers();

  /// Moves to the next record in order of sequence; false after the last. Errors: those of
  /// sqlite::Database, where the file is damaged.
  Result<bool> Next();

  std::int64_t Sequence() const { return rows_.Int(at_.sequence); }
  /// Returns the record's hash, empty where it is not a blob: the same bytes as text are another
  /// value.
  std::string_view Hash() const;
  /// Returns the column's value; nullopt where it is null, not there or of another type.
  std::optional<std::int64_t> Int(std::string_view column) const;
  std::optional<std::string_view> Text(std::string_view column) const;
  /// Returns the hash that the record must have after `previous`; nullopt where a value has a type
  /// that no record can have.
  std::optional<Digest> Rehash(std::string_view previous);
  /// Returns the canonical bytes that the last Rehash made. Lifetime: until the next one.
  std::string_view CanonicalBytes() const { return canonical_.bytes(); }
  /// Returns the record as one JSON object: the columns that are not null, in table order.
  std::string ToJson() const;

 private:
  struct Layout {
    int sequence = -1;
    int hash = -1;
    int version = -1;
    std::vector<std::string> names;
    std::vector<int> by_name;  // column numbers in the byte order of their names, without hash
  };
  Reader(sqlite::Database database, sqlite::Statement rows, Chain chain, Layout layout);
  static Result<Reader> OpenAs(const std::string& path, std::int64_t first);
  int Find(std::string_view column) const;

  sqlite::Database database_;
  sqlite::Statement rows_;
  Chain chain_;
  Layout at_;
  Canonicaliser canonical_;
};

}  // namespace schemaward::audit
