#pragma once

// The store's file: creating it, its schema version, and migrations. docs/formats/store.md.

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

namespace schemaward::store {

/// Kept in PRAGMA user_version. Raise it, with a Migration, whenever a table or a kept struct
/// changes otherwise than by a member added at the end.
inline constexpr int kSchemaVersion = 6;
/// Kept in PRAGMA application_id: "SwrD". A file without it is somebody else's.
inline constexpr int kApplicationId = 0x53777244;

/// Brings a file from version `from` to from + 1.
struct Migration {
  int from;
  std::string_view sql;
};

/// Creates the file (0600, its folder 0700 where it is not there) or migrates it after a backup
/// named <path>.bak-v<version>. Waits for other processes that do the same. Errors: StoreUnusable
/// when there is no file and none is wanted, when it is no store, of a newer version (both are
/// named) or of one without a migration, or when its tables are not of the version that it says.
Status PrepareFile(const std::string& path, const StoreOptions& options);

/// The same with other migrations and another target, for tests.
Status MigrateFile(const std::string& path, const StoreOptions& options,
                   std::span<const Migration> migrations, int target);

}  // namespace schemaward::store
