#include "index/refresher.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"

namespace schemaward::index {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::int64_t kRetryFirstMs = 500;  // while nothing is known of the progress
constexpr std::int64_t kRetryMaxMs = 5'000;

}  // namespace

/// All of one source. Guarded by the refresher's mutex, but for the thread's own work.
struct Refresher::Entry {
  bool working = false;
  Progress progress;
  std::int64_t commits = 0;  // re-indexes that were committed here
  std::optional<Error> last_error;
  std::optional<steady_clock::time_point> last_check;
  std::optional<steady_clock::time_point> not_before;  // after a failure
  milliseconds backoff{0};
  std::int64_t name_checks_left = 0;
  std::optional<steady_clock::time_point> refilled_at;
  std::jthread thread;  // of the work under way, or ended
};

Refresher::Refresher(store::Store& store, const Clock& clock, OpenSource open, RunOptions run,
                     RefreshOptions options, DoElsewhere elsewhere)
    : store_(store),
      clock_(clock),
      open_(std::move(open)),
      run_(std::move(run)),
      options_(options),
      elsewhere_(std::move(elsewhere)) {}

Refresher::~Refresher() {
  std::map<std::int64_t, std::unique_ptr<Entry>> entries;
  {
    const MutexLock lock(mutex_);
    entries.swap(entries_);
  }
  for (auto& [id, entry] : entries) entry->thread.request_stop();
  for (auto& [id, entry] : entries)
    if (entry->thread.joinable()) entry->thread.join();
}

Refresher::Entry& Refresher::EntryOf(const store::Source& source) {
  auto& entry = entries_[source.id];
  if (!entry) entry = std::make_unique<Entry>();
  return *entry;
}

bool Refresher::MayWork(const Entry& entry) const {
  return !entry.working && (!entry.not_before || clock_.Now() >= *entry.not_before);
}

void Refresher::Launch(Entry& entry, const store::Source& source, Job job) {
  // The last work is over: it said so under the mutex, so this join does not wait for it.
  if (entry.thread.joinable()) entry.thread.join();
  entry.thread = std::jthread([this, &entry, source, job](const std::stop_token& stop) {
    Finish(entry, Work(entry, source, job, stop));  // takes the mutex, so not before us
  });
  entry.working = true;
  entry.progress = {};
  entry.last_check = clock_.Now();
}

void Refresher::Start(const store::Source& source) {
  const MutexLock lock(mutex_);
  Entry& entry = EntryOf(source);
  if (source.generation == 0 && entry.commits == 0 && MayWork(entry))
    Launch(entry, source, Job::Build);
}

Freshness Refresher::EnsureFresh(const store::Source& source) {
  const MutexLock lock(mutex_);
  Entry& entry = EntryOf(source);
  const bool never_indexed = source.generation == 0 && entry.commits == 0;
  if (MayWork(entry)) {
    const bool due = !entry.last_check || clock_.Now() - *entry.last_check >= options_.check_every;
    if (never_indexed) {
      Launch(entry, source, Job::Build);
    } else if (options_.enabled && (due || entry.last_error)) {
      Launch(entry, source, Job::Check);
    }
  }
  return Describe(&entry, source);
}

bool Refresher::TakeNameCheck(Entry& entry) const {
  const auto now = clock_.Now();
  if (!entry.refilled_at) {
    entry.name_checks_left = options_.name_burst;
    entry.refilled_at = now;
  }
  const auto refills = (now - *entry.refilled_at) / options_.name_refill;
  entry.name_checks_left = std::min(options_.name_burst, entry.name_checks_left + refills);
  *entry.refilled_at += refills * options_.name_refill;
  if (entry.name_checks_left == 0) return false;
  --entry.name_checks_left;
  return true;
}

void Refresher::WaitFor(const Entry& entry, steady_clock::time_point until) {
  while (entry.working)
    if (idle_.wait_until(mutex_, until) == std::cv_status::timeout) return;
}

Freshness Refresher::EnsureFreshForName(const store::Source& source, std::string_view name) {
  log::Write(log::Level::Debug, "refresh", "name_not_found",
             fmt::format("source={} name={}", source.name, name));
  const MutexLock lock(mutex_);
  Entry& entry = EntryOf(source);
  const std::int64_t commits_before = entry.commits;
  const bool never_indexed = source.generation == 0 && entry.commits == 0;
  const auto until = steady_clock::now() + options_.name_wait;
  // A check that is under way may have asked before the name was there; its answer is not ours.
  WaitFor(entry, until);
  if (options_.enabled && !never_indexed && MayWork(entry) && TakeNameCheck(entry)) {
    Launch(entry, source, Job::Check);
    WaitFor(entry, until);
  }
  Freshness freshness = Describe(&entry, source);
  freshness.changed = entry.commits != commits_before;
  return freshness;
}

Freshness Refresher::StateOf(const store::Source& source) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(source.id);
  return Describe(found == entries_.end() ? nullptr : found->second.get(), source);
}

Freshness Refresher::Describe(const Entry* entry, const store::Source& source) const {
  Freshness freshness;
  const bool indexed = source.generation > 0 || (entry != nullptr && entry->commits > 0);
  if (indexed) freshness.state = IndexState::Ready;
  if (entry == nullptr) return freshness;
  // After a failure only a source that answers is being indexed: what it failed of stays the word.
  const bool has_begun = entry->working && (!entry->last_error || entry->progress.total > 0);
  if (!indexed && has_begun) freshness.state = IndexState::Building;
  freshness.working = entry->working;
  freshness.progress = entry->progress;
  freshness.last_error = entry->last_error;
  return freshness;
}

bool Refresher::WaitUntilIdle(milliseconds at_most) {
  const MutexLock lock(mutex_);
  const auto until = steady_clock::now() + at_most;
  while (AnyWorking())
    if (idle_.wait_until(mutex_, until) == std::cv_status::timeout) return !AnyWorking();
  return true;
}

bool Refresher::AnyWorking() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& item) { return item.second->working; });
}

Result<bool> Refresher::Work(Entry& entry, const store::Source& source, Job job,
                             const std::stop_token& stop) {
  CallContext ctx(clock_);
  ctx.request_id = "refresh";
  ctx.stop = stop;
  ctx.deadline = Deadline::After(clock_, options_.run_time_max);
  ctx.progress = [this, &entry](const Progress& progress) {
    const MutexLock lock(mutex_);
    entry.progress = progress;
  };
  if (elsewhere_)
    if (auto done = elsewhere_(source, job, ctx)) return *std::move(done);
  return DoJob(store_, open_, run_, source, job, ctx);
}

Result<bool> DoJob(store::Store& store, const OpenSource& open, const RunOptions& run,
                   const store::Source& source, Job job, CallContext& ctx) {
  WARD_TRY(const auto connector, open(source, ctx));
  if (job == Job::Check) {
    WARD_TRY(const std::string fingerprint, connector->Fingerprint(ctx));
    // The store is asked again: another process may have indexed what this one has just noticed.
    WARD_TRY(const auto now, store.FindSource(source.name));
    if (!now || now->id != source.id)
      return Error(ErrorKind::UnknownSource, "the source was removed from the store");
    if (now->generation > 0 && now->fingerprint == fingerprint) {
      if (run.when_unchanged) run.when_unchanged(*now, *connector, ctx);
      return false;
    }
  }
  WARD_TRY(const Summary summary, Run(*connector, store, source, run, ctx));
  log::Write(log::Level::Info, ctx.request_id, "indexed",
             fmt::format("source={} generation={} added={} changed={} removed={} missing={}",
                         source.name, summary.generation, summary.added, summary.changed,
                         summary.removed, summary.missing.size()));
  return true;
}

void Refresher::Finish(Entry& entry, const Result<bool>& outcome) {
  if (!outcome)
    log::Write(log::Level::Warn, "refresh", "refresh_failed", outcome.error().ToLogText());
  const MutexLock lock(mutex_);
  entry.working = false;
  if (outcome) {
    entry.last_error.reset();
    entry.not_before.reset();
    entry.backoff = milliseconds(0);
    if (*outcome) ++entry.commits;
  } else {
    entry.last_error = outcome.error();
    entry.backoff = std::clamp(entry.backoff * 2, options_.backoff_first, options_.backoff_max);
    entry.not_before = clock_.Now() + entry.backoff;
  }
  idle_.notify_all();
}

Error NotReady(std::string_view source_name, const Freshness& freshness) {
  if (freshness.state == IndexState::Building) {
    const Progress& progress = freshness.progress;
    const std::string how_far = progress.total > 0
                                    ? fmt::format("{} of {} tables", progress.done, progress.total)
                                    : std::string("reading the catalog");
    Error error(
        ErrorKind::IndexBuilding,
        fmt::format("the first index of source \"{}\" is being built: {}", source_name, how_far));
    return error.RetryAfter(kRetryFirstMs);
  }
  if (freshness.last_error) return *freshness.last_error;
  return Error(ErrorKind::IndexNotReady,
               fmt::format("source \"{}\" has not been indexed", source_name))
      .Hint("Run schemaward index for it, or name it to schemaward serve.")
      .RetryAfter(kRetryMaxMs);
}

}  // namespace schemaward::index
