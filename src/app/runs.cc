#include "app/runs.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/driving.h"
#include "connect/secret.h"
#include "explore/state.h"
#include "tools/names.h"

namespace schemaward::app {
namespace {

Status SetPack(const Config& config, const tools::RunWish& wish, explore::RunRecord& run) {
  if (wish.pack.empty() && wish.category.empty()) return Ok();
  if (wish.pack.empty())
    return Error(ErrorKind::InvalidArgument, "a category needs its domain pack");
  if (wish.driver == explore::Driver::Agent)
    return Error(ErrorKind::InvalidArgument,
                 "a domain pack needs a run whose steps a model decides");
  // A run may be taken up from elsewhere.
  const bool is_folder = wish.pack.find('/') != std::string::npos;
  run.pack = is_folder ? std::filesystem::absolute(wish.pack).string() : wish.pack;
  run.category = wish.category;
  run.verifies = wish.verifies;
  WARD_TRY(const auto pack, FindPack(config, run.pack));
  return CheckCategory(*pack, run.category);
}

}  // namespace

Result<explore::RunRecord> NewRun(const Config& config, const tools::RunWish& wish,
                                  const store::Source& source, const CallContext& ctx,
                                  const RunModel& model) {
  WARD_CHECK(explore::CheckLimits(wish.limits));
  if (wish.question.find_first_not_of(" \t\r\n") == std::string::npos ||
      wish.question.size() > explore::kQuestionBytesMax)
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("the question of an exploration must have 1 to {} bytes",
                             explore::kQuestionBytesMax));
  explore::RunRecord run;
  run.driver = wish.driver;
  run.principal = ctx.principal.id;
  run.source = source.name;
  run.dialect = tools::DialectOf(source).name;
  run.question = wish.question;
  run.limits = wish.limits;
  WARD_CHECK(SetPack(config, wish, run));
  if (wish.driver == explore::Driver::Agent) return run;
  run.model = model.name.empty() ? config.Get("llm.model") : model.name;
  run.window_tokens = model.window_tokens;
  if (wish.cost_max_usd) {
    WARD_TRY(run.cost_max, ParseUsd(*wish.cost_max_usd));
  }
  return run;
}

Result<MeteredModel> ModelOf(const Application& application, const explore::RunRecord& run) {
  ModelLimits limits;
  limits.cost_max = run.cost_max;
  limits.window_tokens = run.window_tokens;
  limits.before = run.spent;
  limits.purse = std::make_shared<llm::Purse>(run.cost_max, explore::CostOf(run));
  WARD_TRY(MeteredModel model, MakeModel(application.config(), run.model, limits));
  limits.before = run.embedder;
  WARD_TRY(model.embedder, EmbedderOf(application, limits));
  return model;
}

Result<std::shared_ptr<llm::MeteredEmbedder>> EmbedderOf(const Application& application,
                                                         const ModelLimits& limits) {
  const auto& embedder = application.embedder();
  if (embedder == nullptr || !CheckEmbedder(application.config(), connect::SystemEnvironment()))
    return std::shared_ptr<llm::MeteredEmbedder>();
  WARD_TRY(const llm::MeterOptions meter, MeterOf(application.config(), *embedder, limits));
  return std::make_shared<llm::MeteredEmbedder>(embedder, meter);
}

std::shared_ptr<retrieve::Meaning> MeaningOf(const MeteredModel& model) {
  return model.embedder == nullptr ? nullptr : std::make_shared<retrieve::Meaning>(model.embedder);
}

}  // namespace schemaward::app
