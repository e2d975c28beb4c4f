#include "audit/chain_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/schema.h"

namespace schemaward::audit {
namespace {

constexpr int kBusyTimeoutMs = 2000;
constexpr int kCacheKib = 128;
// Switching to WAL answers busy at once where another process does the same, so it is tried again
// for as long as a lock would be waited for.
constexpr std::chrono::milliseconds kOpenPatience{kBusyTimeoutMs};
constexpr std::chrono::milliseconds kOpenPause{10};
constexpr mode_t kFileMode = 0600;

// Created before SQLite sees it, so that others cannot read it at any moment; the -wal and -shm
// files take its mode.
Status CreatePrivate(const std::string& path) {
  // One that is there is not opened here: closing it would end SQLite's locks of this process.
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) return Ok();
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (file < 0) {
    const int code = errno;
    return Error(code == ENOSPC ? ErrorKind::DiskFull : ErrorKind::StoreUnusable,
                 "the audit file cannot be opened")
        .Private(fmt::format("{}: errno {}", path, code));
  }
  ::close(file);
  return Ok();
}

std::uint64_t InodeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_ino) : 0;
}

Status AddMissingColumns(sqlite::Database& database) {
  std::set<std::string> present;
  WARD_TRY(auto read,
           database.Prepare("SELECT t.name || '.' || c.name FROM sqlite_master t,"
                            " pragma_table_info(t.name) c WHERE t.name IN ('record', 'chain')"));
  while (true) {
    WARD_TRY(const bool more, read.Step());
    if (!more) break;
    present.emplace(read.Text(0));
  }
  for (const AddedColumn& column : kAddedColumns)
    if (!present.contains(fmt::format("{}.{}", column.table, column.name)))
      WARD_CHECK(database.Execute(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", column.table,
                                              column.name, column.declaration)));
  return Ok();
}

// A path that leads to a database of something else, such as a source, must not make it the log:
// its mode would change and tables would come into it.
Status CheckIsOurs(sqlite::Database& database) {
  WARD_TRY(auto read, database.Prepare(
                          "SELECT count(*), count(*) FILTER (WHERE name = 'record'), count(*) "
                          "FILTER (WHERE name = 'chain') FROM sqlite_master WHERE type = 'table'"));
  WARD_TRY(const bool has_row, read.Step());
  if (!has_row || read.Int(0) == 0 || (read.Int(1) > 0 && read.Int(2) > 0)) return Ok();
  return Error(ErrorKind::StoreUnusable, "the audit file is a database of something else");
}

Status Prepare(sqlite::Database& database) {
  WARD_CHECK(CheckIsOurs(database));
  WARD_CHECK(
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                       "PRAGMA journal_size_limit=1048576;"));
  WARD_TRY(sqlite::Transaction transaction, sqlite::Transaction::Begin(database));
  WARD_CHECK(database.Execute(SchemaSql()));
  WARD_CHECK(AddMissingColumns(database));
  return transaction.Commit();
}

Result<sqlite::Database> OpenDatabase(const std::string& path) {
  WARD_TRY(auto database, sqlite::Database::Open(
                              path, {.busy_timeout_ms = kBusyTimeoutMs, .cache_kib = kCacheKib}));
  const auto give_up = std::chrono::steady_clock::now() + kOpenPatience;
  Status ready = Prepare(database);
  while (!ready && ready.error().kind() == ErrorKind::StoreLocked &&
         std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(kOpenPause);
    ready = Prepare(database);
  }
  if (!ready) return std::move(ready).error();
  return database;
}

std::string InsertSql() {
  std::string names;
  std::string marks;
  for (const ColumnSpec& column : Columns()) {
    names += fmt::format("{}{}", names.empty() ? "" : ",", column.name);
    marks += marks.empty() ? "?" : ",?";
  }
  return fmt::format("INSERT INTO record({}) VALUES({})", names, marks);
}

}  // namespace

ChainFile::ChainFile(sqlite::Database database, sqlite::Statement read_head,
                     sqlite::Statement write_head, sqlite::Statement insert, std::uint64_t inode)
    : database_(std::move(database)),
      read_head_(std::move(read_head)),
      write_head_(std::move(write_head)),
      insert_(std::move(insert)),
      inode_(inode) {}

Result<ChainFile> ChainFile::Open(const std::string& path, Make make) {
  if (make == Make::IfAbsent) WARD_CHECK(CreatePrivate(path));
  WARD_TRY(auto database, OpenDatabase(path));
  WARD_TRY(auto read_head,
           database.Prepare("SELECT head_sequence, head_hash, mode, base_sequence, base_hash,"
                            " next_file, checkpoint_sequence FROM chain WHERE one = 1"));
  WARD_TRY(auto write_head,
           database.Prepare("UPDATE chain SET head_sequence = ?, head_hash = ?, mode = ?,"
                            " next_file = ?, checkpoint_sequence = ?, written = written + 1"
                            " WHERE one = 1"));
  WARD_TRY(auto insert, database.Prepare(InsertSql()));
  const std::uint64_t inode = InodeOf(path);
  return ChainFile(std::move(database), std::move(read_head), std::move(write_head),
                   std::move(insert), inode);
}

bool ChainFile::WasReplaced(const std::string& path) const { return InodeOf(path) != inode_; }

Result<Head> ChainFile::ReadHead() {
  sqlite::Statement& read = read_head_;
  WARD_TRY(const bool found, read.Step());
  if (!found) return Error(ErrorKind::StoreUnusable, "the audit file has no chain");
  Head head{read.Int(0), std::string(read.Blob(1)), std::string(read.Text(2)),
            read.Int(3), std::string(read.Blob(4)), read.Int(5),
            read.Int(6)};
  read.Reset();
  return head;
}

Status ChainFile::WriteHead(const Head& head) {
  return write_head_.Bind(1, head.sequence)
      .BindBlob(2, head.hash)
      .Bind(3, std::string_view(head.mode))
      .Bind(4, head.next_file)
      .Bind(5, head.checkpoint_sequence)
      .Run();
}

Status ChainFile::WriteBase(const Head& base) {
  WARD_TRY(auto write,
           database_.Prepare("UPDATE chain SET base_sequence = ?, base_hash = ?, head_sequence = ?,"
                             " head_hash = ?, mode = ?, checkpoint_sequence = ?, tree = NULL"
                             " WHERE one = 1"));
  return write.Bind(1, base.sequence)
      .BindBlob(2, base.hash)
      .Bind(3, base.sequence)
      .BindBlob(4, base.hash)
      .Bind(5, std::string_view(base.mode))
      .Bind(6, base.checkpoint_sequence)
      .Run();
}

Status ChainFile::Insert(RecordFields& fields, Head& head) {
  fields.Set("sequence", head.sequence + 1);
  fields.Set("version", kRecordVersion);
  const Digest hash = HashOf(fields, head.hash, canonical_);
  const int hash_index = static_cast<int>(Columns().size());
  for (int index = 1; index < hash_index; ++index) insert_.BindNull(index);
  fields.EachInTable([this](const RecordFields::Field& field) {
    const int index = static_cast<int>(field.column) + 1;
    field.is_text ? insert_.Bind(index, field.text) : insert_.Bind(index, field.number);
  });
  WARD_CHECK(insert_.BindBlob(hash_index, BytesOf(hash)).Run());
  ++head.sequence;
  head.hash = std::string(BytesOf(hash));
  return Ok();
}

Result<Frontier> ChainFile::ReadTree(const Head& head) {
  WARD_TRY(auto read_tree, database_.Prepare("SELECT tree FROM chain WHERE one = 1"));
  WARD_TRY(const bool found, read_tree.Step());
  std::optional<Frontier> kept = found ? Frontier::Parse(read_tree.Blob(0)) : std::nullopt;
  Frontier tree =
      kept && kept->size() <= head.sequence - head.base_sequence ? *std::move(kept) : Frontier();
  WARD_TRY(auto read,
           database_.Prepare("SELECT hash FROM record WHERE sequence > ? ORDER BY sequence"));
  read.Bind(1, head.base_sequence + tree.size());
  while (true) {
    WARD_TRY(const bool more, read.Step());
    if (!more) return tree;
    tree.Add(read.Blob(0));
  }
}

Status ChainFile::WriteTree(const Frontier& tree) {
  WARD_TRY(auto write, database_.Prepare("UPDATE chain SET tree = ? WHERE one = 1"));
  return write.BindBlob(1, tree.ToBytes()).Run();
}

Result<std::optional<std::int64_t>> ChainFile::FirstOccurredAt() {
  WARD_TRY(auto read,
           database_.Prepare("SELECT occurred_at FROM record ORDER BY sequence LIMIT 1"));
  WARD_TRY(const bool found, read.Step());
  return found ? std::optional(read.Int(0)) : std::nullopt;
}

}  // namespace schemaward::audit
