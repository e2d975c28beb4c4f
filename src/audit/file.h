#pragma once

// The audit file for writing: opens it, appends batches, each batch in one transaction that reads
// the chain's head, so that two processes cannot fork the chain. Private to audit/.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/log.h"
#include "audit/record.h"
#include "base/result.h"
#include "sqlite/sqlite.h"

namespace schemaward::audit {

/// A record on its way to the file. The sequence of a begin is written through `own`; that of the
/// begin which an end names is read through `begin`.
struct Pending {
  RecordFields fields;
  std::shared_ptr<std::int64_t> own;
  std::shared_ptr<std::int64_t> begin;
};

/// Thread: owner (the log's writer). Errors of every call: those of sqlite::Database.
class AuditFile {
 public:
  explicit AuditFile(Options options) : options_(std::move(options)) {}

  /// Opens the file if need be and appends `batch` in its order, after a start record where this is
  /// the first batch, the chain was cut or the file was replaced. An empty batch proves that the
  /// file can be written. Nothing is appended on an error.
  Status Append(const std::vector<Pending*>& batch);

  /// Mode off: records that it is off where the file exists and says otherwise.
  Status RecordOff();

 private:
  struct Head {
    std::int64_t sequence = 0;
    std::string hash;
    std::string mode;
  };
  struct Handle {
    sqlite::Database database;
    sqlite::Statement read_head;
    sqlite::Statement write_head;
    sqlite::Statement insert;
  };

  Status OpenIfNeeded();
  Result<sqlite::Database> OpenDatabase();
  bool WasReplaced();
  Status AppendInTransaction(const std::vector<Pending*>& batch, Head& head, std::int64_t& run);
  Result<Head> ReadHead();
  Status WriteHead(const Head& head);
  Status Insert(RecordFields& fields, Head& head);
  Status InsertStart(Head& head);
  std::string StartDetail(const Head& head) const;

  Options options_;
  Canonicaliser canonical_;
  std::unique_ptr<Handle> handle_;
  std::uint64_t inode_ = 0;
  std::optional<Head> last_;  // what this process committed last
  std::int64_t run_ = 0;      // sequence of this process's start record; 0 before it is committed
  bool replaced_ = false;
};

}  // namespace schemaward::audit
