// workspace_groups_info: the groups of workspaces, that of the direct targets among them.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

using workspaces::WorkspaceGroup;

constexpr std::string_view kCode = "WORKSPACE_GROUPS_RETRIEVAL_FAILED";
constexpr std::string_view kLead = "workspace groups could not be listed: ";

struct In : PageIn {
  void Bind(json::Fields& f) { BindPage(f); }
};

struct Out : PageOut {
  std::vector<WorkspaceGroup> workspace_groups;
  void Bind(json::Fields& f) {
    f("workspace_groups", workspace_groups, "in the service's order; direct targets last");
    BindPage(f);
  }
};

Result<tool::Outcome<Out>> List(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(const bool asks, AsksCloud(s, ctx));
  WARD_TRY(const auto direct, DirectTargets(s));
  if (!asks && direct.empty()) return workspaces::NoCredential("a list of workspace groups");
  Collected<WorkspaceGroup> groups;
  if (asks) {
    auto listed = s.cloud->api().Groups(s.cloud->OrganizationOf(ctx), ctx);
    if (listed) {
      groups = {*std::move(listed)};
    } else {
      // With direct targets there is still something to say.
      if (direct.empty() || !ctx.Check()) return std::move(listed).error();
      groups.failed = std::move(listed).error();
    }
  }
  if (!direct.empty()) {
    WorkspaceGroup group;
    group.workspace_group_id = workspaces::kDirectId;
    group.name = workspaces::kDirectName;
    groups.items.push_back(std::move(group));
  }
  WARD_TRY(auto outcome, AnswerPage(s, ctx, "workspace_groups_info", in, std::move(groups),
                                    &Out::workspace_groups));
  outcome.message = fmt::format("Found {} workspace groups", outcome.data.total);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(List(s, in, ctx), kCode, kLead);
}

}  // namespace

tool::ToolPtr workspace_groups_info(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "workspace_groups_info",
       .title = "List workspace groups",
       .description = "Use this when you want info on all workspace groups. Returns ids, states "
                      "and regions, in the workspace family's shape; the group direct holds "
                      "sources of the configuration. Use get_virtual_workspaces instead when you "
                      "look for starter workspaces. Common compositions: workspace_groups_info "
                      "then workspaces_info.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 600,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "WorkspaceGroupsResponse"},
      services, Run);
}

}  // namespace schemaward::tools
