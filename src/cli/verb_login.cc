// schemaward login, schemaward logout: a person's login at the managed service of the workspaces.

#include "app/cloud_parts.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace schemaward::cli {
namespace {

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

}  // namespace

void AddLogin(Syntax& program, CommandLine& /*line*/) {
  program.Verb(
      "login",
      "Log in at the managed service whose workspaces the set workspaces serves, by a browser",
      "  SCHEMAWARD_WORKSPACES_OAUTH_CLIENT_ID=... schemaward login", RunLogin);
  program.Verb("logout", "Forget that login", "  schemaward logout", RunLogout);
}

}  // namespace schemaward::cli
