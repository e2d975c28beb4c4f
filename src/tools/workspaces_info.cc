// workspaces_info: workspaces of one group or of all, direct targets among them: one list.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

using workspaces::Workspace;

constexpr std::string_view kCode = "WORKSPACES_RETRIEVAL_FAILED";
constexpr std::string_view kLead = "workspaces could not be listed: ";
constexpr std::size_t kGroupsMax = 50;  // groups that are asked for their workspaces

struct In : PageIn {
  std::optional<std::string> workspace_group_id;
  void Bind(json::Fields& f) {
    f("workspace_group_id", workspace_group_id, "only this group's; direct: sources",
      {.length_max = kIdMax});
    BindPage(f);
  }
};

struct Out : PageOut {
  std::vector<Workspace> workspaces;
  void Bind(json::Fields& f) {
    f("workspaces", workspaces, "by group; direct targets last");
    BindPage(f);
  }
};

using Found = Collected<Workspace>;

Status AddGroup(workspaces::Cloud& cloud, const std::string& group, Found& found,
                CallContext& ctx) {
  WARD_TRY(auto listed, cloud.api().WorkspacesOf(group, cloud.OrganizationOf(ctx), ctx));
  found.unreadable += listed.unreadable;
  for (Workspace& one : listed.items) {
    if (one.workspace_group_id.empty()) one.workspace_group_id = group;
    found.items.push_back(std::move(one));
  }
  return Ok();
}

Status AddAllGroups(workspaces::Cloud& cloud, Found& found, CallContext& ctx) {
  WARD_TRY(const auto groups, cloud.api().Groups(cloud.OrganizationOf(ctx), ctx));
  found.unreadable += groups.unreadable;
  for (std::size_t i = 0; i < groups.items.size() && i < kGroupsMax; ++i)
    WARD_CHECK(AddGroup(cloud, groups.items[i].workspace_group_id, found, ctx));
  if (groups.items.size() > kGroupsMax)
    found.failed = Error(
        ErrorKind::ByteCap,
        fmt::format("only the first {} of {} groups were asked", kGroupsMax, groups.items.size()));
  return Ok();
}

Result<Found> Find(const Services& s, const std::string& group, CallContext& ctx) {
  Found found;
  WARD_TRY(const bool asks, AsksCloud(s, ctx));
  WARD_TRY(const auto direct, DirectTargets(s));
  const bool all = group.empty();
  if (!asks && (direct.empty() || (!all && group != workspaces::kDirectId)))
    return workspaces::NoCredential("a list of workspaces");
  if (asks && group != workspaces::kDirectId) {
    const Status added =
        all ? AddAllGroups(*s.cloud, found, ctx) : AddGroup(*s.cloud, group, found, ctx);
    if (!added) {
      // With direct targets there is still something to say.
      if (!all || direct.empty() || !ctx.Check()) return added.error();
      found.failed = added.error();
    }
  }
  if (all || group == workspaces::kDirectId)
    for (const store::Source& source : direct) found.items.push_back(ShowDirect(source));
  return found;
}

Result<tool::Outcome<Out>> List(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(Found found, Find(s, in.workspace_group_id.value_or(""), ctx));
  WARD_TRY(auto outcome,
           AnswerPage(s, ctx, "workspaces_info", in, std::move(found), &Out::workspaces));
  outcome.message = fmt::format("Found {} workspaces", outcome.data.total);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  Facts facts;
  if (in.workspace_group_id)
    facts.emplace_back("workspace_group_id", FactText(*in.workspace_group_id));
  return OrFailed(List(s, in, ctx), kCode, kLead, std::move(facts));
}

}  // namespace

tool::ToolPtr workspaces_info(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "workspaces_info",
       .title = "List workspaces",
       .description = "Use this when you want info on workspaces and direct targets. Returns the "
                      "ids that run_sql takes, with states and endpoints, in the workspace "
                      "family's shape. Use get_virtual_workspaces instead when you look for "
                      "starter workspaces. Common compositions: workspaces_info then run_sql.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 800,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "WorkspacesResponse"},
      services, Run);
}

}  // namespace schemaward::tools
