#pragma once

// One file of the log, open for writing: its tables, its head, its records. Private to audit/.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/merkle.h"
#include "audit/record.h"
#include "base/result.h"
#include "sqlite/sqlite.h"

namespace schemaward::audit {

/// The row of the table `chain`, but for its tree.
struct Head {
  std::int64_t sequence = 0;
  std::string hash;
  std::string mode;
  std::int64_t base_sequence = 0;
  std::string base_hash;
  std::int64_t next_file = 0;            ///< number of the file that goes on; 0: this one does
  std::int64_t checkpoint_sequence = 0;  ///< the last checkpoint's own record
  bool IsEmpty() const { return sequence == base_sequence; }
};

/// Thread: owner. Errors of every call: those of sqlite::Database.
class ChainFile {
 public:
  /// Whether a file that is absent is made, with mode 0600; else opening it is an error.
  enum class Make : std::uint8_t { Never, IfAbsent };

  /// Opens `path`, given its tables where it lacks them.
  static Result<ChainFile> Open(const std::string& path, Make make);

  sqlite::Database& database() { return database_; }
  /// True when `path` no longer names the file that is open.
  bool WasReplaced(const std::string& path) const;

  /// Within a transaction:
  Result<Head> ReadHead();
  Status WriteHead(const Head& head);
  /// Sets where the chain starts. Requires: the file holds no record.
  Status WriteBase(const Head& base);
  /// Appends the record after `head` and moves `head` to it. Sets sequence and version.
  Status Insert(RecordFields& fields, Head& head);
  /// Returns the Merkle tree over the records up to `head`, from the one kept at the last
  /// checkpoint and the records since.
  Result<Frontier> ReadTree(const Head& head);
  Status WriteTree(const Frontier& tree);
  /// Returns when the first record was written, in microseconds; nullopt where there is none.
  Result<std::optional<std::int64_t>> FirstOccurredAt();

 private:
  ChainFile(sqlite::Database database, sqlite::Statement read_head, sqlite::Statement write_head,
            sqlite::Statement insert, std::uint64_t inode);

  sqlite::Database database_;
  sqlite::Statement read_head_;
  sqlite::Statement write_head_;
  sqlite::Statement insert_;
  std::uint64_t inode_;
  Canonicaliser canonical_;
};

}  // namespace schemaward::audit
