#include "app/background_runs.h"

#include <utility>

#include <fmt/format.h>

#include "app/driving.h"
#include "base/log.h"
#include "explore/recorded_run.h"
#include "llm/client.h"
#include "tools/tools.h"
#include "tools/warehouse.h"

namespace schemaward::app {
namespace {

constexpr const char* kClientModel = "client";  // in the record of a run that it decides

Error NoModel() {
  return Error(ErrorKind::InvalidArgument,
               "no model can decide this run: none is configured, and this client does not offer "
               "its own (sampling)")
      .Hint(
          "Make the suggested call: the steps of the run are then your own calls. Or set llm.model "
          "in the configuration, or use a client that offers sampling.");
}

// A run that ended in the middle of its call, since its client would not or could not go on, as
// the error of that call. What was kept of it is the next thing to read; of one without a step
// there is nothing.
Error EndedBy(const explore::RecordedRun& ended) {
  Error error = *ended.result.error;
  const explore::RunRecord& run = ended.record;
  if (run.steps == 0) return error;
  error.Detail(fmt::format("The run ended there and keeps its steps: {}.", run.steps));
  return std::move(error.Suggest("get_exploration", tools::RunArguments(run.id)));
}

}  // namespace

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

// Searches of an agent ask as everybody's do, but for being counted.
Result<tools::OpenSource> BackgroundRuns::Open(const store::Source& source, CallContext& ctx) {
  tools::OpenSource opened;
  std::shared_ptr<retrieve::Meaning> meaning;
  if (const retrieve::Meaning* all = services_.searcher.meaning(); all != nullptr) {
    auto embedder = EmbedderOf(application_, {});
    if (!embedder) {
      ctx.Warn("what the embedder costs is not counted: " + embedder.error().ToLogText());
    } else if (*embedder != nullptr) {
      meaning = std::make_shared<retrieve::Meaning>(*embedder, *all);
      opened.embedder_spent = [meter = *embedder] { return meter->spent(); };
    }
  }
  opened.warehouse = OpenWith(std::move(meaning), source, ctx);
  return opened;
}

std::unique_ptr<explore::Warehouse> BackgroundRuns::OpenWith(
    std::shared_ptr<retrieve::Meaning> meaning, const store::Source& source,
    const CallContext& ctx) {
  return std::make_unique<tools::IndexWarehouse>(services_.For(ctx), Inner(), source,
                                                 explore::SampleLimits{}, std::move(meaning));
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
                                                 const store::Source& source, CallContext& ctx) {
  // A caller from elsewhere names packs, and no folders of this machine.
  if (wish.pack.find('/') != std::string::npos)
    return Error(ErrorKind::InvalidArgument, "a domain pack is named here, not its folder");
  const bool is_clients = wish.driver == explore::Driver::Model && !HasModel();
  if (is_clients && ctx.ask_client == nullptr) return NoModel();
  WARD_TRY(explore::RunRecord run,
           NewRun(application_.config(), wish, source, ctx, {is_clients ? kClientModel : "", 0}));
  if (run.driver == explore::Driver::Agent) {
    WARD_CHECK(runs_.Create(run));
    return run;
  }
  if (is_clients) return DriveByClient(std::move(run), source, ctx);
  WARD_TRY(const MeteredModel model, ModelOf(application_, run));
  WARD_CHECK(runs_.Create(run));
  if (const Status begun = Drive(run, model, source, ctx.principal); !begun) {
    WARD_CHECK(runs_.Cancel(run.id));
    return begun.error();
  }
  return run;
}

Result<explore::RunRecord> BackgroundRuns::DriveByClient(explore::RunRecord run,
                                                         const store::Source& source,
                                                         CallContext& ctx) {
  if (run.cost_max)
    return Error(ErrorKind::InvalidArgument, "what the client's own model costs is not known here")
        .Hint("Leave out max_cost, or let the configuration name a model.");
  MeteredModel model;
  model.meter = std::make_shared<llm::MeteredLlm>(
      std::make_shared<llm::ClientLlm>(llm::ModelInfo{kClientModel, "sampling"}, ctx.ask_client),
      llm::MeterOptions{});
  model.llm = model.meter;
  WARD_TRY(model.embedder, EmbedderOf(application_, {}));
  WARD_TRY(explore::DriveOptions options, DriveOptionsOf(application_, run, model));
  options.on_step = [&](const explore::Step& step) -> Status {
    if (ctx.progress) ctx.progress({step.number, run.limits.steps_max, "exploring"});
    return Ok();
  };
  const auto warehouse = OpenWith(MeaningOf(model), source, ctx);
  WARD_CHECK(runs_.Create(run));
  CallContext own = ctx;
  own.deadline = Deadline::After(ctx.clock, kClientRunMax);
  WARD_TRY(explore::RecordedRun ended,
           explore::Drive(runs_, run, *warehouse, *model.llm, options, own));
  if (ended.record.status == explore::NameOf(explore::RunStatus::Failed) && ended.result.error)
    return EndedBy(ended);
  return std::move(ended.record);
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
    const auto warehouse = OpenWith(MeaningOf(model), source, ctx);
    const auto ended = explore::Drive(runs_, run, *warehouse, *model.llm, options, ctx);
    if (!ended) log::Write(log::Level::Error, run.id, "exploration", ended.error().ToLogText());
    *is_over = true;
  };
  const MutexLock lock(mutex_);
  WARD_CHECK(MakeRoom());
  driven_.push_back({std::thread(drive), is_over});
  return Ok();
}

}  // namespace schemaward::app
