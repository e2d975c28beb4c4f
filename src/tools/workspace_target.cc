#include "tools/workspace_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "net/url.h"
#include "text/nearest.h"
#include "tools/names.h"
#include "tools/workspace_answer.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kNear = 3;

Result<SqlTarget> OfDirect(const Services& services, const store::Source& found,
                           const std::optional<std::string>& database) {
  WARD_TRY(const Scope scope, ResolveScope(services, found.name));
  SqlTarget target;
  target.source = scope.sources.front();
  target.workspace_id = target.workspace_name = target.source.name;
  target.workspace_type = "dedicated";
  target.database = target.source.database;
  const bool is_other = database && !database->empty() && !target.database.empty() &&
                        LowerAscii(*database) != LowerAscii(target.database);
  if (is_other)
    return std::move(Error(ErrorKind::UnknownSource,
                           fmt::format("direct target \"{}\" serves database \"{}\" only",
                                       found.name, target.database))
                         .Near({target.database}));
  return target;
}

// The URI of a workspace's database. Beyond this machine the server's certificate is checked.
std::string LocationOf(const workspaces::Endpoint& endpoint, const std::string& user,
                       const std::string& database, const std::string& authority) {
  const bool is_v6 = endpoint.host.find(':') != std::string::npos;
  std::string uri = fmt::format("mysql://{}@{}:{}", net::UrlEncode(user),
                                is_v6 ? '[' + endpoint.host + ']' : endpoint.host, endpoint.port);
  if (!database.empty()) uri += '/' + net::UrlEncode(database);
  if (net::IsLoopback(LowerAscii(endpoint.host))) return uri;
  uri += "?ssl-mode=verify-identity";
  if (!authority.empty()) uri += "&ssl-ca=" + net::UrlEncode(authority);
  return uri;
}

Result<SqlTarget> OfCloud(const Services& services, const std::string& id,
                          const std::optional<std::string>& database, CallContext& ctx) {
  workspaces::Cloud& cloud = *services.cloud;
  WARD_TRY(const workspaces::Endpoint endpoint, cloud.Find(id, ctx));
  WARD_TRY(const workspaces::Login login, cloud.LoginFor(ctx));
  SqlTarget target;
  target.workspace_id = endpoint.workspace_id;
  target.workspace_name = endpoint.workspace_name;
  target.workspace_type = endpoint.workspace_type;
  target.database = database && !database->empty() ? *database : endpoint.database;
  const std::string name = target.database.empty()
                               ? endpoint.workspace_name
                               : endpoint.workspace_name + '/' + target.database;
  target.attached =
      AttachSpec{.name = name,
                 .engine = "mysql",
                 .location = LocationOf(endpoint, login.user, target.database, cloud.authority()),
                 .secret = login.secret};
  WARD_TRY(target.source, services.sources.Attach(*target.attached, ctx));
  return target;
}

}  // namespace

Result<SqlTarget> FindSqlTarget(const Services& services, const std::string& id,
                                const std::optional<std::string>& database, CallContext& ctx) {
  WARD_TRY(const auto direct, DirectTargets(services));
  const auto found = std::find_if(direct.begin(), direct.end(),
                                  [&](const store::Source& one) { return one.name == id; });
  if (found != direct.end()) return OfDirect(services, *found, database);
  WARD_TRY(const bool asks, AsksCloud(services, ctx));
  std::vector<std::string> names;
  for (const store::Source& one : direct) names.push_back(one.name);
  if (!asks && names.empty()) return workspaces::NoCredential("a workspace");
  if (asks) {
    auto target = OfCloud(services, id, database, ctx);
    if (target || target.error().kind() != ErrorKind::UnknownSource || names.empty()) return target;
  }
  return std::move(
      Error(ErrorKind::UnknownSource, fmt::format("no workspace has the id \"{}\"", id))
          .Near(text::FindNearestNames(id, names, kNear))
          .Hint("workspaces_info and get_virtual_workspaces list the ids."));
}

Status LookAgain(const Services& services, SqlTarget& target, CallContext& ctx) {
  if (!target.attached) return Ok();
  target.attached->look_again = true;
  WARD_TRY(target.source, services.sources.Attach(*target.attached, ctx));
  return Ok();
}

}  // namespace schemaward::tools
