// get_regions: where the managed service runs.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::string_view kCode = "REGIONS_RETRIEVAL_FAILED";
constexpr std::string_view kLead = "regions could not be listed: ";

struct In : PageIn {
  bool shared_tier = false;
  void Bind(json::Fields& f) {
    f("shared_tier", shared_tier, "those of starter workspaces");
    BindPage(f);
  }
};

struct Out : PageOut {
  std::vector<workspaces::Region> regions;
  void Bind(json::Fields& f) {
    f("regions", regions, "in the service's order");
    BindPage(f);
  }
};

Result<tool::Outcome<Out>> List(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(workspaces::Cloud * cloud, CloudFor(s, "a list of regions", ctx));
  WARD_TRY(auto listed, cloud->api().Regions(in.shared_tier, cloud->OrganizationOf(ctx), ctx));
  WARD_TRY(auto outcome,
           AnswerPage(s, ctx, "get_regions", in, Collected<workspaces::Region>{std::move(listed)},
                      &Out::regions));
  outcome.message = fmt::format("Found {} regions", outcome.data.total);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(List(s, in, ctx), kCode, kLead);
}

}  // namespace

tool::ToolPtr get_regions(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "get_regions",
       .title = "List regions",
       .description = "Use this when you need the regions where workspaces can be made. Returns "
                      "names and providers, in the workspace family's shape. Use "
                      "workspace_groups_info instead when you want what there is. Common "
                      "compositions: get_regions of the shared tier, then "
                      "create_starter_workspace.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 600,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "RegionsResponse"},
      services, Run);
}

}  // namespace schemaward::tools
