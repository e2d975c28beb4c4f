// set_organization: chooses the organization that later calls of this caller ask for.
#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "tools/tools.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

using workspaces::Organization;

constexpr std::string_view kCode = "ORGANIZATION_SET_FAILED";
constexpr std::string_view kLead = "the organization could not be set: ";
constexpr std::size_t kShownMax = 20;  // organizations named in an error

struct In {
  std::string org_id;
  void Bind(json::Fields& f) {
    f("orgID", org_id, "id or name of the organization", {.required = true, .length_max = kIdMax});
  }
};

struct Out {
  std::string org_id, name;
  Organization organization;
  std::string previous_org_id;
  std::string operation;
  json::Raw errors;
  void Bind(json::Fields& f) {
    f("org_id", org_id, "the chosen organization's id");
    f("name", name, "its name");
    f("organization", organization, "the same as one object");
    f("previous_org_id", previous_org_id, "the choice before", {.omit_empty = true});
    f("operation", operation, "organization_set, or organization_set_unvalidated");
    f("errors", errors, "why it could not be validated", {.omit_empty = true});
  }
};

const Organization* Match(const std::vector<Organization>& all, const std::string& wanted) {
  const auto by = [&](const auto& fits) {
    const auto found = std::find_if(all.begin(), all.end(), fits);
    return found == all.end() ? nullptr : &*found;
  };
  const Organization* exact = by([&](const Organization& one) { return one.org_id == wanted; });
  if (exact != nullptr) return exact;
  const std::string folded = LowerAscii(wanted);
  return by([&](const Organization& one) {
    return LowerAscii(one.name) == folded || LowerAscii(one.org_id) == folded;
  });
}

std::string Available(const std::vector<Organization>& all) {
  const std::vector<Organization> shown(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kShownMax)));
  return json::Write(shown);
}

// What is wrong with a name that no organization has: with an API key the key's own is the only
// one.
tool::Failure NotThere(const Services& s, const std::string& wanted,
                       const Collected<workspaces::Organization>& list, CallContext& ctx) {
  const auto kind = s.cloud == nullptr ? Result<workspaces::AuthKind>(workspaces::AuthKind::None)
                                       : s.cloud->api().Kind(ctx);
  const bool has_key = kind && *kind == workspaces::AuthKind::ApiKey && !list.items.empty() &&
                       list.items.front().org_id != workspaces::kDirectId;
  if (has_key) {
    const Organization& own = list.items.front();
    const Error error(ErrorKind::MalformedName,
                      fmt::format("the API key belongs to organization \"{}\"", own.name));
    return FailureOf(error, "ORGANIZATION_MISMATCH", "",
                     {{"exception", FactText("organization_mismatch")},
                      {"provided_org_id", FactText(wanted)},
                      {"current_org_id", FactText(own.org_id)},
                      {"current_org_name", FactText(own.name)}});
  }
  Error error(ErrorKind::UnknownSource,
              fmt::format("no organization has the id or name \"{}\"", wanted));
  std::vector<std::string> near;
  for (const Organization& one : list.items) near.push_back(one.org_id);
  error.Near(std::move(near));
  return FailureOf(error, "ORGANIZATION_NOT_FOUND", "",
                   {{"exception", FactText("unknown_organization")},
                    {"provided_org_id", FactText(wanted)},
                    {"available_organizations", Available(list.items)}});
}

Result<tool::Outcome<Out>> Choose(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(const Collected<workspaces::Organization> list, ListOrganizations(s, ctx));
  tool::Outcome<Out> outcome;
  Out& out = outcome.data;
  out.operation = "organization_set";
  if (const Organization* match = Match(list.items, in.org_id)) {
    out.organization = *match;
  } else if (list.failed && list.failed->kind() != ErrorKind::SourceAuthFailed) {
    // The service cannot say which there are: the choice stands unvalidated, and is said to.
    out.organization = {in.org_id, in.org_id};
    out.operation = "organization_set_unvalidated";
    out.errors.text = fmt::format(R"({{"validation":{}}})", FactText(list.failed->message()));
    outcome.warning = "The organization could not be validated and is set as it was given: " +
                      list.failed->message() + ".";
  } else if (list.failed) {
    return *list.failed;
  } else {
    return FailedWith<Out>(NotThere(s, in.org_id, list, ctx));
  }
  if (s.cloud == nullptr) return Error(ErrorKind::Internal, "there is nowhere to keep the choice");
  if (const auto before = s.cloud->selection().Of(ctx.principal.id))
    out.previous_org_id = before->org_id;
  WARD_CHECK(s.cloud->selection().Choose(ctx.principal.id, out.organization));
  out.org_id = out.organization.org_id;
  out.name = out.organization.name;
  outcome.message = fmt::format("Organization set to {}", out.name);
  outcome.user_id = UserOf(s);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  return OrFailed(Choose(s, in, ctx), kCode, kLead, {{"provided_org_id", FactText(in.org_id)}});
}

}  // namespace

tool::ToolPtr set_organization(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "set_organization",
       .title = "Choose an organization",
       .description = "Use this when you want to choose the organization of later calls. Takes an "
                      "id or a name; keeps the choice for this caller, in the workspace family's "
                      "shape. Use organization_info instead when you only want to see which is "
                      "chosen. Common compositions: get_organizations then set_organization.",
       .family = tool::Family::Workspace,
       .effect = tool::Effect::WritesIndex,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 200,
       .set = "workspaces",
       .example_json = R"({"orgID":"direct"})",
       .answer_title = "SetOrganizationResponse"},
      services, Run);
}

}  // namespace schemaward::tools
