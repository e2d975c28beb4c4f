#pragma once

// The verbs: one file each. Every one returns an exit code of [R-CLI-2].

#include "app/application.h"
#include "cli/command_line.h"
#include "cli/where.h"

namespace schemaward::cli {

int RunIndex(const CommandLine& line, app::Application& app);
int RunServe(const CommandLine& line, app::Application& app);
int RunCall(const CommandLine& line, app::Application& app);
int RunEvalRetrieval(const CommandLine& line, app::Application& app);
int RunEvalAgents(const CommandLine& line, app::Application& app);
int RunSources(const CommandLine& line, app::Application& app);
int RunSuggest(const CommandLine& line, app::Application& app);
int RunExplore(const CommandLine& line, app::Application& app);
int RunInsightsVerify(const CommandLine& line, app::Application& app);
int RunPacksList(const CommandLine& line, app::Application& app);
int RunPacksShow(const CommandLine& line, app::Application& app);
int RunPacksValidate(const CommandLine& line, app::Application& app);
int RunPacksExport(const CommandLine& line, app::Application& app);
int RunPacksImport(const CommandLine& line, app::Application& app);
int RunRunsList(const CommandLine& line, app::Application& app);
int RunRunsShow(const CommandLine& line, app::Application& app);
int RunRunsResume(const CommandLine& line, app::Application& app);
int RunRunsCancel(const CommandLine& line, app::Application& app);
int RunRunsExport(const CommandLine& line, app::Application& app);
int RunApply(const CommandLine& line, app::Application& app);
int RunDiff(const CommandLine& line, app::Application& app);
int RunCheck(const CommandLine& line, app::Application& app);
int RunExport(const CommandLine& line, app::Application& app);
int RunConfirm(const CommandLine& line, app::Application& app);
int RunImport(const CommandLine& line, app::Application& app);
int RunLogin(const CommandLine& line, app::Application& app);
int RunLogout(const CommandLine& line, app::Application& app);
int RunLint(const CommandLine& line, app::Application& app);
int RunValidate(const CommandLine& line, app::Application& app);
int RunReview(const CommandLine& line, app::Application& app);
int RunGuardTest(const CommandLine& line, app::Application& app);
int RunAuditVerify(const CommandLine& line, app::Application& app);
int RunAuditList(const CommandLine& line, app::Application& app);
int RunPolicyTest(const CommandLine& line, app::Application& app);
int RunAuditTail(const CommandLine& line, app::Application& app);
int RunAuditExport(const CommandLine& line, app::Application& app);
int RunAuditLoops(const CommandLine& line, app::Application& app);
int RunAuditProve(const CommandLine& line, app::Application& app);
int RunAuditKeygen(const CommandLine& line, app::Application& app);
int RunInit(const CommandLine& line, app::Application& app);
int RunDoctor(const CommandLine& line, app::Application& app);
int RunConfig(const CommandLine& line, app::Application& app);
int RunVersion(const CommandLine& line, app::Application& app);

/// Writes the definitions that are served in the format of --format to the file, or into the
/// folder, that is the first argument, and says what could not be carried.
int ExportAs(const CommandLine& line, const Where& where);

/// Returns the verb of that name, or null.
using Verb = int (*)(const CommandLine&, app::Application&);
Verb FindVerb(std::string_view name);

}  // namespace schemaward::cli
