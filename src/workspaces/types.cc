#include "workspaces/types.h"

namespace schemaward::workspaces {

void Organization::Bind(json::Fields& f) {
  f("org_id", org_id, "as set_organization takes it");
  f("name", name, "of the organization");
}

void Region::Bind(json::Fields& f) {
  f("region_id", region_id, "of the region", {.omit_empty = true});
  f("name", name, "for people");
  f("region_name", region_name, "as create_starter_workspace takes it", {.omit_empty = true});
  f("provider", provider, "cloud provider");
  f("shared_tier", shared_tier, "starter workspaces can be made there", {.omit_empty = true});
}

void VirtualWorkspace::Bind(json::Fields& f) {
  f("virtual_workspace_id", virtual_workspace_id, "id of run_sql");
  f("name", name, "of the workspace");
  f("state", state, "as the service says; UNKNOWN where it does not");
  f("endpoint", endpoint, "host, or host:port", {.omit_empty = true});
  f("database_name", database_name, "its database", {.omit_empty = true});
  f("mysql_dml_port", mysql_dml_port, "port for SQL", {.omit_empty = true});
  f("websocket_port", websocket_port, "port for websockets", {.omit_empty = true});
}

void WorkspaceGroup::Bind(json::Fields& f) {
  f("workspace_group_id", workspace_group_id, "as workspaces_info takes it");
  f("name", name, "of the group");
  f("state", state, "as the service says; UNKNOWN where it does not");
  f("deployment_type", deployment_type, "PRODUCTION or NON-PRODUCTION", {.omit_empty = true});
  f("region_id", region_id, "of its region", {.omit_empty = true});
  f("region_name", region_name, "of its region", {.omit_empty = true});
  f("provider", provider, "cloud provider", {.omit_empty = true});
  f("created_at", created_at, "when it was made", {.omit_empty = true});
  f("expires_at", expires_at, "when it will end", {.omit_empty = true});
  f("terminated_at", terminated_at, "when it ended", {.omit_empty = true});
  f("firewall_ranges", firewall_ranges, "addresses that are let in", {.omit_empty = true});
  f("allow_all_traffic", allow_all_traffic, "every address is let in", {.omit_empty = true});
  f("update_window", update_window, "when the service updates it", {.omit_empty = true});
}

void Workspace::Bind(json::Fields& f) {
  f("workspace_id", workspace_id, "id of run_sql");
  f("workspace_group_id", workspace_group_id, "of its group");
  f("name", name, "of the workspace");
  f("state", state, "as the service says; UNKNOWN where it does not");
  f("workspace_type", workspace_type, "dedicated or shared");
  f("origin", origin, "management_api, or direct: a source of the configuration");
  f("engine", engine, "of a direct target", {.omit_empty = true});
  f("size", size, "as the service names it", {.omit_empty = true});
  f("endpoint", endpoint, "host, or host:port; absent while suspended", {.omit_empty = true});
  f("database_name", database_name, "of a direct target", {.omit_empty = true});
  f("deployment_type", deployment_type, "PRODUCTION or NON-PRODUCTION", {.omit_empty = true});
  f("created_at", created_at, "when it was made", {.omit_empty = true});
  f("last_resumed_at", last_resumed_at, "when it last started", {.omit_empty = true});
  f("terminated_at", terminated_at, "when it ended", {.omit_empty = true});
}

}  // namespace schemaward::workspaces
