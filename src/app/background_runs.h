#pragma once

// Explorations behind the tools: the runs that are kept, and models that drive some of them in the
// background.

#include <atomic>
#include <chrono>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "app/application.h"
#include "app/runs.h"
#include "base/mutex.h"
#include "tool/invoke.h"
#include "tools/explorations.h"

namespace schemaward::app {

/// Thread: any. Its end stops the runs that it drives, which are then partial, and waits for them.
/// Lifetime: everything that it is given outlives it.
class BackgroundRuns final : public tools::Explorations {
 public:
  static constexpr std::size_t kRunsMax = 4;  ///< driven in the background at the same time
  /// Longest run that the model of a connected client decides: it lasts as long as its call.
  static constexpr std::chrono::minutes kClientRunMax{10};

  BackgroundRuns(const Application& application, const tools::Services& services, audit::Log& audit,
                 tool::InvokeOptions options);
  ~BackgroundRuns() override;
  BackgroundRuns(const BackgroundRuns&) = delete;
  BackgroundRuns& operator=(const BackgroundRuns&) = delete;

  explore::RunStore& runs() override { return runs_; }
  bool HasModel() const override { return !application_.config().Get("llm.model").empty(); }
  Result<tools::OpenSource> Open(const store::Source& source, CallContext& ctx) override;
  Result<explore::RunRecord> Start(const tools::RunWish& wish, const store::Source& source,
                                   CallContext& ctx) override;

 private:
  /// A run on its way.
  struct Driven {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> is_over;  // shared: the thread says it
  };

  const tool::Invoker& Inner() EXCLUDES(mutex_);
  /// The source as the caller of `ctx` may explore it; `meaning` as IndexWarehouse has it.
  std::unique_ptr<explore::Warehouse> OpenWith(std::shared_ptr<retrieve::Meaning> meaning,
                                               const store::Source& source, const CallContext& ctx);
  Status Drive(const explore::RunRecord& run, const MeteredModel& model,
               const store::Source& source, const Principal& principal) EXCLUDES(mutex_);
  Status MakeRoom() REQUIRES(mutex_);
  Result<explore::RunRecord> DriveByClient(explore::RunRecord run, const store::Source& source,
                                           CallContext& ctx);

  const Application& application_;
  const tools::Services& services_;
  audit::Log& audit_;
  const tool::InvokeOptions options_;
  explore::RunStore runs_;
  std::stop_source stop_;
  Mutex mutex_;
  // The queries of runs are calls, whatever sets are served: made at the first one.
  std::unique_ptr<tool::Registry> registry_ GUARDED_BY(mutex_);
  std::unique_ptr<tool::Invoker> invoker_ GUARDED_BY(mutex_);
  std::vector<Driven> driven_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::app
