// terminate_starter_workspace: ends a starter workspace and what is in it, once that is confirmed.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::string_view kCode = "STARTER_WORKSPACE_TERMINATE_FAILED";
constexpr std::string_view kLead = "the starter workspace could not be ended: ";

struct In {
  std::string workspace_id;
  bool confirm = false;
  void Bind(json::Fields& f) {
    f("workspace_id", workspace_id, "virtual_workspace_id of the workspace",
      {.required = true, .length_max = kIdMax});
    f("confirm", confirm, "true: the user has agreed that its data is lost");
  }
};

struct Out {
  std::string workspace_id, workspace_name, termination_time;
  void Bind(json::Fields& f) {
    f("workspace_id", workspace_id, "of the workspace");
    f("workspace_name", workspace_name, "its name");
    f("termination_time", termination_time, "when it was asked for, UTC");
  }
};

// Says what would be lost, and the call that goes ahead.
tool::Failure AskFirst(const workspaces::VirtualWorkspace& workspace, const In& in) {
  In confirmed = in;
  confirmed.confirm = true;
  Error error = tool::ConfirmationNeeded(
      fmt::format("starter workspace \"{}\" and its data would be lost", workspace.name));
  error.Hint("Ask the user. Only where they agree, call again with confirm true.");
  return FailureOf(error, "", "",
                   {{"workspace_id", FactText(workspace.virtual_workspace_id)},
                    {"workspace_name", FactText(workspace.name)},
                    {"confirm_with", json::WriteArguments(confirmed)}});
}

Result<tool::Outcome<Out>> Terminate(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(workspaces::Cloud * cloud, CloudFor(s, "a starter workspace", ctx));
  const std::string organization = cloud->OrganizationOf(ctx);
  WARD_TRY(const auto workspace, cloud->api().GetStarter(in.workspace_id, organization, ctx));
  if (!in.confirm) return FailedWith<Out>(AskFirst(workspace, in));
  WARD_CHECK(cloud->api().DeleteStarter(in.workspace_id, organization, ctx));
  tool::Outcome<Out> outcome;
  outcome.data = {workspace.virtual_workspace_id, workspace.name, ToIsoUtc(ctx.clock.UnixMicros())};
  outcome.message = fmt::format("Starter workspace {} was ended", workspace.name);
  outcome.user_id = UserOf(s);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(Terminate(s, in, ctx), kCode, kLead,
                  {{"workspace_id", FactText(in.workspace_id)}});
}

}  // namespace

tool::ToolPtr terminate_starter_workspace(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "terminate_starter_workspace",
       .title = "End a starter workspace",
       .description = "Use this when a starter workspace and all its data must go. Asks first: "
                      "without confirm it does nothing and says what would be lost, in the "
                      "workspace family's shape. Do not use it without the user's word. Common "
                      "compositions: get_virtual_workspaces then terminate_starter_workspace.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::WritesSource,
       .latency = tool::Latency::Slow,
       .tokens_estimate = 150,
       .set = "workspaces",
       .example_json = R"({"workspace_id":"11111111-1111-1111-1111-111111111111"})",
       .answer_title = "TerminateVirtualWorkspaceResponse",
       .confirmation = "confirm"},
      services, Run);
}

}  // namespace schemaward::tools
