// resume_workspace: starts a suspended workspace.
#include <algorithm>

#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::string_view kCode = "WORKSPACE_RESUME_FAILED";
constexpr std::string_view kLead = "the workspace could not be resumed: ";

struct In {
  std::string workspace_id;
  std::optional<bool> disable_auto_suspend;
  void Bind(json::Fields& f) {
    f("workspace_id", workspace_id, "of a dedicated workspace",
      {.required = true, .length_max = kIdMax});
    f("disable_auto_suspend", disable_auto_suspend, "keep it running until it is suspended");
  }
};

Result<tool::Outcome<workspaces::Workspace>> Resume(const Services& s, const In& in,
                                                    CallContext& ctx) {
  WARD_TRY(const auto direct, DirectTargets(s));
  if (std::any_of(direct.begin(), direct.end(),
                  [&](const store::Source& one) { return one.name == in.workspace_id; }))
    return Error(
        ErrorKind::UnknownSource,
        fmt::format("\"{}\" is a direct target, which is not managed here", in.workspace_id));
  WARD_TRY(workspaces::Cloud * cloud, CloudFor(s, "a workspace", ctx));
  const std::string organization = cloud->OrganizationOf(ctx);
  WARD_CHECK(cloud->api().Resume(in.workspace_id, in.disable_auto_suspend, organization, ctx));
  tool::Outcome<workspaces::Workspace> outcome;
  outcome.data.workspace_id = in.workspace_id;
  outcome.message = "Workspace resume was asked for";
  // The service answers with no more than the id: how it stands is asked for.
  auto now = cloud->api().GetWorkspace(in.workspace_id, organization, ctx);
  if (now) {
    outcome.data = *std::move(now);
    outcome.message =
        fmt::format("Workspace {} resumes; its state is {}", outcome.data.name, outcome.data.state);
  } else {
    outcome.warning = "How the workspace stands now could not be read: " + now.error().message();
  }
  outcome.user_id = UserOf(s);
  return outcome;
}

Result<tool::Outcome<workspaces::Workspace>> Run(const Services& s, const In& in,
                                                 CallContext& ctx) {
  return OrFailed(Resume(s, in, ctx), kCode, kLead, {{"workspace_id", FactText(in.workspace_id)}});
}

}  // namespace

tool::ToolPtr resume_workspace(const Services& services) {
  return tool::MakeTool<In, workspaces::Workspace>(
      {.name = "resume_workspace",
       .title = "Resume a workspace",
       .description = "Use this when a dedicated workspace is suspended and must run. It costs "
                      "money from then on. Answers at once, in the workspace family's shape; the "
                      "workspace takes minutes. Do not use it for starter workspaces. Common "
                      "compositions: resume_workspace, then workspaces_info until it is ACTIVE.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::WritesSource,
       .latency = tool::Latency::Slow,
       .tokens_estimate = 200,
       .set = "workspaces",
       .example_json = R"({"workspace_id":"11111111-1111-1111-1111-111111111111"})",
       .answer_title = "ResumeWorkspaceResponse"},
      services, Run);
}

}  // namespace schemaward::tools
