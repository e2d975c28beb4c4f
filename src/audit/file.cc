#include "audit/file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
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

Status Prepare(sqlite::Database& database) {
  WARD_CHECK(
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                       "PRAGMA journal_size_limit=1048576;"));
  WARD_TRY(sqlite::Transaction transaction, sqlite::Transaction::Begin(database));
  WARD_CHECK(database.Execute(SchemaSql()));
  return transaction.Commit();
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

Result<sqlite::Database> AuditFile::OpenDatabase() {
  WARD_CHECK(CreatePrivate(options_.path));
  WARD_TRY(auto database, sqlite::Database::Open(options_.path, {.busy_timeout_ms = kBusyTimeoutMs,
                                                                 .cache_kib = kCacheKib}));
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

Status AuditFile::OpenIfNeeded() {
  if (handle_ && WasReplaced()) {
    handle_.reset();
    replaced_ = true;
  }
  if (handle_) return Ok();
  WARD_TRY(auto database, OpenDatabase());
  WARD_TRY(auto read_head,
           database.Prepare("SELECT head_sequence, head_hash, mode FROM chain WHERE one = 1"));
  WARD_TRY(auto write_head,
           database.Prepare("UPDATE chain SET head_sequence = ?, head_hash = ?, mode = ?,"
                            " written = written + 1 WHERE one = 1"));
  WARD_TRY(auto insert, database.Prepare(InsertSql()));
  handle_ = std::make_unique<Handle>(
      Handle{std::move(database), std::move(read_head), std::move(write_head), std::move(insert)});
  inode_ = InodeOf(options_.path);
  return Ok();
}

// Deleting the file under a running writer must not send its records into the void.
bool AuditFile::WasReplaced() { return InodeOf(options_.path) != inode_; }

Status AuditFile::Append(const std::vector<Pending*>& batch) {
  WARD_CHECK(OpenIfNeeded());
  Head head;
  std::int64_t run = run_;
  WARD_CHECK(AppendInTransaction(batch, head, run));
  run_ = run;
  last_ = std::move(head);
  replaced_ = false;
  return Ok();
}

Status AuditFile::AppendInTransaction(const std::vector<Pending*>& batch, Head& head,
                                      std::int64_t& run) {
  WARD_TRY(sqlite::Transaction transaction, sqlite::Transaction::Begin(handle_->database));
  WARD_TRY(head, ReadHead());
  if (run == 0 || replaced_ || head.sequence < last_->sequence) {
    WARD_CHECK(InsertStart(head));
    run = head.sequence;
  }
  for (Pending* pending : batch) {
    pending->fields["run"] = run;
    if (pending->begin && *pending->begin != 0) pending->fields["begin_sequence"] = *pending->begin;
    WARD_CHECK(Insert(pending->fields, head));
    if (pending->own) *pending->own = head.sequence;
  }
  WARD_CHECK(WriteHead(head));
  return transaction.Commit();
}

Result<AuditFile::Head> AuditFile::ReadHead() {
  sqlite::Statement& read = handle_->read_head;
  WARD_TRY(const bool found, read.Step());
  if (!found) return Error(ErrorKind::StoreUnusable, "the audit file has no chain");
  Head head{read.Int(0), std::string(read.Blob(1)), std::string(read.Text(2))};
  read.Reset();
  return head;
}

Status AuditFile::WriteHead(const Head& head) {
  return handle_->write_head.Bind(1, head.sequence)
      .BindBlob(2, head.hash)
      .Bind(3, std::string_view(head.mode))
      .Run();
}

Status AuditFile::Insert(RecordFields& fields, Head& head) {
  fields["sequence"] = head.sequence + 1;
  fields["version"] = kRecordVersion;
  const Digest hash = HashOf(fields, head.hash, canonical_);
  sqlite::Statement& insert = handle_->insert;
  int index = 0;
  for (const ColumnSpec& column : Columns()) {
    const auto found = fields.find(column.name);
    ++index;
    if (column.name == "hash")
      insert.BindBlob(index, BytesOf(hash));
    else if (found == fields.end())
      insert.BindNull(index);
    else if (const auto* number = std::get_if<std::int64_t>(&found->second))
      insert.Bind(index, *number);
    else
      insert.Bind(index, std::string_view(std::get<std::string>(found->second)));
  }
  WARD_CHECK(insert.Run());
  ++head.sequence;
  head.hash = std::string(BytesOf(hash));
  return Ok();
}

Status AuditFile::InsertStart(Head& head) {
  RecordFields fields;
  fields["kind"] = "start";
  fields["occurred_at"] = options_.clock->UnixMicros();
  const StartInfo& start = options_.start;
  for (const auto& [name, value] :
       {std::pair<std::string_view, const std::string&>{"program_version", start.program_version},
        {"config_hash", start.config_hash},
        {"policy_hash", start.policy_hash},
        {"tools_hash", start.tools_hash},
        {"profile", start.profile}})
    if (!value.empty()) fields[name] = value;
  fields["mode"] = std::string(NameOf(options_.mode));
  if (std::string detail = StartDetail(head); !detail.empty()) fields["detail"] = std::move(detail);
  head.mode = NameOf(options_.mode);
  return Insert(fields, head);
}

std::string AuditFile::StartDetail(const Head& head) const {
  std::string detail;
  if (!head.mode.empty() && head.mode != NameOf(options_.mode))
    detail = fmt::format("mode changed from {} to {}", head.mode, NameOf(options_.mode));
  if (last_ && (replaced_ || head.sequence < last_->sequence))
    detail += fmt::format(
        "{}the file was {} while this process wrote it, which had written record {} with the hash "
        "{}",
        detail.empty() ? "" : "; ", replaced_ ? "replaced" : "cut", last_->sequence,
        ToHex(last_->hash));
  return detail;
}

Status AuditFile::RecordOff() {
  if (InodeOf(options_.path) == 0) return Ok();
  WARD_CHECK(OpenIfNeeded());
  WARD_TRY(sqlite::Transaction transaction, sqlite::Transaction::Begin(handle_->database));
  WARD_TRY(Head head, ReadHead());
  if (head.mode == NameOf(Mode::Off)) return Ok();
  WARD_CHECK(InsertStart(head));
  WARD_CHECK(WriteHead(head));
  return transaction.Commit();
}

}  // namespace schemaward::audit
