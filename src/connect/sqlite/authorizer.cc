#include "connect/sqlite/authorizer.h"

#include <array>
#include <string_view>

#include <sqlite3.h>

#include "base/contains.h"
#include "connect/sqlite/functions.h"
#include "guard/function_list.h"

namespace schemaward::connect::sqlite_engine {
namespace {

// Those that only read, with an argument that names a table or an index, or none. A pragma with a
// value could set something.
constexpr auto kNamingPragmas = std::to_array<std::string_view>(
    {"foreign_key_list", "index_list", "index_xinfo", "table_list", "table_xinfo"});
constexpr auto kBarePragmas =
    std::to_array<std::string_view>({"data_version", "page_size", "schema_version"});

// Functions that a view's own text may call are not run while the catalog is read, only resolved,
// but for this one.
constexpr std::string_view kNeverFunction = "load_extension";

// A virtual table that is connected declares its columns, which asks for this, and FTS and R-tree
// look at these pragmas. Nothing is updated: the text that runs is not theirs, and the file is
// opened read-only.
bool IsOfVirtualTable(int action, const char* first, const char* second) {
  if (first == nullptr) return false;
  const bool is_schema = std::string_view(first) == "sqlite_master";
  if (action == SQLITE_UPDATE) return is_schema;
  if (action == SQLITE_READ)
    return is_schema && second != nullptr && std::string_view(second) == "ROWID";
  return action == SQLITE_PRAGMA && second == nullptr && Contains(kBarePragmas, first);
}

bool IsAllowedToIntrospect(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      // The last three: R-tree prepares the statements that keep its shadow tables when it is
      // connected. Our own text in this mode is fixed, and the file is opened read-only.
      return true;
    case SQLITE_FUNCTION:
      return second != nullptr && std::string_view(second) != kNeverFunction;
    case SQLITE_PRAGMA:
      if (first != nullptr && Contains(kNamingPragmas, first)) return true;
      return IsOfVirtualTable(action, first, second);
    default:
      return IsOfVirtualTable(action, first, second);
  }
}

// The operators of JSON are functions to the engine.
bool IsJsonOperator(std::string_view function) { return function == "->" || function == "->>"; }

// Words of the clock are functions to the engine, by these names.
bool IsClock(std::string_view function) {
  return function == "current_date" || function == "current_time" ||
         function == "current_timestamp";
}

// sqlite_schema, by its old name, holds names and the texts that made them.
bool IsSystemTable(std::string_view table) {
  if (table == "sqlite_master") return false;
  return table.substr(0, 7) == "sqlite_" || table.substr(0, 7) == "pragma_" || table == "dbstat";
}

// Those that the guard reads as statements.
constexpr auto kQueryPragmas = std::to_array<std::string_view>(
    {"foreign_key_list", "index_list", "index_xinfo", "table_info", "table_xinfo"});

// What a session sets for a statement whose joins could tell what is blocked.
constexpr std::string_view kOwnPragma = "automatic_index";

bool IsAllowedToQuery(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return true;
    case SQLITE_READ:
      return first != nullptr && (!IsSystemTable(first) || IsOfVirtualTable(action, first, second));
    case SQLITE_FUNCTION:
      return second != nullptr &&
             (guard::FindFunction(sql::Sqlite(), second) != nullptr || IsOwnFunction(second) ||
              IsJsonOperator(second) || IsClock(second));
    case SQLITE_PRAGMA:
      if (first == nullptr) return false;
      // Of a connection that is the session's alone; a join without an index is slower, no more.
      if (first == kOwnPragma) return second != nullptr && std::string_view(second) == "off";
      if (second != nullptr && Contains(kQueryPragmas, first)) return true;
      if (second == nullptr && std::string_view(first) == "table_list") return true;
      return IsOfVirtualTable(action, first, second);
    default:
      return IsOfVirtualTable(action, first, second);
  }
}

}  // namespace

bool IsAllowed(Mode mode, int action, const char* first, const char* second) {
  return mode == Mode::Query ? IsAllowedToQuery(action, first, second)
                             : IsAllowedToIntrospect(action, first, second);
}

}  // namespace schemaward::connect::sqlite_engine
