#pragma once

// A database file held open, and the list of those that are. DuckDB's lock on a file is shared
// while it is open for reading and keeps writers out, so a file is open only while calls use it and
// for a moment after, so that a burst of calls opens it once.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"
#include "connect/duckdb/library.h"
#include "connect/duckdb/opened.h"

namespace schemaward::connect::duckdb {

/// An idle file is closed after this time, so that it is free within a second.
inline constexpr std::chrono::milliseconds kIdleMax{500};
/// How long a file that another process writes is waited for.
inline constexpr std::chrono::milliseconds kLockWaitMax{1'000};

/// What tells one state of a file from another.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t log_bytes = -1;  ///< of the write-ahead log; -1: there is none
  std::int64_t log_modified_ns = 0;
  bool operator==(const FileState&) const = default;
};

/// Returns the path with its links followed, which is what is opened. Errors: InputUnreadable for a
/// location that is no file (":memory:", a folder); SourceUnreachable when nothing is there;
/// PermissionDenied when it may not be read.
Result<std::string> RealPath(const std::string& location);

/// Returns the state of the file at `path`. Errors: SourceUnreachable.
Result<FileState> StateOf(const std::string& path);

/// One open file. Thread: any.
class Instance {
 public:
  /// Errors: as Opened::Open; SourceUnreachable, InputUnreadable.
  static Result<std::shared_ptr<Instance>> Open(std::shared_ptr<const Library> library,
                                                const std::string& path);
  /// Makes a session of its own. The first that wants joins as they are written opens the file a
  /// second time, and both are closed together. Errors: SourceUnreachable, also where the file was
  /// written meanwhile.
  Result<Owned<Connection>> Connect(Joins joins) EXCLUDES(mutex_);

  const Api& api() const { return library_->api(); }
  const Library& library() const { return *library_; }
  const FileState& file() const { return file_; }
  /// Says that the engine gave the database up, or that the file is no more as it was; it is then
  /// opened anew.
  void MarkBroken() { is_broken_ = true; }
  bool IsBroken() const { return is_broken_; }
  /// Says that a call has ended, from which on the time of being idle counts.
  void MarkUsed() { used_at_ = std::chrono::steady_clock::now().time_since_epoch().count(); }

 private:
  friend class Instances;
  Instance(std::shared_ptr<const Library> library, std::string path)
      : library_(std::move(library)), path_(std::move(path)) {}
  Result<Opened> OpenAgain() const;

  const std::shared_ptr<const Library> library_;  // shared: outlives the list
  const std::string path_;
  FileState file_;
  std::optional<Opened> planned_;  // there from Open on
  Mutex mutex_;
  std::optional<Opened> as_written_ GUARDED_BY(mutex_);
  std::atomic<bool> is_broken_ = false;
  std::atomic<std::chrono::steady_clock::rep> used_at_ = 0;
};

/// The use of an open file by one call.
class Lease {
 public:
  explicit Lease(std::shared_ptr<Instance> instance) : instance_(std::move(instance)) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();
  Instance& operator*() const { return *instance_; }
  Instance* operator->() const { return instance_.get(); }

 private:
  friend class Instances;
  std::shared_ptr<Instance> instance_;  // shared: with the list
};

/// The open files of an engine. A file has one Instance at most: its lock belongs to the process,
/// and closing one of two would give up the other's. Thread: any. Real time is used throughout,
/// since other processes wait for the files.
class Instances {
 public:
  Instances() = default;
  ~Instances();
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;

  /// Lends the file at `path`, opening it where need be, and anew where it was replaced. Waits up
  /// to kLockWaitMax for a writer. Errors: as Instance::Open; Cancelled, DeadlineExceeded.
  Result<Lease> Acquire(const std::shared_ptr<const Library>& library, const std::string& path,
                        CallContext& ctx);
  /// Returns the fingerprint that was kept of this very state of the file, or none. What notices
  /// change need not open the file then, and no writer has to wait for it.
  std::optional<std::string> KeptFingerprint(const std::string& path, const FileState& now) const;
  /// Keeps it, unless the file was written so lately that another write could leave the same times.
  void KeepFingerprint(const std::string& path, const FileState& now, std::string fingerprint);
  /// Closes what no call uses, without waiting for kIdleMax.
  void CloseIdle();
  std::size_t open_count() const;

 private:
  Result<Lease> OpenWithin(const std::shared_ptr<const Library>& library, const std::string& path,
                           CallContext& ctx);
  void Sweep(const std::stop_token& quit);
  void Close(std::chrono::milliseconds idle_min);

  mutable Mutex mutex_;
  CondVar changed_;
  std::map<std::string, std::shared_ptr<Instance>> open_ GUARDED_BY(mutex_);
  struct Kept {
    FileState file;
    std::string fingerprint;
  };
  std::map<std::string, Kept> kept_ GUARDED_BY(mutex_);  // at most kKeptMax
  std::set<std::string> opening_ GUARDED_BY(mutex_);     // paths that a call is opening
  std::jthread sweeper_ GUARDED_BY(mutex_);              // runs from the first file on
};

}  // namespace schemaward::connect::duckdb
