#pragma once

// From the names in a call to the objects of the index. [R-NAME-1] Errors come with the nearest
// names; the tool adds the next call.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "catalog/catalog.h"
#include "sql/dialect.h"
#include "store/store.h"
#include "tools/services.h"

namespace schemaward::tools {

/// The indexed sources that a call may speak of; at least one.
struct Scope {
  std::vector<store::Source> sources;
  std::vector<std::int64_t> ids() const;
  const store::Source* Find(std::int64_t source_id) const;
  /// Grows with each index of any of them.
  std::int64_t generation() const;
  /// When the oldest of them was indexed, as ISO time.
  std::string indexed_at() const;
};

/// Returns the indexed ones among the served sources, or the one named. Errors: UnknownSource (near
/// names; no call), IndexNotReady and IndexBuilding (a call that needs no source).
Result<Scope> ResolveScope(const Services& services, const std::optional<std::string>& source);

/// A table, its source, and its name as it is written in answers.
struct FoundTable {
  store::Source source;
  store::TableEntry entry;
  std::string qualified_name;
};

/// Returns the table that `name` means: schema.table, source:schema.table or a short name that fits
/// one table. Case folds unless two names differ only by case. Errors: MalformedName,
/// AmbiguousName, UnknownTable; with near names, without a call.
Result<FoundTable> FindTable(const Services& services, const Scope& scope, std::string_view name);

/// The same without a word about what was not found: nothing where the name means no table, or
/// several. Asks no source.
Result<std::optional<FoundTable>> LookUpTable(const Services& services, const Scope& scope,
                                              std::string_view name);

struct FoundColumn {
  FoundTable table;
  catalog::Table description;
  std::size_t column = 0;
  std::string qualified_name;  ///< schema.table.column
};

/// Returns the column that schema.table.column, or a shorter name that fits one table, means.
/// Errors: MalformedName, AmbiguousName, UnknownTable, UnknownColumn; near names are names of
/// columns.
Result<FoundColumn> FindColumn(const Services& services, const Scope& scope, std::string_view name);

/// As LookUpTable, for columns.
Result<std::optional<FoundColumn>> LookUpColumn(const Services& services, const Scope& scope,
                                                std::string_view name);

/// Returns the table's description. Errors: SchemaDrift when an index has removed it since it was
/// found.
Result<catalog::Table> Describe(const Services& services, const FoundTable& table);

/// Returns schema.table, or source:schema.table where another source in scope has a table of that
/// name.
Result<std::string> NameOf(const Services& services, const Scope& scope,
                           const store::TableEntry& entry);

/// True when `near` is so close to `wrong` that a call with it is worth suggesting.
bool IsLikely(std::string_view wrong, std::string_view near);

/// Returns the dialect in which SQL for `source` is written: its engine's, PostgreSQL's for a
/// source that is a description of a database. Lifetime: static.
const sql::Dialect& DialectOf(const store::Source& source);

/// Returns the words of a name as a search query: "public.user_accounts" gives "user accounts".
std::string AsQuery(std::string_view name);

}  // namespace schemaward::tools
