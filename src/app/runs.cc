#include "app/runs.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/driving.h"
#include "explore/state.h"
#include "tools/names.h"

namespace schemaward::app {
namespace {

Status SetPack(const Config& config, const RunSpec& spec, explore::RunRecord& run) {
  if (spec.pack.empty() && spec.category.empty()) return Ok();
  if (spec.pack.empty())
    return Error(ErrorKind::InvalidArgument, "a category needs its domain pack");
  if (spec.driver == explore::Driver::Agent)
    return Error(ErrorKind::InvalidArgument,
                 "a domain pack needs a run whose steps a model decides");
  // A run may be taken up from elsewhere.
  const bool is_folder = spec.pack.find('/') != std::string::npos;
  run.pack = is_folder ? std::filesystem::absolute(spec.pack).string() : spec.pack;
  run.category = spec.category;
  run.verifies = spec.verifies;
  WARD_TRY(const auto pack, FindPack(config, run.pack));
  return CheckCategory(*pack, run.category);
}

}  // namespace

Result<explore::RunRecord> NewRun(const Config& config, const RunSpec& spec,
                                  const store::Source& source, const CallContext& ctx) {
  WARD_CHECK(explore::CheckLimits(spec.limits));
  if (spec.question.find_first_not_of(" \t\r\n") == std::string::npos ||
      spec.question.size() > explore::kQuestionBytesMax)
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("the question of an exploration must have 1 to {} bytes",
                             explore::kQuestionBytesMax));
  explore::RunRecord run;
  run.driver = spec.driver;
  run.principal = ctx.principal.id;
  run.source = source.name;
  run.dialect = tools::DialectOf(source).name;
  run.question = spec.question;
  run.limits = spec.limits;
  WARD_CHECK(SetPack(config, spec, run));
  if (spec.driver == explore::Driver::Agent) return run;
  run.model = spec.model.empty() ? config.Get("llm.model") : spec.model;
  run.window_tokens = spec.window_tokens;
  run.cost_max = spec.cost_max;
  return run;
}

Result<MeteredModel> ModelOf(const Config& config, const explore::RunRecord& run) {
  ModelLimits limits;
  limits.cost_max = run.cost_max;
  limits.window_tokens = run.window_tokens;
  limits.before = run.spent;
  return MakeModel(config, run.model, limits);
}

}  // namespace schemaward::app
