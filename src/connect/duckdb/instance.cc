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
std::int64_t NsOf(const timespec& time) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  return time.tv_sec * kNsPerSecond + time.tv_nsec;
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
  std::shared_ptr<Instance> instance(new Instance(std::move(library), path));
  WARD_TRY(instance->file_, StateOf(path));
  WARD_TRY(Opened opened, Opened::Open(instance->api(), path, Joins::Planned));
  instance->planned_.emplace(std::move(opened));
  return instance;
}

Result<Owned<Connection>> Instance::Connect(Joins joins) {
  if (joins == Joins::Planned) return planned_->Connect();
  MutexLock lock(mutex_);
  if (!as_written_) {
    auto opened = OpenAgain();
    // Its opening gave the process's lock on the file up for a moment, or for good.
    if (!opened) {
      MarkBroken();
      return std::move(opened).error();
    }
    as_written_.emplace(*std::move(opened));
  }
  return as_written_->Connect();
}

Result<Opened> Instance::OpenAgain() const {
  WARD_TRY(Opened opened, Opened::Open(api(), path_, Joins::AsWritten));
  WARD_TRY(const FileState now, StateOf(path_));
  if (now == file_) return opened;
  return std::move(Error(ErrorKind::SourceUnreachable, "the database file was written meanwhile")
                       .Hint("Send the call again."));
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
