#pragma once

// What a managed service tells of itself, in the words of our answers. A member that the service
// did not give is empty, and absent where it is written.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/fields.h"

namespace schemaward::workspaces {

/// Said of a state that nobody told.
inline constexpr const char* kUnknownState = "UNKNOWN";

/// Id of the organization and of the group that hold the direct targets: sources of this program.
inline constexpr const char* kDirectId = "direct";
inline constexpr const char* kDirectName = "Direct targets";

struct Organization {
  std::string org_id, name;
  void Bind(json::Fields& f);
};

struct Region {
  std::string region_id, name, region_name, provider;
  bool shared_tier = false;
  void Bind(json::Fields& f);
};

/// A starter workspace.
struct VirtualWorkspace {
  std::string virtual_workspace_id, name, state = kUnknownState;
  std::string endpoint, database_name;
  std::optional<std::int64_t> mysql_dml_port, websocket_port;
  void Bind(json::Fields& f);
};

struct WorkspaceGroup {
  std::string workspace_group_id, name, state = kUnknownState;
  std::string deployment_type, region_id, region_name, provider;
  std::string created_at, expires_at, terminated_at;
  std::vector<std::string> firewall_ranges;
  std::optional<bool> allow_all_traffic;
  json::Raw update_window;  ///< as the service gives it
  void Bind(json::Fields& f);
};

struct Workspace {
  std::string workspace_id, workspace_group_id, name, state = kUnknownState;
  std::string workspace_type = "dedicated";  ///< dedicated | shared
  std::string origin = "management_api";     ///< management_api | direct
  std::string engine;                        ///< of a direct target
  std::string size, endpoint, database_name, deployment_type;
  std::string created_at, last_resumed_at, terminated_at;
  void Bind(json::Fields& f);
};

struct User {
  std::string user_id;
};

/// A list as far as it could be read.
template <class T>
struct Listed {
  std::vector<T> items;
  std::int64_t unreadable = 0;  ///< entries that were left out
};

}  // namespace schemaward::workspaces
