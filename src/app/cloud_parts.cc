#include "app/cloud_parts.h"

#include <filesystem>

#include "workspaces/oauth.h"

namespace schemaward::app {
namespace {

std::vector<std::filesystem::path> Folders() {
  return connect::ModuleFolders(connect::SystemEnvironment(), connect::BinaryFolder());
}

workspaces::CredentialSettings CredentialsOf(const Config& config) {
  return {config.Get("workspaces.api_key"), config.Get("workspaces.jwt"),
          config.Get("workspaces.tokens"), config.Get("workspaces.ca_file")};
}

workspaces::ApiSettings ApiOf(const Config& config) {
  std::string base = config.Get("workspaces.api_url");
  if (!base.ends_with('/')) base += '/';
  return {base, config.Get("workspaces.graphql_url"), config.Get("workspaces.ca_file")};
}

std::string ChoicesFile(const Config& config) {
  return std::filesystem::path(config.store_path()).replace_extension(".workspaces.json").string();
}

}  // namespace

CloudParts::CloudParts(const Application& application)
    : client_(Folders()),
      retrying_(client_),
      credentials_(CredentialsOf(application.config()), connect::SystemEnvironment(), client_),
      api_(ApiOf(application.config()), retrying_, credentials_),
      selection_(ChoicesFile(application.config()),
                 application.config().Get("workspaces.organization")),
      cloud_(api_, selection_, connect::SystemEnvironment(),
             {application.config().Get("workspaces.user"),
              application.config().Get("workspaces.password")},
             application.config().Get("workspaces.ca_file")) {}

Status LogIn(const Application& application,
             const std::function<void(const std::string& url)>& show, CallContext& ctx) {
  const Config& config = application.config();
  net::LazyHttpClient client(Folders());
  workspaces::LoginSettings settings;
  settings.issuer = config.Get("workspaces.oauth_issuer");
  settings.client_id = config.Get("workspaces.oauth_client_id");
  settings.authority = config.Get("workspaces.ca_file");
  WARD_TRY(const workspaces::Tokens tokens, workspaces::LogIn(settings, client, show, ctx));
  WARD_CHECK(EnsureStateFolder(config.store_path()));
  return workspaces::WriteTokens(config.Get("workspaces.tokens"), tokens);
}

Status LogOut(const Application& application) {
  return workspaces::RemoveTokens(application.config().Get("workspaces.tokens"));
}

}  // namespace schemaward::app
