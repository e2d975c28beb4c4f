// get_virtual_workspaces: the starter workspaces of the managed service.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::string_view kCode = "VIRTUAL_WORKSPACES_RETRIEVAL_FAILED";
constexpr std::string_view kLead = "starter workspaces could not be listed: ";

struct In : PageIn {
  void Bind(json::Fields& f) { BindPage(f); }
};

struct Out : PageOut {
  std::vector<workspaces::VirtualWorkspace> workspaces;
  void Bind(json::Fields& f) {
    f("workspaces", workspaces, "starter workspaces, in the service's order");
    BindPage(f);
  }
};

Result<tool::Outcome<Out>> List(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(workspaces::Cloud * cloud, CloudFor(s, "a list of starter workspaces", ctx));
  WARD_TRY(auto listed, cloud->api().Starters(cloud->OrganizationOf(ctx), ctx));
  WARD_TRY(auto outcome, AnswerPage(s, ctx, "get_virtual_workspaces", in,
                                    Collected<workspaces::VirtualWorkspace>{std::move(listed)},
                                    &Out::workspaces));
  outcome.message = fmt::format("Found {} virtual workspaces", outcome.data.total);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(List(s, in, ctx), kCode, kLead);
}

}  // namespace

tool::ToolPtr get_virtual_workspaces(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "get_virtual_workspaces",
       .title = "List starter workspaces",
       .description = "Use this when you look for a starter workspace of the service. Returns "
                      "ids, endpoints and databases, in the workspace family's shape. Use "
                      "workspaces_info instead when it is a dedicated one or a source of the "
                      "configuration. Common compositions: get_virtual_workspaces then run_sql.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 500,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "VirtualWorkspacesResponse"},
      services, Run);
}

}  // namespace schemaward::tools
