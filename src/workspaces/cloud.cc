#include "workspaces/cloud.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace schemaward::workspaces {
namespace {

constexpr std::string_view kPrefix = "ws-";
constexpr std::int64_t kPortMax = 65'535;

std::string WithoutPrefix(const std::string& id) {
  return id.starts_with(kPrefix) && id.size() > kPrefix.size() ? id.substr(kPrefix.size()) : id;
}

Error NoEndpoint(const std::string& name, const std::string& state) {
  return std::move(
      Error(ErrorKind::SourceUnreachable,
            fmt::format("workspace \"{}\" has no endpoint; its state is {}", name, state))
          .Hint("Resume it with resume_workspace and try again once its state is ACTIVE."));
}

}  // namespace

void SplitEndpoint(std::string_view text, std::string& host, std::int64_t& port) {
  const std::size_t colon = text.rfind(':');
  const std::size_t bracket = text.rfind(']');
  // A second colon without brackets is an IPv6 address without a port.
  const bool is_address = bracket == std::string_view::npos && text.find(':') != colon;
  const bool has_port = colon != std::string_view::npos && !is_address &&
                        (bracket == std::string_view::npos || colon > bracket);
  std::string_view name = text;
  if (has_port) {
    std::int64_t number = 0;
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failed == std::errc() && end == digits.data() + digits.size() && number > 0 &&
        number <= kPortMax)
      port = number;
    name = text.substr(0, colon);
  }
  if (name.size() >= 2 && name.front() == '[' && name.back() == ']')
    name = name.substr(1, name.size() - 2);
  host = std::string(name);
}

Cloud::Cloud(ManagementApi& api, Selection& selection, connect::Environment environment,
             SqlLogin login, std::string authority)
    : api_(api),
      selection_(selection),
      environment_(std::move(environment)),
      login_(std::move(login)),
      authority_(std::move(authority)) {}

Result<bool> Cloud::IsConfigured(CallContext& ctx) {
  WARD_TRY(const AuthKind kind, api_.Kind(ctx));
  return kind != AuthKind::None;
}

std::string Cloud::OrganizationOf(const CallContext& ctx) {
  const auto chosen = selection_.Of(ctx.principal.id);
  return chosen && chosen->org_id != kDirectId ? chosen->org_id : std::string();
}

Result<Endpoint> Cloud::Find(const std::string& id, CallContext& ctx) {
  const std::string plain = WithoutPrefix(id);
  const std::string organization = OrganizationOf(ctx);
  Endpoint found;
  auto workspace = api_.GetWorkspace(plain, organization, ctx);
  if (workspace) {
    found = {workspace->workspace_id, workspace->name, "dedicated"};
    if (workspace->endpoint.empty()) return NoEndpoint(workspace->name, workspace->state);
    SplitEndpoint(workspace->endpoint, found.host, found.port);
    return found;
  }
  if (workspace.error().kind() != ErrorKind::UnknownSource) return std::move(workspace).error();
  auto starter = api_.GetStarter(plain, organization, ctx);
  if (!starter && starter.error().kind() == ErrorKind::UnknownSource)
    return Error(ErrorKind::UnknownSource, fmt::format("no workspace has the id \"{}\"", id));
  if (!starter) return std::move(starter).error();
  found = {starter->virtual_workspace_id, starter->name, "shared"};
  found.database = starter->database_name;
  if (starter->endpoint.empty()) return NoEndpoint(starter->name, starter->state);
  if (starter->mysql_dml_port && *starter->mysql_dml_port > 0 &&
      *starter->mysql_dml_port <= kPortMax)
    found.port = *starter->mysql_dml_port;
  SplitEndpoint(starter->endpoint, found.host, found.port);
  return found;
}

Result<Login> Cloud::LoginFor(CallContext& ctx) {
  WARD_TRY(const Credential credential, api_.CredentialInForce(ctx));
  if (credential.kind == AuthKind::None) return NoCredential("SQL");
  if (credential.kind != AuthKind::ApiKey) {
    WARD_TRY(const User user, CurrentUser(ctx));
    // The call above may have renewed the token.
    WARD_TRY(Credential fresh, api_.CredentialInForce(ctx));
    return Login{user.user_id, std::move(fresh.token)};
  }
  if (login_.user.empty())
    return std::move(Error(ErrorKind::MissingCredential,
                           "SQL with an API key needs a database user, and none is configured")
                         .Hint("Set workspaces.user and the variable of its password, "
                               "SCHEMAWARD_WORKSPACES_PASSWORD, in the server's configuration."));
  WARD_TRY(const connect::SecretRef ref, connect::ParseSecretRef(login_.secret_ref));
  WARD_TRY(std::string secret, connect::ResolveSecret(ref, environment_, ctx));
  return Login{login_.user, std::move(secret)};
}

std::string Cloud::KnownUser() {
  MutexLock lock(mutex_);
  return user_id_;
}

Result<User> Cloud::CurrentUser(CallContext& ctx) {
  WARD_TRY(User user, api_.CurrentUser(ctx));
  MutexLock lock(mutex_);
  user_id_ = user.user_id;
  return user;
}

}  // namespace schemaward::workspaces
