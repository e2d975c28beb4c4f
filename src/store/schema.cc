#include "store/schema.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sqlite/sqlite.h"
#include "store/definition_schema.h"
#include "store/learned_schema.h"
#include "store/search_store.h"

namespace schemaward::store {
namespace {

constexpr std::size_t kInstanceKeyBytes = 32;
constexpr std::chrono::milliseconds kLockPause{10};
constexpr mode_t kFileMode = S_IRUSR | S_IWUSR;
constexpr mode_t kFolderMode = S_IRWXU;

// object is clustered by its place, so that lists and pages are one scan in order, and apart from
// its body, so that a scan reads names only. key_edge names its target instead of holding its id:
// a target that comes or goes later needs no second pass.
constexpr std::string_view kSchemaSql = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE source(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  engine TEXT NOT NULL,
  location TEXT NOT NULL,
  location_key TEXT NOT NULL UNIQUE,
  secret_ref TEXT NOT NULL,
  database TEXT NOT NULL DEFAULT '',
  engine_version TEXT NOT NULL DEFAULT '',
  fingerprint TEXT NOT NULL DEFAULT '',
  generation INTEGER NOT NULL DEFAULT 0,
  indexed_at_us INTEGER NOT NULL DEFAULT 0,
  table_count INTEGER NOT NULL DEFAULT 0,
  view_count INTEGER NOT NULL DEFAULT 0,
  document_version INTEGER NOT NULL DEFAULT 0,
  missing BLOB NOT NULL DEFAULT x'',
  schemas BLOB NOT NULL DEFAULT x'');
CREATE TABLE schema_count(
  source_id INTEGER NOT NULL, schema TEXT NOT NULL, tables INTEGER NOT NULL, views INTEGER NOT NULL,
  PRIMARY KEY(source_id, schema)) WITHOUT ROWID;
CREATE TABLE object(
  source_id INTEGER NOT NULL,
  schema TEXT NOT NULL,
  name TEXT NOT NULL,
  id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  shape_hash INTEGER NOT NULL,
  content_hash INTEGER NOT NULL,
  schema_key TEXT NOT NULL,
  name_key TEXT NOT NULL,
  PRIMARY KEY(source_id, schema, name)) WITHOUT ROWID;
CREATE UNIQUE INDEX object_id ON object(id);
CREATE INDEX object_name ON object(name_key, schema_key, source_id);
CREATE TABLE object_body(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE key_edge(
  from_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  source_id INTEGER NOT NULL,
  target_schema_key TEXT NOT NULL,
  target_name_key TEXT NOT NULL,
  key BLOB NOT NULL,
  PRIMARY KEY(from_id, ordinal)) WITHOUT ROWID;
CREATE INDEX key_edge_target ON key_edge(target_name_key, target_schema_key, source_id);
CREATE TABLE sample(
  object_id INTEGER NOT NULL, column_name TEXT NOT NULL, ordinal INTEGER NOT NULL, value TEXT,
  PRIMARY KEY(object_id, column_name, ordinal)) WITHOUT ROWID;
)";

constexpr std::string_view kSchemasOfSourceSql =
    "ALTER TABLE source ADD COLUMN schemas BLOB NOT NULL DEFAULT x''";

constexpr std::array<Migration, 5> kMigrations = {{{1, kDefinitionSchemaSql},
                                                   {2, kMinedSchemaSql},
                                                   {3, kDraftSchemaSql},
                                                   {4, kLearnedSchemaSql},
                                                   {5, kSchemasOfSourceSql}}};

Error SystemError(std::string_view message, const std::string& path, int code) {
  const bool is_full = code == ENOSPC;
  return std::move(
      Error(is_full ? ErrorKind::DiskFull : ErrorKind::StoreUnusable, message)
          .Hint(is_full ? "Free some space on its disk, or name a store on another by --store."
                        : "Name a store by --store, in a folder that this user may write to.")
          .Private(fmt::format("{}: {}", path, std::generic_category().message(code))));
}

Status CreateFolder(const std::filesystem::path& folder) {
  if (folder.empty()) return Ok();
  std::error_code code;
  if (std::filesystem::exists(folder, code)) return Ok();
  WARD_CHECK(CreateFolder(folder.parent_path()));
  if (::mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST)
    return SystemError("the store's folder could not be created", folder.string(), errno);
  return Ok();
}

Status CreateEmpty(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, kFileMode);
  if (file < 0) return SystemError("the store's file could not be created", path, errno);
  ::close(file);
  return Ok();
}

// The file is made before SQLite sees it, so that it and its -wal and -shm are the owner's alone.
Status CreateFile(const std::string& path, const StoreOptions& options) {
  std::error_code code;
  if (std::filesystem::exists(path, code)) return Ok();
  if (!options.create) {
    return Error(ErrorKind::StoreUnusable, "there is no store yet")
        .Hint("Run schemaward index SOURCE, which creates it.")
        .Private(path);
  }
  WARD_CHECK(CreateFolder(std::filesystem::path(path).parent_path()));
  return CreateEmpty(path, 0);
}

// Switching to WAL does not wait for others by SQLite's busy handler, so it is repeated here.
Status SwitchToWal(sqlite::Database& database, int busy_timeout_ms) {
  const auto tries = std::max<std::int64_t>(1, busy_timeout_ms / kLockPause.count());
  for (std::int64_t i = 0;; ++i) {
    const Status done = database.Execute("PRAGMA journal_mode=WAL");
    if (done || done.error().kind() != ErrorKind::StoreLocked || i >= tries) return done;
    std::this_thread::sleep_for(kLockPause);
  }
}

Result<int> ReadNumber(sqlite::Database& database, std::string_view sql) {
  WARD_TRY(auto statement, database.Prepare(sql));
  WARD_TRY(const bool found, statement.Step());
  return found ? static_cast<int>(statement.Int(0)) : 0;
}

Status CreateTables(sqlite::Database& database) {
  std::string key(kInstanceKeyBytes, '\0');
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size()))
    return Error(ErrorKind::StoreUnusable, "the system gave no random bytes")
        .Private(std::generic_category().message(errno));
  WARD_CHECK(database.Execute(kSchemaSql));
  WARD_CHECK(database.Execute(kSearchSchemaSql));
  WARD_CHECK(database.Execute(kDefinitionSchemaSql));
  WARD_CHECK(database.Execute(kMinedSchemaSql));
  WARD_CHECK(database.Execute(kDraftSchemaSql));
  WARD_CHECK(database.Execute(kLearnedSchemaSql));
  WARD_TRY(auto insert, database.Prepare("INSERT INTO meta(key, value) VALUES(?, ?)"));
  WARD_CHECK(insert.Bind(1, std::string_view("instance_key")).BindBlob(2, key).Run());
  return database.Execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}",
                                      kApplicationId, kSchemaVersion));
}

// An unfinished backup never stands under the final name. VACUUM INTO takes an empty file, so this
// one is made first and is the owner's alone.
Status Backup(sqlite::Database& database, const std::string& path, int version) {
  const std::string final_name = fmt::format("{}.bak-v{}", path, version);
  const std::string temporary = fmt::format("{}.{}", final_name, ::getpid());
  WARD_CHECK(CreateEmpty(temporary, O_TRUNC));
  WARD_TRY(auto vacuum, database.Prepare("VACUUM INTO ?"));
  WARD_CHECK(vacuum.Bind(1, std::string_view(temporary)).Run());
  if (std::rename(temporary.c_str(), final_name.c_str()) != 0)
    return SystemError("the store's backup could not be written", final_name, errno);
  return Ok();
}

const Migration* FindStep(std::span<const Migration> migrations, int from) {
  const auto step = std::find_if(migrations.begin(), migrations.end(),
                                 [&](const Migration& m) { return m.from == from; });
  return step == migrations.end() ? nullptr : &*step;
}

// The file is never changed to fit: what is in it may be wanted by the program that wrote it.
constexpr std::string_view kIndexAnew =
    "name another file with --store (or move this one away) and run `schemaward index SOURCE`: it "
    "makes the index anew, and this file stays as it is.";

Status CheckVersion(int version, std::span<const Migration> migrations, int target) {
  if (version > target)
    return Error(ErrorKind::StoreUnusable,
                 fmt::format("the store has schema version {}; this program reads up to {}",
                             version, target))
        .Hint(fmt::format("A newer schemaward wrote it: use that one, or {}", kIndexAnew));
  for (int from = version; from < target; ++from)
    if (FindStep(migrations, from) == nullptr)
      return Error(
                 ErrorKind::StoreUnusable,
                 fmt::format("the store has schema version {}, which this program no longer reads",
                             version))
          .Hint(fmt::format("An older schemaward wrote it: use that one, or {}", kIndexAnew));
  return Ok();
}

// Where a step's statement does not fit the tables, the file is of another version than it says.
Error DoesNotFit(int version, const Error& cause) {
  return Error(ErrorKind::StoreUnusable,
               fmt::format("the store says schema version {}, but its tables are of another",
                           version))
      .Detail("Nothing in it was changed.")
      .Hint(fmt::format("Put back the copy that you have of it, or {}", kIndexAnew))
      .Private(cause.private_detail());
}

Status ApplyMigrations(sqlite::Database& database, std::span<const Migration> migrations, int from,
                       int target) {
  for (int version = from; version < target; ++version) {
    const Status done = database.Execute(FindStep(migrations, version)->sql);
    if (!done && done.error().kind() == ErrorKind::SqlRuntime)
      return DoesNotFit(from, done.error());
    WARD_CHECK(done);
  }
  return database.Execute(fmt::format("PRAGMA user_version={}", target));
}

Status CheckOwner(sqlite::Database& database) {
  WARD_TRY(const int owner, ReadNumber(database, "PRAGMA application_id"));
  if (owner == kApplicationId) return Ok();
  return Error(ErrorKind::StoreUnusable, "the file is an SQLite database, but not a store")
      .Hint("Name another file with --store.");
}

// Everything is looked at again inside the transaction: another process may have been faster.
Status CreateOrMigrateNow(sqlite::Database& database, std::span<const Migration> migrations,
                          int target) {
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(database));
  WARD_TRY(const int version, ReadNumber(database, "PRAGMA user_version"));
  WARD_TRY(const int tables, ReadNumber(database, "SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) {
    WARD_CHECK(CreateTables(database));
  } else {
    WARD_CHECK(CheckVersion(version, migrations, target));
    if (version < target) WARD_CHECK(ApplyMigrations(database, migrations, version, target));
  }
  return transaction.Commit();
}

Status CreateOrMigrate(sqlite::Database& database, const std::string& path,
                       std::span<const Migration> migrations, int target) {
  WARD_TRY(const int seen, ReadNumber(database, "PRAGMA user_version"));
  WARD_TRY(const int tables, ReadNumber(database, "SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) return CreateOrMigrateNow(database, migrations, target);
  WARD_CHECK(CheckOwner(database));
  WARD_CHECK(CheckVersion(seen, migrations, target));
  if (seen == target) return Ok();
  WARD_CHECK(Backup(database, path, seen));
  return CreateOrMigrateNow(database, migrations, target);
}

}  // namespace

Status MigrateFile(const std::string& path, const StoreOptions& options,
                   std::span<const Migration> migrations, int target) {
  WARD_CHECK(CreateFile(path, options));
  WARD_TRY(auto database,
           sqlite::Database::Open(path, {.busy_timeout_ms = options.busy_timeout_ms}));
  // A file of somebody else's is left as it is, its journal mode too.
  WARD_TRY(const int tables, ReadNumber(database, "SELECT count(*) FROM sqlite_schema"));
  if (tables > 0) WARD_CHECK(CheckOwner(database));
  WARD_CHECK(SwitchToWal(database, options.busy_timeout_ms));
  return CreateOrMigrate(database, path, migrations, target);
}

Status PrepareFile(const std::string& path, const StoreOptions& options) {
  return MigrateFile(path, options, kMigrations, kSchemaVersion);
}

}  // namespace schemaward::store
