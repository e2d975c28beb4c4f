#pragma once

// From the id of run_sql to a source that the guard and the connector know: a direct target, or a
// workspace of the managed service, which is attached at its first use.

#include <optional>
#include <string>

#include "tools/services.h"

namespace schemaward::tools {

/// Where a statement goes.
struct SqlTarget {
  store::Source source;
  std::string workspace_id, workspace_name;
  std::string workspace_type;          ///< shared | dedicated
  std::string database;                ///< may be empty: all that the role may see
  std::optional<AttachSpec> attached;  ///< of the managed service: how it was attached
};

/// Finds the workspace `id`. Errors: UnknownSource with near ids; MissingCredential;
/// IndexNotReady for a direct target without an index; UnknownSource when a direct target has
/// another database than `database`; as workspaces::Cloud and SourceAccess::Attach.
Result<SqlTarget> FindSqlTarget(const Services& services, const std::string& id,
                                const std::optional<std::string>& database, CallContext& ctx);

/// Attaches the target's database again and reads its catalog anew: a table that the index does not
/// have may be there now. Nothing for a direct target. Errors: as SourceAccess::Attach.
Status LookAgain(const Services& services, SqlTarget& target, CallContext& ctx);

}  // namespace schemaward::tools
