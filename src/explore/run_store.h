#pragma once

// Runs as records: an SQLite file beside the store, so that a run that writes a step each second
// never waits for an index that is written. Several processes may hold it.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "explore/run_record.h"
#include "sqlite/sqlite.h"

namespace schemaward::explore {

/// Thread: any; calls take turns. Errors of every call: StoreLocked, StoreUnusable, DiskFull.
/// Lifetime: the clock outlives it.
class RunStore {
 public:
  static constexpr std::size_t kListMax = 1'000;

  /// Returns the runs kept in the file at `path`, which is made (0600) at the first Create.
  /// `kept_max`: the most runs that stay.
  RunStore(std::string path, const Clock& clock, std::int64_t kept_max = kRunsKeptMax);

  /// Keeps a new run, as `running`; sets its times, and its id where it has none. This process is
  /// its owner where a model decides its steps. Of the runs that are over, those beyond the latest
  /// kept_max are forgotten.
  Status Create(RunRecord& run) EXCLUDES(mutex_);

  /// Nothing where there is no such run. One whose owner has died says `interrupted`.
  Result<std::optional<RunRecord>> Find(const std::string& id) EXCLUDES(mutex_);
  /// The latest first.
  Result<std::vector<RunRecord>> List(std::size_t limit) EXCLUDES(mutex_);
  /// In order. Errors: InputUnreadable.
  Result<std::vector<Step>> Steps(const std::string& id) EXCLUDES(mutex_);

  /// Keeps a step and charges its budgets in one transaction, if the run still stands where `run`
  /// says: the same attempt, as many steps, not cancelled, and calls left. Sets what of `run`
  /// follows. False: it does not, and nothing is kept.
  Result<bool> Append(RunRecord& run, const Step& step) EXCLUDES(mutex_);

  /// Keeps the members that have no column (counters, usage, prompts, summary, error), the most
  /// steps and the status, if the attempt is still this one; a cancelled run stays cancelled.
  /// False: it is another.
  Result<bool> Save(RunRecord& run) EXCLUDES(mutex_);

  /// Makes this process the owner of a run that is not completed and that nobody drives, as a new
  /// attempt. Errors: UnknownRun; InvalidArgument where it is completed, cancelled, driven by a
  /// living process or by an agent.
  Result<RunRecord> TakeOver(const std::string& id) EXCLUDES(mutex_);

  /// Keeps a verified claim, one JSON object, with its run. False: it has kClaimsMax already.
  Result<bool> AddClaim(const std::string& id, const std::string& claim) EXCLUDES(mutex_);
  /// Keeps a verified claim that the model of `run` ended it with and counts it in
  /// run.claims_checked, in one transaction: a run that is taken up again neither loses one nor
  /// keeps one twice. False: as AddClaim, or the run was taken over.
  Result<bool> AddEndingClaim(RunRecord& run, const std::string& claim) EXCLUDES(mutex_);
  /// In the order in which they were added.
  Result<std::vector<std::string>> Claims(const std::string& id) EXCLUDES(mutex_);

  /// Ends a run that is not over; whoever drives it finds out at its next step. False: there is no
  /// such run, or it is over.
  Result<bool> Cancel(const std::string& id) EXCLUDES(mutex_);

 private:
  Result<sqlite::Database*> Opened(bool create) REQUIRES(mutex_);
  Result<std::vector<RunRecord>> Read(std::string_view where, const std::string& value,
                                      std::size_t limit) REQUIRES(mutex_);

  Result<bool> InsertClaim(sqlite::Database& database, const std::string& id,
                           const std::string& claim) REQUIRES(mutex_);

  const std::string path_;
  const Clock& clock_;
  const std::int64_t kept_max_;
  Mutex mutex_;
  std::optional<sqlite::Database> database_ GUARDED_BY(mutex_);
};

/// The error of an id that means no run. Whoever knows the caller names what is near.
Error NoSuchRun(const std::string& id);

/// Where the runs of the store at `store_path` are kept.
std::string RunsPath(const std::string& store_path);

}  // namespace schemaward::explore
