#pragma once

// Refresher: keeps the index of served sources fresh in the background. A source is looked at when
// it is used, never before; what it costs a call is bounded by RefreshOptions::name_wait.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/call_context.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "connect/connector.h"
#include "index/run.h"
#include "store/store.h"

namespace schemaward::index {

/// Opens a session with a source, its secret resolved. Errors: MissingCredential, as Connector.
/// Thread: any, several at once.
using OpenSource =
    std::function<Result<std::unique_ptr<connect::Connector>>(const store::Source&, CallContext&)>;

struct RefreshOptions {
  bool enabled = true;  ///< --refresh off: false; a first index is built all the same
  std::chrono::milliseconds check_every{60'000};   ///< while the source is used
  std::chrono::milliseconds name_wait{250};        ///< a call with an unknown name waits so long
  std::int64_t name_burst = 20;                    ///< checks for names at once, and then
  std::chrono::milliseconds name_refill{250};      ///< one more in each of these
  std::chrono::milliseconds backoff_first{1'000};  ///< after a failure; doubled after each more
  std::chrono::milliseconds backoff_max{300'000};
  std::chrono::milliseconds run_time_max{600'000};  ///< a check and its re-index together
};

/// What there is to be done for a source.
enum class Job : std::uint8_t {
  Check,  ///< compare the fingerprint; index where it is another
  Build   ///< index
};

/// Does a job and returns whether a new index was committed. Errors: UnknownSource where the source
/// was removed; as `open`, Connector::Fingerprint and Run. Thread: any.
Result<bool> DoJob(store::Store& store, const OpenSource& open, const RunOptions& run,
                   const store::Source& source, Job job, CallContext& ctx);

/// Has a job done elsewhere, as DoJob would do it; none where it is not, and the refresher does it
/// itself. Thread: any, several at once.
using DoElsewhere =
    std::function<std::optional<Result<bool>>(const store::Source&, Job, CallContext&)>;

enum class IndexState : std::uint8_t { NeverIndexed, Building, Ready };

/// How a source's index stands.
struct Freshness {
  IndexState state = IndexState::NeverIndexed;
  bool working = false;             ///< a check or a re-index is under way
  Progress progress;                ///< of the re-index, in tables
  bool changed = false;             ///< a new index was committed during this call: look again
  std::optional<Error> last_error;  ///< of the last check or re-index, until one succeeds
};

/// Thread: any. Lifetime: the store, the clock and what `open` refers to outlive it. Destruction
/// asks running work to stop and waits for it; connectors obey their stop token soon.
class Refresher {
 public:
  Refresher(store::Store& store, const Clock& clock, OpenSource open, RunOptions run,
            RefreshOptions options, DoElsewhere elsewhere = {});
  ~Refresher();
  Refresher(const Refresher&) = delete;
  Refresher& operator=(const Refresher&) = delete;

  /// Builds the first index of a source in the background; nothing when it has one, or when it is
  /// being built.
  void Start(const store::Source& source);

  /// Says how the index stands; first use, and then every check_every, it has the source's
  /// fingerprint compared in the background. A source that was never indexed is built. Does not
  /// wait.
  Freshness EnsureFresh(const store::Source& source);

  /// Before an unknown_name of `name`: has the fingerprint compared and waits up to name_wait for
  /// it and for the re-index it causes. Many names in a row cause only some checks, so that typos
  /// do not hammer the source. No name is passed over for having been asked before: it may be there
  /// now.
  Freshness EnsureFreshForName(const store::Source& source, std::string_view name);

  /// How the index stands, without causing anything.
  Freshness StateOf(const store::Source& source) const;

  /// Waits until nothing is under way; false when it still is after `at_most`.
  bool WaitUntilIdle(std::chrono::milliseconds at_most);

 private:
  struct Entry;

  Entry& EntryOf(const store::Source& source) REQUIRES(mutex_);
  bool MayWork(const Entry& entry) const REQUIRES(mutex_);
  bool AnyWorking() const REQUIRES(mutex_);
  void WaitFor(const Entry& entry, std::chrono::steady_clock::time_point until) REQUIRES(mutex_);
  bool TakeNameCheck(Entry& entry) const REQUIRES(mutex_);
  void Launch(Entry& entry, const store::Source& source, Job job) REQUIRES(mutex_);
  Freshness Describe(const Entry* entry, const store::Source& source) const REQUIRES(mutex_);
  Result<bool> Work(Entry& entry, const store::Source& source, Job job,
                    const std::stop_token& stop);
  void Finish(Entry& entry, const Result<bool>& outcome);

  store::Store& store_;
  const Clock& clock_;
  const OpenSource open_;
  const RunOptions run_;
  const RefreshOptions options_;
  const DoElsewhere elsewhere_;  ///< may be empty
  mutable Mutex mutex_;
  CondVar idle_;
  /// By source id; entries stay, so that references to them do.
  std::map<std::int64_t, std::unique_ptr<Entry>> entries_ GUARDED_BY(mutex_);
};

/// The error of a call that needs an index which is not there yet: IndexBuilding with progress and
/// a time to wait, IndexNotReady, or what kept it from being built (MissingCredential, ...).
Error NotReady(std::string_view source_name, const Freshness& freshness);

}  // namespace schemaward::index
