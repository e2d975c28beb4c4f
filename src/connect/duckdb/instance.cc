#include "connect/duckdb/instance.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "connect/duckdb/cells.h"
#include "connect/duckdb/errors.h"

namespace schemaward::connect::duckdb {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kSweepEvery{100};
constexpr milliseconds kLockPause{50};
constexpr std::int64_t kSettledNs = 2'000'000'000;
constexpr std::size_t kKeptMax = 1'000;
constexpr char kMemoryMax[] = "1GB";
constexpr unsigned kThreadsMax = 4;
constexpr char kAttachedName[] = "ward_source";

struct Setting {
  const char* name;
  const char* value;
};
// Before the file is opened. Nothing is fetched, and nothing loaded that the library does not
// bring.
constexpr std::array<Setting, 5> kSettings = {{{"autoinstall_known_extensions", "false"},
                                               {"autoload_known_extensions", "false"},
                                               {"allow_community_extensions", "false"},
                                               {"allow_persistent_secrets", "false"},
                                               {"memory_limit", kMemoryMax}}};

// After it, in this order: nothing is spilled to disk, instants are told in UTC, other files and
// the network are out of reach, and none of it can be taken back.
constexpr std::array<const char*, 5> kLocks = {
    "SET GLOBAL temp_directory = ''", "SET GLOBAL TimeZone = 'UTC'",
    "SET GLOBAL Calendar = 'gregorian'", "SET GLOBAL enable_external_access = false",
    "SET GLOBAL lock_configuration = true"};

// A schema that is named as the database makes "schema.table" ambiguous.
constexpr char kAmbiguous[] =
    "SELECT system.main.error('ambiguous') FROM system.main.duckdb_schemas() WHERE database_name = "
    "system.main.current_database() AND schema_name <> 'main' AND system.main.lower(schema_name) = "
    "system.main.lower(database_name) LIMIT 1";

// The engine's own schema and then the database's, main first. What is called is qualified, since
// macros of the database come first until the path is set; comparisons are no functions.
constexpr char kSearchPath[] = R"(
SELECT system.main.concat('system.main', system.main.string_agg(system.main.concat(
           ',"', system.main.replace(database_name, '"', '""'), '"."', system.main.replace(schema_name, '"', '""'), '"'),
           '' ORDER BY schema_name <> 'main', schema_name))
FROM system.main.duckdb_schemas()
WHERE database_name = system.main.current_database() AND (schema_name = 'main' OR NOT internal))";
constexpr char kNameDatabase[] = "SET VARIABLE ward_database = system.main.current_database()";

std::int64_t NsOf(const timespec& time) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

Status Run(const Api& api, Connection connection, const char* sql) {
  RawResult result{};
  const State state = api.query(connection, sql, &result);
  const char* text = state == State::Success ? nullptr : api.result_error(&result);
  const std::string kept = text == nullptr ? "" : text;
  api.destroy_result(&result);
  if (state == State::Success) return Ok();
  return MakeError(kept, During::Open);
}

// The one text that a statement gives.
Result<std::string> TextOf(const Api& api, Connection connection, const char* sql) {
  RawResult raw{};
  if (api.query(connection, sql, &raw) != State::Success) {
    const char* text = api.result_error(&raw);
    Error error = MakeError(text == nullptr ? "" : text, During::Open);
    api.destroy_result(&raw);
    return error;
  }
  std::string value;
  if (const Owned<Chunk> chunk(api.fetch_chunk(raw), api.destroy_data_chunk); chunk)
    value = std::get<std::string>(CellAt(api, {TypeId::Varchar, TypeId::Varchar, 0, "VARCHAR"},
                                         api.data_chunk_get_vector(chunk.get(), 0), 0));
  api.destroy_result(&raw);
  return value;
}

Owned<Config> MakeConfig(const Api& api, bool read_only) {
  Config raw = nullptr;
  if (api.create_config(&raw) != State::Success) return {};
  Owned<Config> config(raw, api.destroy_config);
  for (const Setting& setting : kSettings) api.set_config(raw, setting.name, setting.value);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  api.set_config(raw, "threads", std::to_string(std::min(cores, kThreadsMax)).c_str());
  if (read_only) api.set_config(raw, "access_mode", "READ_ONLY");
  return config;
}

std::string QuoteText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

steady_clock::rep Now() { return steady_clock::now().time_since_epoch().count(); }

}  // namespace

Result<std::string> RealPath(const std::string& location) {
  const fs::path path(location);
  if (location.empty() || path.filename().string().starts_with(":memory:"))
    return std::move(
        Error(ErrorKind::InputUnreadable, "a database in memory cannot be a source")
            .Detail("It would be empty: what another program keeps in memory cannot be reached.")
            .Hint("Give the path of a database file."));
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed == std::errc::permission_denied)
    return std::move(Error(ErrorKind::PermissionDenied, "the database file may not be read")
                         .Hint("Let this user enter the folders that it lies in.")
                         .Private(location));
  if (failed)
    return std::move(
        Error(ErrorKind::SourceUnreachable, "the database file is not there")
            .Hint("Check the path in SOURCE; a relative one starts in the current folder.")
            .Private(location));
  if (!fs::is_regular_file(real, failed))
    return std::move(Error(ErrorKind::InputUnreadable, "the source is not a file")
                         .Hint("Point SOURCE at the database file itself, not at a folder.")
                         .Private(location));
  if (::access(real.c_str(), R_OK) != 0)
    return std::move(Error(ErrorKind::PermissionDenied, "the database file may not be read")
                         .Hint("Let this user read it, or point SOURCE at a copy that it may read.")
                         .Private(location));
  return real.string();
}

Result<FileState> StateOf(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0)
    return std::move(
        Error(ErrorKind::SourceUnreachable, "the database file is not there").Private(path));
  FileState state{.device = file.st_dev,
                  .inode = file.st_ino,
                  .size_bytes = file.st_size,
                  .modified_ns = NsOf(file.st_mtim)};
  struct stat log {};
  if (::stat((path + ".wal").c_str(), &log) == 0) {
    state.log_bytes = log.st_size;
    state.log_modified_ns = NsOf(log.st_mtim);
  }
  return state;
}

Result<std::shared_ptr<Instance>> Instance::Open(std::shared_ptr<const Library> library,
                                                 const std::string& path) {
  std::shared_ptr<Instance> instance(new Instance(std::move(library)));
  WARD_TRY(instance->file_, StateOf(path));
  WARD_CHECK(instance->OpenFile(path));
  {
    WARD_TRY(const Owned<Connection> connection, instance->Connect());
    if (Run(instance->api(), connection.get(), kAmbiguous)) {
      WARD_CHECK(instance->Lock(connection.get()));
      WARD_CHECK(instance->LearnPath(connection.get()));
      return instance;
    }
  }
  instance->database_ = {};
  WARD_CHECK(instance->OpenBeside(path));
  WARD_TRY(const Owned<Connection> connection, instance->Connect());
  WARD_CHECK(instance->LearnPath(connection.get()));
  return instance;
}

Status Instance::OpenFile(const std::string& path) {
  const Owned<Config> config = MakeConfig(api(), true);
  Database raw = nullptr;
  char* text = nullptr;
  if (api().open_ext(path.c_str(), &raw, config.get(), &text) != State::Success) {
    Error error = MakeError(text == nullptr ? "" : text, During::Open);
    api().free(text);
    return error;
  }
  database_ = Owned<Database>(raw, api().close);
  return Ok();
}

// The file under a name of ours, read-only, beside an empty database in memory.
Status Instance::OpenBeside(const std::string& path) {
  const Owned<Config> config = MakeConfig(api(), false);
  Database raw = nullptr;
  char* text = nullptr;
  if (api().open_ext(":memory:", &raw, config.get(), &text) != State::Success) {
    Error error = MakeError(text == nullptr ? "" : text, During::Open);
    api().free(text);
    return error;
  }
  database_ = Owned<Database>(raw, api().close);
  WARD_TRY(const Owned<Connection> connection, Connect());
  const std::string attach =
      fmt::format("ATTACH {} AS {} (READ_ONLY)", QuoteText(path), kAttachedName);
  WARD_CHECK(Run(api(), connection.get(), attach.c_str()));
  WARD_CHECK(Lock(connection.get()));
  is_attached_ = true;
  return Ok();
}

Status Instance::Lock(Connection connection) {
  for (const char* sql : kLocks) {
    const Status done = Run(api(), connection, sql);
    // A library without the ICU extension has no zones to set; it tells instants in UTC.
    const bool may_fail = std::string_view(sql).find("enable_") == std::string_view::npos &&
                          std::string_view(sql).find("lock_") == std::string_view::npos;
    if (!done && !may_fail) return done;
  }
  return Ok();
}

Status Instance::LearnPath(Connection connection) {
  WARD_TRY(const std::string path, TextOf(api(), connection, kSearchPath));
  set_path_ = "SET search_path = " + QuoteText(path);
  return Ok();
}

Result<Owned<Connection>> Instance::Connect() const {
  Connection raw = nullptr;
  if (api().connect(database_.get(), &raw) != State::Success)
    return Error(ErrorKind::SourceUnreachable, "the engine could not make a session");
  Owned<Connection> connection(raw, api().disconnect);
  if (is_attached_) WARD_CHECK(Run(api(), raw, fmt::format("USE {}", kAttachedName).c_str()));
  if (set_path_.empty()) return connection;  // it is being opened
  WARD_CHECK(Run(api(), raw, kNameDatabase));
  WARD_CHECK(Run(api(), raw, set_path_.c_str()));
  return connection;
}

Lease::~Lease() {
  if (instance_ != nullptr) instance_->MarkUsed();
}

Instances::~Instances() {
  std::jthread sweeper;
  {
    MutexLock lock(mutex_);
    sweeper = std::move(sweeper_);
  }
  sweeper.request_stop();
  changed_.notify_all();
}

Result<Lease> Instances::Acquire(const std::shared_ptr<const Library>& library,
                                 const std::string& path, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(const FileState now, StateOf(path));
  {
    MutexLock lock(mutex_);
    while (opening_.contains(path)) {
      changed_.wait_for(mutex_, kLockPause);
      WARD_CHECK(ctx.Check());
    }
    const auto found = open_.find(path);
    if (found != open_.end() && !found->second->IsBroken() && found->second->file() == now)
      return Lease(found->second);
    opening_.insert(path);
  }
  auto lease = OpenWithin(library, path, ctx);
  {
    MutexLock lock(mutex_);
    opening_.erase(path);
    if (lease && !sweeper_.joinable())
      sweeper_ = std::jthread([this](const std::stop_token& quit) { Sweep(quit); });
  }
  changed_.notify_all();
  return lease;
}

Result<Lease> Instances::OpenWithin(const std::shared_ptr<const Library>& library,
                                    const std::string& path, CallContext& ctx) {
  const auto give_up = steady_clock::now() + kLockWaitMax;
  std::shared_ptr<Instance> stale;
  {
    MutexLock lock(mutex_);
    if (const auto found = open_.find(path); found != open_.end()) {
      stale = std::move(found->second);
      open_.erase(found);
    }
  }
  stale.reset();  // before the same file is opened again, where no call uses it any more
  while (true) {
    auto instance = Instance::Open(library, path);
    if (instance) {
      Lease lease(*instance);
      MutexLock lock(mutex_);
      open_[path] = std::move(*instance);
      return lease;
    }
    if (!IsLocked(instance.error().private_detail()) || steady_clock::now() >= give_up)
      return std::move(instance).error();
    MutexLock lock(mutex_);
    changed_.wait_for(mutex_, kLockPause);
    WARD_CHECK(ctx.Check());
  }
}

std::optional<std::string> Instances::KeptFingerprint(const std::string& path,
                                                      const FileState& now) const {
  MutexLock lock(mutex_);
  const auto found = kept_.find(path);
  if (found == kept_.end() || found->second.file != now) return std::nullopt;
  return found->second.fingerprint;
}

void Instances::KeepFingerprint(const std::string& path, const FileState& now,
                                std::string fingerprint) {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);  // the clock that files are stamped by
  const std::int64_t written = std::max(now.modified_ns, now.log_modified_ns);
  if (NsOf(time) - written < kSettledNs) return;
  MutexLock lock(mutex_);
  if (kept_.size() >= kKeptMax) kept_.clear();
  kept_[path] = {now, std::move(fingerprint)};
}

void Instances::CloseIdle() { Close(milliseconds(0)); }

std::size_t Instances::open_count() const {
  MutexLock lock(mutex_);
  return open_.size();
}

void Instances::Close(milliseconds idle_min) {
  std::vector<std::shared_ptr<Instance>> closed;  // closed outside of the lock
  MutexLock lock(mutex_);
  for (auto entry = open_.begin(); entry != open_.end();) {
    // The list's own is the only reference, and a new one is made under the lock only.
    const bool is_idle = entry->second.use_count() == 1 &&
                         Now() - entry->second->used_at_ >=
                             std::chrono::duration_cast<steady_clock::duration>(idle_min).count();
    if (is_idle) closed.push_back(std::move(entry->second));
    entry = is_idle ? open_.erase(entry) : std::next(entry);
  }
}

void Instances::Sweep(const std::stop_token& quit) {
  while (!quit.stop_requested()) {
    {
      MutexLock lock(mutex_);
      if (open_.empty())
        changed_.wait(mutex_, quit,
                      [this]() WARD_TS(no_thread_safety_analysis) { return !open_.empty(); });
      else
        changed_.wait_for(mutex_, quit, kSweepEvery, [] { return false; });
    }
    Close(kIdleMax);
  }
}

}  // namespace schemaward::connect::duckdb
