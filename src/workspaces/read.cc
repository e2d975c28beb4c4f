#include "workspaces/read.h"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

namespace schemaward::workspaces {
namespace {

constexpr std::size_t kTextMax = 500;    // bytes of a member
constexpr std::size_t kRangesMax = 100;  // firewall ranges that are kept

std::optional<std::int64_t> IntIn(const json::Value& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::string StateIn(const json::Value& object) {
  std::string state = TextIn(object, "state");
  return state.empty() ? std::string(kUnknownState) : state;
}

// "Azure" in one place of the service is "AZURE" in another: one spelling for all.
std::string ProviderIn(const json::Value& object) {
  std::string provider = TextIn(object, "provider");
  for (char& c : provider)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return provider;
}

std::string FirstOf(const json::Value& object, const std::array<std::string_view, 2>& names) {
  std::string text = TextIn(object, names[0]);
  return text.empty() ? TextIn(object, names[1]) : text;
}

}  // namespace

std::string TextIn(const json::Value& object, std::string_view name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  if (found == object.end() || found->is_null() || found->is_structured()) return {};
  if (found->is_boolean()) return found->get<bool>() ? "true" : "";
  std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  if (text.size() > kTextMax) text.resize(kTextMax);
  return text;
}

std::optional<Organization> ReadOrganization(const json::Value& entry) {
  Organization one{TextIn(entry, "orgID"), TextIn(entry, "name")};
  if (one.org_id.empty()) return std::nullopt;
  return one;
}

std::optional<Region> ReadRegion(const json::Value& entry) {
  Region one;
  one.region_id = TextIn(entry, "regionID");
  one.name = FirstOf(entry, {"region", "name"});
  one.region_name = TextIn(entry, "regionName");
  one.provider = ProviderIn(entry);
  if (one.name.empty()) one.name = one.region_name;
  if (one.name.empty()) return std::nullopt;
  return one;
}

std::optional<VirtualWorkspace> ReadVirtualWorkspace(const json::Value& entry) {
  VirtualWorkspace one;
  one.virtual_workspace_id = TextIn(entry, "virtualWorkspaceID");
  if (one.virtual_workspace_id.empty()) return std::nullopt;
  one.name = TextIn(entry, "name");
  one.state = StateIn(entry);
  one.endpoint = TextIn(entry, "endpoint");
  one.database_name = TextIn(entry, "databaseName");
  one.mysql_dml_port = IntIn(entry, "mysqlDmlPort");
  one.websocket_port = IntIn(entry, "websocketPort");
  return one;
}

std::optional<WorkspaceGroup> ReadWorkspaceGroup(const json::Value& entry) {
  WorkspaceGroup one;
  one.workspace_group_id = TextIn(entry, "workspaceGroupID");
  if (one.workspace_group_id.empty()) return std::nullopt;
  one.name = TextIn(entry, "name");
  one.state = StateIn(entry);
  one.deployment_type = TextIn(entry, "deploymentType");
  one.region_id = TextIn(entry, "regionID");
  one.region_name = TextIn(entry, "regionName");
  one.provider = ProviderIn(entry);
  one.created_at = TextIn(entry, "createdAt");
  one.expires_at = TextIn(entry, "expiresAt");
  one.terminated_at = TextIn(entry, "terminatedAt");
  if (const auto ranges = entry.find("firewallRanges"); ranges != entry.end())
    for (const json::Value& range : *ranges)
      if (range.is_string() && one.firewall_ranges.size() < kRangesMax)
        one.firewall_ranges.push_back(range.get<std::string>());
  if (const auto all = entry.find("allowAllTraffic"); all != entry.end() && all->is_boolean())
    one.allow_all_traffic = all->get<bool>();
  if (const auto window = entry.find("updateWindow"); window != entry.end() && window->is_object())
    one.update_window.text = window->dump().substr(0, kTextMax);
  if (!json::Parse(one.update_window.text)) one.update_window.text.clear();
  return one;
}

std::optional<Workspace> ReadWorkspace(const json::Value& entry) {
  Workspace one;
  one.workspace_id = TextIn(entry, "workspaceID");
  if (one.workspace_id.empty()) return std::nullopt;
  one.workspace_group_id = TextIn(entry, "workspaceGroupID");
  one.name = TextIn(entry, "name");
  one.state = StateIn(entry);
  one.size = TextIn(entry, "size");
  one.endpoint = TextIn(entry, "endpoint");
  one.deployment_type = TextIn(entry, "deploymentType");
  one.created_at = TextIn(entry, "createdAt");
  one.last_resumed_at = TextIn(entry, "lastResumedAt");
  one.terminated_at = TextIn(entry, "terminatedAt");
  return one;
}

std::optional<User> ReadUser(const json::Value& entry) {
  User one{TextIn(entry, "userID")};
  if (one.user_id.empty()) return std::nullopt;
  return one;
}

template <class T>
Listed<T> ReadList(const json::Value& list, std::optional<T> (*read)(const json::Value&)) {
  Listed<T> out;
  if (!list.is_array()) return out;
  for (const json::Value& entry : list) {
    auto one = entry.is_object() && out.items.size() < kEntriesMax ? read(entry) : std::nullopt;
    if (one)
      out.items.push_back(*std::move(one));
    else
      ++out.unreadable;
  }
  return out;
}

template Listed<Organization> ReadList(const json::Value&,
                                       std::optional<Organization> (*)(const json::Value&));
template Listed<Region> ReadList(const json::Value&, std::optional<Region> (*)(const json::Value&));
template Listed<VirtualWorkspace> ReadList(const json::Value&,
                                           std::optional<VirtualWorkspace> (*)(const json::Value&));
template Listed<WorkspaceGroup> ReadList(const json::Value&,
                                         std::optional<WorkspaceGroup> (*)(const json::Value&));
template Listed<Workspace> ReadList(const json::Value&,
                                    std::optional<Workspace> (*)(const json::Value&));

}  // namespace schemaward::workspaces
