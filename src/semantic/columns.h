#pragma once

// From the name of a column in a question or a definition to the column of the model.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/model.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// A column or dimension of an entity, and what the entity is called where it stands.
struct ColumnTarget {
  std::size_t node = 0;
  const ModelEntity* entity = nullptr;
  std::string role;  ///< where the name began with a role: the path's last leg has it
  const catalog::Column* column = nullptr;  ///< one of the two is set
  const Dimension* dimension = nullptr;
  std::string name;  ///< canonical: entity.column or role.column
  /// The column's or dimension's own name.
  const std::string& own_name() const;
  /// The type as the engine prints it, or as the dimension says; may be empty.
  const std::string& type() const;
};

/// Returns the column that `text` means: entity.column, role.column, a table's name in the entity's
/// place, or a column alone: of `fact`, else of the only entity that has it. Case folds where one
/// name fits. Errors: `kind` when the entity has no such column (near names as entity.column);
/// UnknownEntity when nothing is called as its first part; MalformedName for any other shape.
Result<ColumnTarget> FindColumnTarget(const Model& model, std::size_t fact, std::string_view text,
                                      ErrorKind kind);

/// Returns what a column of this type holds, or nothing where it holds no time.
std::optional<sql::TimeKind> TimeKindOf(std::string_view type);

/// True for types that one number is read from: no array of them.
bool IsNumericType(std::string_view type);

/// Returns the columns of time of an entity, as entity.column: its default, else all whose type
/// holds time.
std::vector<std::string> TimeColumnsOf(const ModelEntity& entity);

}  // namespace schemaward::semantic
