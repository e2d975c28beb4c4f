// create_starter_workspace: makes a starter workspace with one database.
#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::string_view kCode = "STARTER_WORKSPACE_CREATE_FAILED";
constexpr std::string_view kLead = "the starter workspace could not be made: ";

struct In {
  std::string name, database_name;
  std::optional<std::string> provider, region_name;
  void Bind(json::Fields& f) {
    f("name", name, "of the workspace", {.required = true, .length_max = kIdMax});
    f("database_name", database_name, "of its database", {.required = true, .length_max = kIdMax});
    f("provider", provider, "AWS, GCP or AZURE; the first that has a region",
      {.length_max = kIdMax});
    f("region_name", region_name, "of get_regions; the provider's first", {.length_max = kIdMax});
  }
};

struct Out {
  std::string workspace_id, name, endpoint, database_name, state, provider, region_name;
  void Bind(json::Fields& f) {
    f("workspace_id", workspace_id, "id of run_sql");
    f("name", name, "of the workspace");
    f("endpoint", endpoint, "host, or host:port", {.omit_empty = true});
    f("database_name", database_name, "its database");
    f("state", state, "as the service says; UNKNOWN where it does not");
    f("provider", provider, "where it was made");
    f("region_name", region_name, "where it was made");
  }
};

// The region that was asked for, or the first that fits.
Result<workspaces::Region> Choose(const In& in, const std::vector<workspaces::Region>& regions) {
  const auto fits = [&](const workspaces::Region& one) {
    const auto same = [](const std::optional<std::string>& wanted, const std::string& is) {
      return !wanted || wanted->empty() || LowerAscii(*wanted) == LowerAscii(is);
    };
    return !one.region_name.empty() && same(in.provider, one.provider) &&
           (same(in.region_name, one.region_name) || same(in.region_name, one.name));
  };
  const auto found = std::find_if(regions.begin(), regions.end(), fits);
  if (found != regions.end()) return *found;
  Error error(ErrorKind::MalformedName, "no region for starter workspaces is of that name");
  std::vector<std::string> names;
  for (const workspaces::Region& one : regions) names.push_back(one.region_name);
  error.Near(std::move(names)).Hint("get_regions with shared_tier lists them.");
  return error;
}

Result<tool::Outcome<Out>> Create(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(workspaces::Cloud * cloud, CloudFor(s, "a starter workspace", ctx));
  const std::string organization = cloud->OrganizationOf(ctx);
  WARD_TRY(const auto regions, cloud->api().Regions(true, organization, ctx));
  WARD_TRY(const workspaces::Region region, Choose(in, regions.items));
  WARD_TRY(const std::string id, cloud->api().CreateStarter({in.name, in.database_name,
                                                             region.provider, region.region_name},
                                                            organization, ctx));
  tool::Outcome<Out> outcome;
  outcome.data = {id,
                  in.name,
                  "",
                  in.database_name,
                  workspaces::kUnknownState,
                  region.provider,
                  region.region_name};
  outcome.message = fmt::format("Starter workspace {} was made in {} {}", in.name, region.provider,
                                region.region_name);
  // The service answers with no more than the id: where it is is asked for.
  const auto made = cloud->api().GetStarter(id, organization, ctx);
  if (made) {
    outcome.data.endpoint = made->endpoint;
    outcome.data.state = made->state;
    if (!made->database_name.empty()) outcome.data.database_name = made->database_name;
  } else {
    outcome.warning = "It was made; where it is could not be read: " + made.error().message();
  }
  outcome.user_id = UserOf(s);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(Create(s, in, ctx), kCode, kLead);
}

}  // namespace

tool::ToolPtr create_starter_workspace(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "create_starter_workspace",
       .title = "Make a starter workspace",
       .description = "Use this when you need a new starter workspace with one database. Returns "
                      "its id and endpoint, in the workspace family's shape. Use "
                      "get_virtual_workspaces instead when one may be there already. Common "
                      "compositions: create_starter_workspace then run_sql.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::WritesSource,
       .latency = tool::Latency::Slow,
       .tokens_estimate = 200,
       .idempotent = false,
       .set = "workspaces",
       .example_json = R"({"name":"trial","database_name":"trial"})",
       .answer_title = "CreateStarterWorkspaceResponse"},
      services, Run);
}

}  // namespace schemaward::tools
