#include "app/runs.h"

#include <fmt/format.h>

#include "connect/repair_prompt.h"
#include "explore/state.h"
#include "tools/names.h"

namespace schemaward::app {

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

Result<TemplateText> RepairPromptOf(const explore::RunRecord& run) {
  return TemplateText::Parse(connect::RepairPromptOf(run.dialect), run.dialect + "/sql_repair.md");
}

}  // namespace schemaward::app
