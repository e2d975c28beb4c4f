#pragma once

// What rules ask of a schema: keys, indexes, types, and which tables a join leads to.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "review/names.h"
#include "review/rule.h"
#include "review/shapes.h"

namespace schemaward::review {

/// What a column holds, as far as its type says.
enum class Family : std::uint8_t { NotKnown, Number, Text, Moment, Boolean, Uuid };

Family FamilyOf(const catalog::Column& column);
std::string_view WordOf(Family family);  ///< a number, a text, a moment...

/// A column of a table in one FROM.
struct UsedColumn {
  const TableUse* use = nullptr;
  std::string_view name;
};

/// "a = b" in ON, USING or in WHERE.
struct Equality {
  UsedColumn a, b;
  const Expression* at = nullptr;  ///< null for USING
};

/// What the conditions of one select say. Lifetime: the tree's and the names'.
struct Conditions {
  std::vector<Equality> equalities;
  std::vector<UsedColumn> fixed;  ///< equal to a constant, or grouped by
};
Conditions ReadConditions(const query::Core& core, const Names& names);

/// True where the columns of `use` that meet `known` tables or constants hold a whole key of it, so
/// that at most one row of it is met.
bool IsToOne(const TableUse& use, const std::set<const TableUse*>& known,
             const Conditions& conditions);

/// True where no NULL comes out of the query's only column: it is compared, or said not to be NULL,
/// in WHERE, HAVING or in the ON or USING of joins that no outer join undoes, or it is of a primary
/// key. False for what is not understood.
bool LeavesNullsOut(const query::Query& query, const Names& names);

/// True where the schema says what indexes the table has.
bool HasIndexFacts(const catalog::Table& table);
/// True where a key or index of the table begins with the column.
bool LeadsAnIndex(const catalog::Table& table, std::string_view column);
/// True where the engine says that the table is small: no index is missed.
bool IsSmall(const catalog::Table& table);

/// Column and what it is compared with, in "column op value" or "value op column".
struct Comparison {
  const Expression* column = nullptr;
  const Expression* other = nullptr;
};
/// The comparison in a node of =, <>, <, <=, >, >=; nothing elsewhere.
std::optional<Comparison> ComparisonOf(const Expression& node);

}  // namespace schemaward::review
