#pragma once

// The service's JSON as our types. Members and words that are not known are let be; an entry that
// cannot be read is left out of its list and counted. Thread: any; pure.

#include <optional>
#include <string_view>

#include "json/value.h"
#include "workspaces/types.h"

namespace schemaward::workspaces {

/// Each returns nothing where the entry has no id.
std::optional<Organization> ReadOrganization(const json::Value& entry);
std::optional<Region> ReadRegion(const json::Value& entry);
std::optional<VirtualWorkspace> ReadVirtualWorkspace(const json::Value& entry);
std::optional<WorkspaceGroup> ReadWorkspaceGroup(const json::Value& entry);
std::optional<Workspace> ReadWorkspace(const json::Value& entry);
std::optional<User> ReadUser(const json::Value& entry);

/// The text member `name`; a number or boolean true as its text; else empty.
std::string TextIn(const json::Value& object, std::string_view name);

inline constexpr std::size_t kEntriesMax = 1'000;  ///< of a list; those beyond count as unreadable

/// Reads a list by one of the functions above; what is no list is empty.
template <class T>
Listed<T> ReadList(const json::Value& list, std::optional<T> (*read)(const json::Value&));

}  // namespace schemaward::workspaces
