#include "tools/workspace_answer.h"

#include <algorithm>

#include <fmt/format.h>

#include "json/value.h"

namespace schemaward::tools {
namespace {

bool EndsTheCall(const Error& error) {
  return error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::DeadlineExceeded;
}

// host:port of scheme://user@host:port/...; empty for files and for keyword strings.
std::string EndpointOf(const std::string& location) {
  const std::size_t scheme = location.find("://");
  if (scheme == std::string::npos) return {};
  std::string rest = location.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?"));
  const std::size_t at = rest.rfind('@');
  return at == std::string::npos ? rest : rest.substr(at + 1);
}

}  // namespace

tool::Failure FailureOf(const Error& error, std::string_view code, std::string_view lead,
                        Facts facts) {
  Error failed(error.kind(), std::string(lead) + error.message());
  failed.Detail(error.detail()).Hint(error.hint()).Private(error.private_detail());
  failed.Categories(error.pii_categories());
  failed.recovery() = error.recovery();
  if (const auto ms = error.retry_after_ms()) failed.RetryAfter(*ms);
  return {std::move(failed), std::string(code), std::move(facts)};
}

std::string FactText(std::string_view text) { return json::Quote(text); }

Result<std::vector<store::Source>> DirectTargets(const Services& services) {
  WARD_TRY(auto sources, services.store.ListSources());
  std::erase_if(sources, [&](const store::Source& source) {
    return IsDescription(source) || source.secret_ref == kAttachedSecret ||
           !services.IsServed(source);
  });
  return sources;
}

workspaces::Workspace ShowDirect(const store::Source& source) {
  workspaces::Workspace shown;
  shown.workspace_id = source.name;
  shown.workspace_group_id = workspaces::kDirectId;
  shown.name = source.name;
  shown.origin = "direct";
  shown.engine = source.engine;
  shown.endpoint = EndpointOf(source.location);
  shown.database_name = source.database;
  return shown;
}

Result<bool> AsksCloud(const Services& services, CallContext& ctx) {
  if (services.cloud == nullptr) return false;
  return services.cloud->IsConfigured(ctx);
}

Result<workspaces::Cloud*> CloudFor(const Services& services, std::string_view what,
                                    CallContext& ctx) {
  WARD_TRY(const bool is_there, AsksCloud(services, ctx));
  if (!is_there) return workspaces::NoCredential(what);
  return services.cloud;
}

std::string UserOf(const Services& services) {
  return services.cloud == nullptr ? std::string() : services.cloud->KnownUser();
}

Result<Collected<workspaces::Organization>> ListOrganizations(const Services& services,
                                                              CallContext& ctx) {
  Collected<workspaces::Organization> list;
  WARD_TRY(const bool asks, AsksCloud(services, ctx));
  WARD_TRY(const auto direct, DirectTargets(services));
  if (!asks && direct.empty()) return workspaces::NoCredential("a list of organizations");
  if (asks) {
    workspaces::ManagementApi& api = services.cloud->api();
    WARD_TRY(const workspaces::AuthKind kind, api.Kind(ctx));
    // A key belongs to one organization and cannot list others.
    if (kind != workspaces::AuthKind::ApiKey) {
      auto listed = api.Organizations(ctx);
      if (listed) {
        list.items = std::move(listed->items);
        list.unreadable = listed->unreadable;
      } else {
        if (EndsTheCall(listed.error())) return std::move(listed).error();
        list.failed = std::move(listed).error();
      }
    }
    if (kind == workspaces::AuthKind::ApiKey || list.failed) {
      auto current = api.CurrentOrganization("", ctx);
      if (current) {
        list.items.push_back(*std::move(current));
        list.failed.reset();
      } else {
        if (EndsTheCall(current.error())) return std::move(current).error();
        if (!list.failed) list.failed = std::move(current).error();
      }
    }
  }
  if (!direct.empty()) list.items.push_back({workspaces::kDirectId, workspaces::kDirectName});
  return list;
}

void PageIn::BindPage(json::Fields& f) {
  f("limit", limit, "most entries; 100 by default", {.minimum = 1, .maximum = kListMax});
  f("cursor", cursor, "next_cursor of the answer before", {.length_max = kCursorMax});
}

void PageOut::BindPage(json::Fields& f) {
  f("count", count, "number of entries given");
  f("total", total, "number of entries there are");
  f("truncated", truncated, "there are more entries", {.omit_empty = true});
  f("next_cursor", next_cursor, "pass as cursor for the next entries", {.omit_empty = true});
}

std::string WhyNotWhole(std::int64_t unreadable, const std::optional<Error>& failed,
                        const PageOut& page) {
  std::string why;
  const auto add = [&](const std::string& sentence) { why += (why.empty() ? "" : " ") + sentence; };
  if (failed) add("What the managed service has is missing: " + failed->message() + ".");
  if (unreadable > 0)
    add(fmt::format("{} entries of the managed service could not be read and are left out.",
                    unreadable));
  if (page.truncated)
    add(fmt::format("Only {} of {} entries are here; next_cursor gives the next.", page.count,
                    page.total));
  return why;
}

}  // namespace schemaward::tools
