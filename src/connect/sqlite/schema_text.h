#pragma once

// What only the text of a CREATE statement tells: names of constraints, check conditions,
// expressions, comments. SQLite's pragmas tell the rest.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::connect::sqlite_engine {

struct ColumnText {
  std::string name;
  std::string comment;
  std::optional<std::string> generated;  ///< expression of a generated column
};

/// A named constraint; columns identify it.
struct ConstraintText {
  std::string name;
  std::vector<std::string> columns;
};

struct TableText {
  std::string comment;
  std::vector<ColumnText> columns;
  std::vector<catalog::Check> checks;        ///< in order; `name` is empty where none is given
  std::vector<ConstraintText> primary_keys;  ///< at most one, where it is named
  std::vector<ConstraintText> unique_keys;   ///< those that are named
  std::vector<ConstraintText> foreign_keys;  ///< those that are named
};

/// Reads CREATE TABLE. What does not read as one gives an empty answer: SQLite accepted it, so the
/// pragmas stand. Thread: any.
TableText ReadCreateTable(std::string_view sql);

/// Returns the select of a CREATE VIEW, or nothing where the text is none.
std::string ReadViewQuery(std::string_view sql);

/// Reads CREATE VIEW for its comment: what stands between its name and its first word. Thread: any.
std::string ReadViewComment(std::string_view sql);

struct IndexText {
  std::vector<std::string>
      items;  ///< text of each indexed column or expression, without ASC, DESC and COLLATE
  std::optional<std::string> predicate;  ///< of a partial index
};

/// Reads CREATE INDEX. Thread: any.
IndexText ReadCreateIndex(std::string_view sql);

/// A column and the only values that a check lets it have.
struct Labels {
  std::string column;
  std::vector<std::string> values;
};

/// Returns the labels that `expression` lists (column IN (literals), alone, with "OR column IS
/// NULL", as a chain of equalities, or joined with other conditions by AND), or nothing. Thread:
/// any.
inline constexpr std::size_t kLabelsMax = 1'000;
std::optional<Labels> ReadLabels(std::string_view expression);

}  // namespace schemaward::connect::sqlite_engine
