#pragma once

// The Management API of the managed service: each call as a function. One renewal and one more try
// where a login's token is refused.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "json/value.h"
#include "net/http.h"
#include "workspaces/credentials.h"
#include "workspaces/types.h"

namespace schemaward::workspaces {

struct ApiSettings {
  std::string base_url = "https://api.singlestore.com/v1/";  ///< ends in '/'
  std::string graphql_url = "https://backend.singlestore.com/public";
  std::string authority{};  ///< PEM file of certificates to trust; empty: the system's
};

/// What a new starter workspace is to be.
struct StarterSpec {
  std::string name, database_name, provider, region_name;
};

/// Thread: any. Lifetime: client and credentials outlive it.
/// Errors of every call: MissingCredential; SourceAuthFailed (401), PermissionDenied (403),
/// UnknownSource (404), RateLimited (429, with the wait), SourceUnreachable (any other status but
/// 200 to 204, or a body that is not as agreed); as HttpClient. Told apart by the status alone.
/// `organization`: id of the chosen one, or empty; not sent with an API key, which has its own.
class ManagementApi {
 public:
  ManagementApi(ApiSettings settings, net::HttpClient& client, Credentials& credentials);

  Result<AuthKind> Kind(CallContext& ctx);
  Result<User> CurrentUser(CallContext& ctx);
  Result<Organization> CurrentOrganization(const std::string& organization, CallContext& ctx);
  /// By GraphQL; what the service says is wrong there is SourceUnreachable.
  Result<Listed<Organization>> Organizations(CallContext& ctx);
  Result<Listed<Region>> Regions(bool shared_tier, const std::string& organization,
                                 CallContext& ctx);
  Result<Listed<WorkspaceGroup>> Groups(const std::string& organization, CallContext& ctx);
  Result<Listed<Workspace>> WorkspacesOf(const std::string& group_id,
                                         const std::string& organization, CallContext& ctx);
  Result<Workspace> GetWorkspace(const std::string& id, const std::string& organization,
                                 CallContext& ctx);
  Status Resume(const std::string& id, std::optional<bool> disable_auto_suspend,
                const std::string& organization, CallContext& ctx);
  Result<Listed<VirtualWorkspace>> Starters(const std::string& organization, CallContext& ctx);
  Result<VirtualWorkspace> GetStarter(const std::string& id, const std::string& organization,
                                      CallContext& ctx);
  /// Returns the new id: the service gives no more.
  Result<std::string> CreateStarter(const StarterSpec& spec, const std::string& organization,
                                    CallContext& ctx);
  Status DeleteStarter(const std::string& id, const std::string& organization, CallContext& ctx);

  /// Returns the credential in force, for logins to workspaces. Errors: as Credentials::Get.
  Result<Credential> CredentialInForce(CallContext& ctx) { return credentials_.Get(ctx); }

 private:
  /// One call: method, path below the base URL, query members, JSON body (empty: none).
  struct Call {
    std::string method = "GET";
    std::string path{};
    std::string organization{};
    std::vector<std::pair<std::string, std::string>> query{};
    std::string body{};
    std::string url{};  ///< in place of base and path
  };
  Result<json::Document> Ask(const Call& call, CallContext& ctx);
  Result<net::HttpResponse> Send(const Call& call, const Credential& credential, CallContext& ctx);

  const ApiSettings settings_;
  net::HttpClient& client_;
  Credentials& credentials_;
};

}  // namespace schemaward::workspaces
