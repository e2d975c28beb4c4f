// organization_info: the organization that calls ask for.
#include <fmt/format.h>

#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

using workspaces::Organization;

constexpr std::string_view kCode = "ORGANIZATION_INFO_FAILED";
constexpr std::string_view kLead = "the organization could not be described: ";

struct Out {
  Organization organization;
  void Bind(json::Fields& f) { f("organization", organization, "the chosen one, or the login's"); }
};

Result<Organization> Current(const Services& s, CallContext& ctx) {
  WARD_TRY(const bool asks, AsksCloud(s, ctx));
  const auto chosen = s.cloud == nullptr ? std::nullopt : s.cloud->selection().Of(ctx.principal.id);
  const bool is_direct = chosen && chosen->org_id == workspaces::kDirectId;
  if (asks && !is_direct)
    return s.cloud->api().CurrentOrganization(s.cloud->OrganizationOf(ctx), ctx);
  WARD_TRY(const auto direct, DirectTargets(s));
  if (direct.empty()) return workspaces::NoCredential("an organization");
  return Organization{workspaces::kDirectId, workspaces::kDirectName};
}

Result<tool::Outcome<Out>> Run(const Services& s, const NothingIn& /*in*/, CallContext& ctx) {
  auto current = Current(s, ctx);
  if (!current) return FailedWith<Out>(FailureOf(current.error(), kCode, kLead));
  tool::Outcome<Out> outcome;
  outcome.data.organization = *std::move(current);
  outcome.message = fmt::format("Organization {}", outcome.data.organization.name);
  outcome.user_id = UserOf(s);
  return outcome;
}

}  // namespace

tool::ToolPtr organization_info(const Services& services) {
  return tool::MakeTool<NothingIn, Out>(
      {.name = "organization_info",
       .title = "Describe the organization",
       .description = "Use this when you want info on the organization that calls ask for. Returns "
                      "its id and name, in the workspace family's shape. Use get_organizations "
                      "instead when you want all of them. Common compositions: set_organization "
                      "then organization_info.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 150,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "OrganizationInfoResponse"},
      services, Run);
}

}  // namespace schemaward::tools
