#include "workspaces/api.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "net/url.h"
#include "workspaces/read.h"

namespace schemaward::workspaces {
namespace {

constexpr int kUnauthorized = 401;

Error NotAsAgreed(std::string_view what) {
  return Error(ErrorKind::SourceUnreachable,
               fmt::format("the managed service answered without {}", what));
}

// What a status means, by its number alone: what the body says is the service's own text and stays
// private.
Error ErrorOfStatus(const net::HttpResponse& answer) {
  constexpr int kForbidden = 403, kNotFound = 404, kTooMany = 429;
  constexpr std::size_t kBodyMax = 300;
  const auto make = [&](ErrorKind kind, std::string_view message) {
    Error error(kind, message);
    error.Private(fmt::format("HTTP {}: {}", answer.status, answer.body.substr(0, kBodyMax)));
    return error;
  };
  switch (answer.status) {
    case kUnauthorized:
      return make(ErrorKind::SourceAuthFailed, "the managed service refused the credential");
    case kForbidden:
      return make(ErrorKind::PermissionDenied, "the managed service does not allow this call");
    case kNotFound:
      return make(ErrorKind::UnknownSource, "the managed service has no such object");
    case kTooMany: {
      Error error = make(ErrorKind::RateLimited, "the managed service asks for fewer calls");
      if (answer.retry_after_ms) error.RetryAfter(*answer.retry_after_ms);
      return error;
    }
    default: {
      Error error = make(ErrorKind::SourceUnreachable,
                         fmt::format("the managed service answered with HTTP {}", answer.status));
      if (answer.retry_after_ms) error.RetryAfter(*answer.retry_after_ms);
      return error;
    }
  }
}

bool IsDone(int status) {
  constexpr int kOk = 200, kLast = 204;
  return status >= kOk && status <= kLast;
}

template <class T>
Result<Listed<T>> ListOf(Result<json::Document> answer,
                         std::optional<T> (*read)(const json::Value&), const char* what) {
  WARD_TRY(const json::Document document, std::move(answer));
  if (!document.value().is_array()) return NotAsAgreed(what);
  return ReadList(document.value(), read);
}

template <class T>
Result<T> OneOf(Result<json::Document> answer, std::optional<T> (*read)(const json::Value&),
                const char* what) {
  WARD_TRY(const json::Document document, std::move(answer));
  if (!document.value().is_object()) return NotAsAgreed(what);
  auto one = read(document.value());
  if (!one) return NotAsAgreed(what);
  return *std::move(one);
}

}  // namespace

ManagementApi::ManagementApi(ApiSettings settings, net::HttpClient& client,
                             Credentials& credentials)
    : settings_(std::move(settings)), client_(client), credentials_(credentials) {}

Result<net::HttpResponse> ManagementApi::Send(const Call& call, const Credential& credential,
                                              CallContext& ctx) {
  net::HttpRequest request;
  request.method = call.method;
  request.url = call.url.empty() ? settings_.base_url + call.path : call.url;
  char mark = '?';
  const auto add = [&](std::string_view name, const std::string& value) {
    request.url += mark + net::UrlEncode(name) + '=' + net::UrlEncode(value);
    mark = '&';
  };
  for (const auto& [name, value] : call.query) add(name, value);
  if (!call.organization.empty() && credential.kind != AuthKind::ApiKey)
    add("organizationID", call.organization);
  request.headers = {{"Authorization", "Bearer " + credential.token},
                     {"Accept", "application/json"}};
  if (!call.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  request.body = call.body;
  request.authority = settings_.authority;
  return client_.Send(request, ctx);
}

Result<json::Document> ManagementApi::Ask(const Call& call, CallContext& ctx) {
  WARD_TRY(const Credential credential, credentials_.Get(ctx));
  if (credential.kind == AuthKind::None) return NoCredential("this call");
  WARD_TRY(net::HttpResponse answer, Send(call, credential, ctx));
  if (answer.status == kUnauthorized && credential.kind == AuthKind::OAuth) {
    WARD_TRY(const Credential fresh, credentials_.Renew(credential, ctx));
    WARD_TRY(answer, Send(call, fresh, ctx));
  }
  if (!IsDone(answer.status)) return ErrorOfStatus(answer);
  if (answer.body.empty()) return json::Document();
  auto parsed = json::Parse(answer.body);
  if (!parsed) return NotAsAgreed("JSON");
  return parsed;
}

Result<AuthKind> ManagementApi::Kind(CallContext& ctx) {
  WARD_TRY(const Credential credential, credentials_.Get(ctx));
  return credential.kind;
}

Result<User> ManagementApi::CurrentUser(CallContext& ctx) {
  return OneOf(Ask({.path = "users/current"}, ctx), ReadUser, "a user");
}

Result<Organization> ManagementApi::CurrentOrganization(const std::string& organization,
                                                        CallContext& ctx) {
  return OneOf(Ask({.path = "organizations/current", .organization = organization}, ctx),
               ReadOrganization, "an organization");
}

Result<Listed<Organization>> ManagementApi::Organizations(CallContext& ctx) {
  const Call call{.method = "POST",
                  .body = R"({"query":"query { organizations { orgID name } }"})",
                  .url = settings_.graphql_url};
  WARD_TRY(const json::Document answer, Ask(call, ctx));
  const json::Value& value = answer.value();
  if (!value.is_object()) return NotAsAgreed("organizations");
  if (const auto errors = value.find("errors"); errors != value.end() && !errors->empty())
    return Error(ErrorKind::SourceUnreachable, "the managed service could not list organizations");
  const auto data = value.find("data");
  if (data == value.end() || !data->is_object() || !data->contains("organizations") ||
      !(*data)["organizations"].is_array())
    return NotAsAgreed("organizations");
  return ReadList((*data)["organizations"], ReadOrganization);
}

Result<Listed<Region>> ManagementApi::Regions(bool shared_tier, const std::string& organization,
                                              CallContext& ctx) {
  WARD_TRY(Listed<Region> regions,
           ListOf(Ask({.path = shared_tier ? "regions/sharedtier" : "regions",
                       .organization = organization},
                      ctx),
                  ReadRegion, "regions"));
  for (Region& region : regions.items) region.shared_tier = shared_tier;
  return regions;
}

Result<Listed<WorkspaceGroup>> ManagementApi::Groups(const std::string& organization,
                                                     CallContext& ctx) {
  return ListOf(Ask({.path = "workspaceGroups", .organization = organization}, ctx),
                ReadWorkspaceGroup, "workspace groups");
}

Result<Listed<Workspace>> ManagementApi::WorkspacesOf(const std::string& group_id,
                                                      const std::string& organization,
                                                      CallContext& ctx) {
  return ListOf(Ask({.path = "workspaces",
                     .organization = organization,
                     .query = {{"workspaceGroupID", group_id}}},
                    ctx),
                ReadWorkspace, "workspaces");
}

Result<Workspace> ManagementApi::GetWorkspace(const std::string& id,
                                              const std::string& organization, CallContext& ctx) {
  return OneOf(Ask({.path = "workspaces/" + net::UrlEncode(id), .organization = organization}, ctx),
               ReadWorkspace, "a workspace");
}

Status ManagementApi::Resume(const std::string& id, std::optional<bool> disable_auto_suspend,
                             const std::string& organization, CallContext& ctx) {
  const std::string body =
      disable_auto_suspend ? fmt::format(R"({{"disableAutoSuspend":{}}})", *disable_auto_suspend)
                           : "{}";
  WARD_CHECK(Ask({.method = "POST",
                  .path = "workspaces/" + net::UrlEncode(id) + "/resume",
                  .organization = organization,
                  .body = body},
                 ctx));
  return Ok();
}

Result<Listed<VirtualWorkspace>> ManagementApi::Starters(const std::string& organization,
                                                         CallContext& ctx) {
  return ListOf(Ask({.path = "sharedtier/virtualWorkspaces", .organization = organization}, ctx),
                ReadVirtualWorkspace, "starter workspaces");
}

Result<VirtualWorkspace> ManagementApi::GetStarter(const std::string& id,
                                                   const std::string& organization,
                                                   CallContext& ctx) {
  return OneOf(Ask({.path = "sharedtier/virtualWorkspaces/" + net::UrlEncode(id),
                    .organization = organization},
                   ctx),
               ReadVirtualWorkspace, "a starter workspace");
}

Result<std::string> ManagementApi::CreateStarter(const StarterSpec& spec,
                                                 const std::string& organization,
                                                 CallContext& ctx) {
  const json::Value body = {{"name", spec.name},
                            {"databaseName", spec.database_name},
                            {"provider", spec.provider},
                            {"regionName", spec.region_name}};
  WARD_TRY(const json::Document answer, Ask({.method = "POST",
                                             .path = "sharedtier/virtualWorkspaces",
                                             .organization = organization,
                                             .body = body.dump()},
                                            ctx));
  std::string id = TextIn(answer.value(), "virtualWorkspaceID");
  if (id.empty()) return NotAsAgreed("the new workspace's id");
  return id;
}

Status ManagementApi::DeleteStarter(const std::string& id, const std::string& organization,
                                    CallContext& ctx) {
  WARD_TRY(const json::Document answer,
           Ask({.method = "DELETE",
                .path = "sharedtier/virtualWorkspaces/" + net::UrlEncode(id),
                .organization = organization},
               ctx));
  // The service answers with a bare boolean.
  if (answer.value().is_boolean() && !answer.value().get<bool>())
    return Error(ErrorKind::SourceUnreachable, "the managed service did not end the workspace");
  return Ok();
}

}  // namespace schemaward::workspaces
