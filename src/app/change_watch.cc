#include "app/change_watch.h"

#include <algorithm>
#include <system_error>

#include "base/log.h"
#include "store/definitions.h"
#include "store/reading.h"

namespace schemaward::app {

Result<Sight> LookAt(store::Store& store, const std::vector<std::string>& served) {
  const store::Reading one_state(store);
  Sight sight;
  WARD_TRY(sight.sources, store.ListSources());
  if (!served.empty())
    std::erase_if(sight.sources, [&](const store::Source& source) {
      return std::find(served.begin(), served.end(), source.name) == served.end();
    });
  for (const store::Source& source : sight.sources) {
    WARD_TRY(sight.definitions[source.id], store::DefinitionGeneration(store, source.id));
  }
  return sight;
}

ChangeWatch::ChangeWatch(Options options) : options_(std::move(options)), notices_(options_.tell) {}

ChangeWatch::~ChangeWatch() { Stop(); }

// Here and not in the thread: whoever begins to listen now hears of each change from now on.
void ChangeWatch::Begin() {
  const MutexLock lock(mutex_);
  if (is_stopped_) return;
  const Hearing hearing = options_.hearing();
  const bool for_changes = hearing.changes && !known_.changes;
  const bool for_log = hearing.log && !known_.log;
  if (!for_changes && !for_log) return;
  const Result<Sight> now = options_.look();
  if (for_changes && now) seen_ = GenerationsOf(*now);
  if (for_log) notices_.Begin(HealthBy(now));
  known_.changes |= for_changes;
  known_.log |= for_log;
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error& e) {
    log::Write(log::Level::Error, "", "thread_not_started", e.what());
  }
}

void ChangeWatch::Stop() {
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ChangeWatch::Run() {
  while (true) {
    {
      const auto until = std::chrono::steady_clock::now() + options_.every;
      const MutexLock lock(mutex_);
      while (!is_stopped_)
        if (stopped_.wait_until(mutex_, until) == std::cv_status::timeout) break;
      if (is_stopped_) return;
    }
    Look();
  }
}

// Who begins to listen is counted before it calls Begin: it is either seen here, or finds there
// that nothing is known.
void ChangeWatch::Look() {
  Hearing hearing;
  {
    const MutexLock lock(mutex_);
    hearing = options_.hearing();
    hearing = known_ = {known_.changes && hearing.changes, known_.log && hearing.log};
  }
  if (!hearing.changes && !hearing.log) return;
  const Result<Sight> now = options_.look();
  if (hearing.changes && now) TellChanges(*now);  // one that cannot be read is looked at again
  if (hearing.log) notices_.Look(HealthBy(now));
}

void ChangeWatch::TellChanges(const Sight& sight) {
  auto now = GenerationsOf(sight);
  std::set<std::string> changed;
  for (const auto& [name, generations] : now) {
    const auto before = seen_.find(name);
    if (before == seen_.end() || before->second != generations) changed.insert(name);
  }
  for (const auto& [name, generations] : seen_)
    if (!now.contains(name)) changed.insert(name);
  seen_ = std::move(now);
  if (!changed.empty()) options_.changed(changed);
}

std::map<std::string, ChangeWatch::Generations> ChangeWatch::GenerationsOf(const Sight& sight) {
  std::map<std::string, Generations> generations;
  for (const store::Source& source : sight.sources)
    generations[source.name] = {source.generation, sight.definitions.at(source.id)};
  return generations;
}

Health ChangeWatch::HealthBy(const Result<Sight>& sight) const {
  return options_.health(sight ? &sight->sources : nullptr);
}

}  // namespace schemaward::app
