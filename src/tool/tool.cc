#include "tool/tool.h"

namespace schemaward::tool {

void Provenance::Bind(json::Fields& f) {
  f("source", source, "schema, llm or inferred");
  f("model", model, "model that wrote it");
  f("observed_in", observed_in, "where it was seen");
  f("inference_method", inference_method,
    "manually_authored, llm_suggested, fk_constraint, dbt_import or observed_in_query_log");
  f("validation_state", validation_state, "draft, applied or confirmed");
}

Error ConfirmationNeeded(std::string_view loss) {
  Error error(ErrorKind::ConfirmationRequired, std::string(loss) + "; nothing was done");
  error.Detail(loss);
  return error;
}

Error InvalidArguments(std::string_view tool, const json::ReadReport& report, Family family) {
  std::string message;
  for (const json::Problem& problem : report.problems) {
    if (!message.empty()) message += "; ";
    message += family == Family::Pattern && !problem.plain.empty() ? problem.plain : problem.text;
  }
  Error error(ErrorKind::InvalidArgument, std::move(message));
  error.Suggest(std::string(tool), report.repaired);
  if (!report.problems.front().allowed.empty()) error.Near(report.problems.front().allowed);
  return error;
}

}  // namespace schemaward::tool
