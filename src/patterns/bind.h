#pragma once

// Which table and columns of a schema fill the parameters of a pattern: by types, by keys, by
// names.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "patterns/pattern.h"
#include "sql/dialect.h"

namespace schemaward::patterns {

/// Most tables that are weighed for one parameter beside those that keys lead to.
inline constexpr std::size_t kTablesWeighedMax = 12;

/// What somebody says a parameter is.
struct Given {
  std::string parameter;
  std::string fills;                      ///< a column's name, or a value's text
  const catalog::Table* table = nullptr;  ///< of a table; among those that are bound to
};

/// What fills one parameter.
struct Filling {
  std::string parameter;
  Fills fills = Fills::Value;
  std::string value;  ///< schema.table, a column's name, or a value as SQL; empty: nothing does
  std::string how;    ///< why, in a few words
  std::vector<std::string> alternatives;  ///< next best names, best first
  const catalog::Table* table = nullptr;  ///< of a table
};

struct Binding {
  std::vector<Filling> fillings;      ///< one per parameter of the pattern, in order
  std::vector<std::string> unfilled;  ///< names of parameters that nothing fills
  std::vector<std::string> unknown;   ///< names of parameters whose given column is not there
};

/// Proposes what fills each parameter that is not given. Tables of the schema are used once each.
/// `tables`: only those, and only those of their columns, that may be named. Lifetime: `tables`
/// outlive what is returned. Thread: any.
Binding Propose(const Pattern& pattern, const std::vector<const catalog::Table*>& tables,
                const std::vector<Given>& given, const sql::Dialect& dialect);

/// Returns `sql` with quoted names in it. Requires: nothing is unfilled.
std::string BoundSql(const Pattern& pattern, std::string_view sql, const Binding& binding,
                     const sql::Dialect& dialect);

}  // namespace schemaward::patterns
