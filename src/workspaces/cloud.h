#pragma once

// Cloud: the managed service as the tools use it: the API, whose organization is asked, and where a
// workspace is reached by SQL.

#include <cstdint>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "connect/secret.h"
#include "workspaces/api.h"
#include "workspaces/selection.h"

namespace schemaward::workspaces {

/// How SQL logs in to a workspace where the API's credential is a key, which no engine takes.
struct SqlLogin {
  std::string user{};                                             ///< empty: none is configured
  std::string secret_ref = "env:SCHEMAWARD_WORKSPACES_PASSWORD";  ///< of its password
};

/// A workspace that SQL can be sent to.
struct Endpoint {
  std::string workspace_id, workspace_name;
  std::string workspace_type;  ///< shared | dedicated
  std::string host{};
  std::int64_t port = 3306;
  std::string database{};  ///< of a starter workspace; else empty
};

/// Who SQL logs in as. `secret` is for one connect.
struct Login {
  std::string user, secret;
};

/// Thread: any. Lifetime: what it is made of outlives it.
class Cloud {
 public:
  Cloud(ManagementApi& api, Selection& selection, connect::Environment environment, SqlLogin login,
        std::string authority);

  ManagementApi& api() { return api_; }
  Selection& selection() { return selection_; }
  /// PEM file of certificates to trust; empty: the system's.
  const std::string& authority() const { return authority_; }

  /// True when there is a credential, so that the service can be asked. Errors: as
  /// Credentials::Get.
  Result<bool> IsConfigured(CallContext& ctx);
  /// Returns the id of the organization to ask for; empty: the credential's own.
  std::string OrganizationOf(const CallContext& ctx);

  /// Finds the workspace or starter workspace `id`, which may have the prefix ws-. Errors:
  /// UnknownSource; SourceUnreachable when it has no endpoint; as ManagementApi.
  Result<Endpoint> Find(const std::string& id, CallContext& ctx);

  /// Returns who SQL logs in as: with a token its user and the token itself, with an API key the
  /// login of the configuration. Errors: MissingCredential; as ManagementApi.
  Result<Login> LoginFor(CallContext& ctx);

  /// The user's id where an answer of the service has told it, else empty. Asks nobody.
  std::string KnownUser();
  /// Errors: as ManagementApi.
  Result<User> CurrentUser(CallContext& ctx);

 private:
  ManagementApi& api_;
  Selection& selection_;
  const connect::Environment environment_;
  const SqlLogin login_;
  const std::string authority_;
  Mutex mutex_;
  std::string user_id_ GUARDED_BY(mutex_);
};

/// Splits host, host:port or [address]:port; `port` stands where the text has none.
void SplitEndpoint(std::string_view text, std::string& host, std::int64_t& port);

}  // namespace schemaward::workspaces
