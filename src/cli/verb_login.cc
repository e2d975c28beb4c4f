// schemaward login, schemaward logout: a person's login at the managed service of the workspaces.

#include "app/cloud_parts.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace schemaward::cli {

int RunLogin(const CommandLine& /*line*/, app::Application& app) {
  CallContext ctx = app.CommandContext();
  const auto show = [](const std::string& url) {
    PrintWords("Open this address in a browser and log in; it is waited for 5 minutes:");
    PrintWords(url);
  };
  const Status done = app::LogIn(app, show, ctx);
  if (!done) return PrintError(done.error());
  PrintWords("You are logged in. `schemaward logout` forgets it.");
  return kDone;
}

int RunLogout(const CommandLine& /*line*/, app::Application& app) {
  const Status done = app::LogOut(app);
  if (!done) return PrintError(done.error());
  PrintWords("The login is forgotten.");
  return kDone;
}

}  // namespace schemaward::cli
