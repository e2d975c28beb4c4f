#include "connect/sqlite/authorizer.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <sqlite3.h>

#include "guard/functions.h"

namespace schemaward::connect::sqlite_engine {
namespace {

// Those that only read, with an argument that names a table or an index, or none. A pragma with a
// value could set something.
constexpr auto kPragmas =
    std::to_array<std::string_view>({"foreign_key_list", "index_list", "index_xinfo",
                                     "schema_version", "table_list", "table_xinfo"});

// Functions that a view's own text may call are not run while the catalog is read, only resolved,
// but for this one.
constexpr std::string_view kNeverFunction = "load_extension";

bool IsListedPragma(std::string_view pragma, const char* value) {
  if (std::find(kPragmas.begin(), kPragmas.end(), pragma) == kPragmas.end()) return false;
  return value == nullptr || pragma != "schema_version";
}

bool IsAllowedToIntrospect(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return true;
    case SQLITE_UPDATE:
      // Asked when a virtual table declares its columns, pragma functions included; nothing is
      // updated, and the file could not be.
      return first != nullptr && std::string_view(first) == "sqlite_master";
    case SQLITE_FUNCTION:
      return second != nullptr && std::string_view(second) != kNeverFunction;
    case SQLITE_PRAGMA:
      return first != nullptr && IsListedPragma(first, second);
    default:
      return false;
  }
}

bool IsAllowedToQuery(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
      return true;
    case SQLITE_READ:
      return first != nullptr && std::string_view(first).substr(0, 7) != "sqlite_" &&
             std::string_view(first).substr(0, 7) != "pragma_";
    case SQLITE_FUNCTION:
      return second != nullptr &&
             (guard::IsListedFunction(second) || std::string_view(second) == "like");
    default:
      return false;
  }
}

}  // namespace

bool IsAllowed(Mode mode, int action, const char* first, const char* second) {
  return mode == Mode::Query ? IsAllowedToQuery(action, first, second)
                             : IsAllowedToIntrospect(action, first, second);
}

}  // namespace schemaward::connect::sqlite_engine
