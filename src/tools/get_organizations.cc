// get_organizations: the organizations that this login reaches.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

using workspaces::Organization;

constexpr std::string_view kCode = "ORGANIZATION_QUERY_FAILED";
constexpr std::string_view kLead = "organizations could not be listed: ";

struct In : PageIn {
  void Bind(json::Fields& f) { BindPage(f); }
};

struct Out : PageOut {
  std::vector<Organization> organizations;
  std::string current_org_id;
  std::string instructions;
  void Bind(json::Fields& f) {
    f("organizations", organizations, "in the service's order");
    BindPage(f);
    f("current_org_id", current_org_id, "the chosen one", {.omit_empty = true});
    f("instructions", instructions, "what to do next", {.omit_empty = true});
  }
};

Result<tool::Outcome<Out>> List(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(auto list, ListOrganizations(s, ctx));
  if (list.items.empty() && list.failed) return *list.failed;
  if (list.items.empty())
    return FailedWith<Out>(
        FailureOf(Error(ErrorKind::UnknownSource, "this login belongs to no organization"),
                  "NO_ORGANIZATIONS", ""));
  WARD_TRY(auto outcome,
           AnswerPage(s, ctx, "get_organizations", in, std::move(list), &Out::organizations));
  Out& out = outcome.data;
  if (s.cloud != nullptr)
    if (const auto chosen = s.cloud->selection().Of(ctx.principal.id))
      out.current_org_id = chosen->org_id;
  if (out.total > 1 && out.current_org_id.empty())
    out.instructions = "Choose one with set_organization.";
  outcome.message = fmt::format("Found {} organizations", out.total);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(List(s, in, ctx), kCode, kLead);
}

}  // namespace

tool::ToolPtr get_organizations(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "get_organizations",
       .title = "List organizations",
       .description = "Use this when you need the organizations that this login reaches. Returns "
                      "ids and names, in the workspace family's shape. Use organization_info "
                      "instead when you only want the chosen one. Common compositions: "
                      "get_organizations then set_organization.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 300,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "OrganizationsResponse"},
      services, Run);
}

}  // namespace schemaward::tools
