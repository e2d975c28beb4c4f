#pragma once

// The client of the managed service, put together as the configuration says; and a login at it.

#include <functional>
#include <string>

#include "app/application.h"
#include "net/lazy_client.h"
#include "net/retrying_client.h"
#include "workspaces/cloud.h"

namespace schemaward::app {

/// Owns the parts in the order in which each needs the one before. Opens and asks nothing by
/// itself. Thread: any. Lifetime: the application outlives it.
class CloudParts {
 public:
  explicit CloudParts(const Application& application);
  workspaces::Cloud& cloud() { return cloud_; }

 private:
  net::LazyHttpClient client_;
  net::RetryingClient retrying_;
  workspaces::Credentials credentials_;
  workspaces::ManagementApi api_;
  workspaces::Selection selection_;
  workspaces::Cloud cloud_;
};

/// Logs a person in and keeps the tokens: `show` is given the URL to open. Errors: as
/// workspaces::LogIn and WriteTokens.
Status LogIn(const Application& application,
             const std::function<void(const std::string& url)>& show, CallContext& ctx);

/// Forgets the tokens of a login. Errors: InputUnreadable.
Status LogOut(const Application& application);

}  // namespace schemaward::app
