#include "app/background_runs.h"

#include <utility>

#include <fmt/format.h>

#include "app/driving.h"
#include "base/log.h"
#include "explore/recorded_run.h"
#include "tools/tools.h"
#include "tools/warehouse.h"

namespace schemaward::app {

BackgroundRuns::BackgroundRuns(const Application& application, const tools::Services& services,
                               audit::Log& audit, tool::InvokeOptions options)
    : application_(application),
      services_(services),
      audit_(audit),
      options_(std::move(options)),
      runs_(explore::RunsPath(application.config().store_path()), application.clock()) {}

BackgroundRuns::~BackgroundRuns() {
  stop_.request_stop();
  std::vector<Driven> driven;
  {
    const MutexLock lock(mutex_);
    driven = std::move(driven_);
  }
  for (Driven& one : driven) one.thread.join();
}

const tool::Invoker& BackgroundRuns::Inner() {
  const MutexLock lock(mutex_);
  if (invoker_ == nullptr) {
    registry_ = std::make_unique<tool::Registry>(tools::All(services_),
                                                 std::vector<std::string>{"catalog", "sql"});
    invoker_ = std::make_unique<tool::Invoker>(*registry_, audit_, options_);
  }
  return *invoker_;
}

Result<std::unique_ptr<explore::Warehouse>> BackgroundRuns::Open(const store::Source& source,
                                                                 const CallContext& ctx) {
  return std::unique_ptr<explore::Warehouse>(
      std::make_unique<tools::IndexWarehouse>(services_.For(ctx), Inner(), source));
}

Status BackgroundRuns::MakeRoom() {
  std::erase_if(driven_, [](Driven& one) {
    if (!*one.is_over) return false;
    one.thread.join();
    return true;
  });
  if (driven_.size() < kRunsMax) return Ok();
  return Error(ErrorKind::PoolFull,
               fmt::format("{} explorations run, as many as may at the same time", kRunsMax));
}

Result<explore::RunRecord> BackgroundRuns::Start(const tools::RunWish& wish,
                                                 const store::Source& source,
                                                 const CallContext& ctx) {
  // A caller from elsewhere names packs, and no folders of this machine.
  if (wish.pack.find('/') != std::string::npos)
    return Error(ErrorKind::InvalidArgument, "a domain pack is named here, not its folder");
  WARD_TRY(explore::RunRecord run, NewRun(application_.config(), wish, source, ctx));
  if (run.driver == explore::Driver::Agent) {
    WARD_CHECK(runs_.Create(run));
    return run;
  }
  WARD_TRY(const MeteredModel model, ModelOf(application_.config(), run));
  WARD_CHECK(runs_.Create(run));
  if (const Status begun = Drive(run, model, source, ctx.principal); !begun) {
    WARD_CHECK(runs_.Cancel(run.id));
    return begun.error();
  }
  return run;
}

Status BackgroundRuns::Drive(const explore::RunRecord& run, const MeteredModel& model,
                             const store::Source& source, const Principal& principal) {
  auto is_over = std::make_shared<std::atomic<bool>>(false);
  WARD_TRY(const explore::DriveOptions options, DriveOptionsOf(application_, run, model));
  const auto drive = [this, run, model, source, principal, is_over, options] {
    CallContext ctx(application_.clock());
    ctx.request_id = run.id;
    ctx.principal = principal;
    ctx.stop = stop_.get_token();
    const auto warehouse = Open(source, ctx);
    const auto ended = explore::Drive(runs_, run, **warehouse, *model.llm, options, ctx);
    if (!ended) log::Write(log::Level::Error, run.id, "exploration", ended.error().ToLogText());
    *is_over = true;
  };
  const MutexLock lock(mutex_);
  WARD_CHECK(MakeRoom());
  driven_.push_back({std::thread(drive), is_over});
  return Ok();
}

}  // namespace schemaward::app
