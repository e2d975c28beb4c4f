// get_user_id: who this login is at the managed service.
#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::string_view kCode = "USER_ID_RETRIEVAL_FAILED";
constexpr std::string_view kLead = "the user's id could not be found: ";

struct Out {
  std::string user_id;
  void Bind(json::Fields& f) { f("user_id", user_id, "at the managed service"); }
};

Result<workspaces::User> Find(const Services& s, CallContext& ctx) {
  WARD_TRY(workspaces::Cloud * cloud, CloudFor(s, "a user's id", ctx));
  return cloud->CurrentUser(ctx);
}

Result<tool::Outcome<Out>> Run(const Services& s, const NothingIn& /*in*/, CallContext& ctx) {
  const auto user = Find(s, ctx);
  if (!user) return FailedWith<Out>(FailureOf(user.error(), kCode, kLead));
  tool::Outcome<Out> outcome;
  outcome.data.user_id = user->user_id;
  outcome.message = "User id retrieved";
  outcome.user_id = user->user_id;
  return outcome;
}

}  // namespace

tool::ToolPtr get_user_id(const Services& services) {
  return tool::MakeTool<NothingIn, Out>(
      {.name = "get_user_id",
       .title = "Get the user's id",
       .description = "Use this when you need the user id of this login at the service. Returns "
                      "one id, in the workspace family's shape. Use organization_info instead when "
                      "you want the organization. Common compositions: get_user_id then "
                      "get_organizations.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 120,
       .set = "workspaces",
       .example_json = "{}",
       .answer_title = "UserIDResponse"},
      services, Run);
}

}  // namespace schemaward::tools
