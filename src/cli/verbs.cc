#include "cli/verbs.h"

#include <utility>

namespace schemaward::cli {

Verb FindVerb(std::string_view name) {
  static constexpr std::pair<std::string_view, Verb> kVerbs[] = {
      {"index", RunIndex},
      {"serve", RunServe},
      {"init", RunInit},
      {"call", RunCall},
      {"eval retrieval", RunEvalRetrieval},
      {"eval agents", RunEvalAgents},
      {"sources", RunSources},
      {"suggest", RunSuggest},
      {"explore", RunExplore},
      {"insights verify", RunInsightsVerify},
      {"packs list", RunPacksList},
      {"packs show", RunPacksShow},
      {"packs validate", RunPacksValidate},
      {"packs export", RunPacksExport},
      {"packs import", RunPacksImport},
      {"runs list", RunRunsList},
      {"runs show", RunRunsShow},
      {"runs resume", RunRunsResume},
      {"runs cancel", RunRunsCancel},
      {"runs export", RunRunsExport},
      {"apply", RunApply},
      {"diff", RunDiff},
      {"check", RunCheck},
      {"export", RunExport},
      {"confirm", RunConfirm},
      {"import", RunImport},
      {"login", RunLogin},
      {"logout", RunLogout},
      {"lint", RunLint},
      {"validate", RunValidate},
      {"review", RunReview},
      {"guard test", RunGuardTest},
      {"audit verify", RunAuditVerify},
      {"audit list", RunAuditList},
      {"policy test", RunPolicyTest},
      {"audit tail", RunAuditTail},
      {"audit export", RunAuditExport},
      {"audit loops", RunAuditLoops},
      {"audit prove", RunAuditProve},
      {"audit keygen", RunAuditKeygen},
      {"doctor", RunDoctor},
      {"config", RunConfig},
      {"version", RunVersion},
  };
  for (const auto& [verb, run] : kVerbs)
    if (verb == name) return run;
  return nullptr;
}

}  // namespace schemaward::cli
