#include "app/change_watch.h"

#include <algorithm>
#include <system_error>

#include "base/log.h"
#include "store/definitions.h"
#include "store/reading.h"

namespace schemaward::app {

ChangeWatch::ChangeWatch(store::Store& store, std::vector<std::string> served, Tell tell,
                         std::chrono::milliseconds every, std::function<void()> also)
    : store_(store),
      served_(std::move(served)),
      tell_(std::move(tell)),
      every_(every),
      also_(std::move(also)) {}

ChangeWatch::~ChangeWatch() { Stop(); }

void ChangeWatch::Begin() {
  const MutexLock lock(mutex_);
  if (has_begun_ || is_stopped_) return;
  has_begun_ = true;
  // Here and not in the thread: whoever begins to listen now hears of each change from now on.
  if (auto now = Read()) seen_ = *std::move(now);
  if (also_) also_();
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
      const auto until = std::chrono::steady_clock::now() + every_;
      const MutexLock lock(mutex_);
      while (!is_stopped_)
        if (stopped_.wait_until(mutex_, until) == std::cv_status::timeout) break;
      if (is_stopped_) return;
    }
    Look();
    if (also_) also_();
  }
}

// A store that cannot be read now is looked at again later.
void ChangeWatch::Look() {
  auto now = Read();
  if (!now) return;
  std::set<std::string> changed;
  for (const auto& [name, generations] : *now) {
    const auto before = seen_.find(name);
    if (before == seen_.end() || before->second != generations) changed.insert(name);
  }
  for (const auto& [name, generations] : seen_)
    if (!now->contains(name)) changed.insert(name);
  seen_ = *std::move(now);
  if (!changed.empty()) tell_(changed);
}

Result<std::map<std::string, ChangeWatch::Generations>> ChangeWatch::Read() const {
  const store::Reading one_state(store_);
  std::map<std::string, Generations> generations;
  WARD_TRY(const auto sources, store_.ListSources());
  for (const store::Source& source : sources) {
    if (!served_.empty() && std::find(served_.begin(), served_.end(), source.name) == served_.end())
      continue;
    WARD_TRY(const std::int64_t definitions, store::DefinitionGeneration(store_, source.id));
    generations[source.name] = {source.generation, definitions};
  }
  return generations;
}

}  // namespace schemaward::app
