#pragma once

// Applies parsed statements, in order, to a SchemaState.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "connect/ddl/parse.h"
#include "connect/ddl/state.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's own names
struct PgQuery__AlterTableCmd;
struct PgQuery__AlterTableStmt;
struct PgQuery__ColumnDef;
struct PgQuery__Constraint;
struct PgQuery__CreateForeignTableStmt;
struct PgQuery__CreateStmt;
struct PgQuery__IndexElem;
struct PgQuery__IndexStmt;
struct PgQuery__RangeVar;
struct PgQuery__TableLikeClause;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace schemaward::connect::ddl {

/// What a statement is about, told from its first words.
enum class Relevance : std::uint8_t {
  Structure,  ///< to be parsed and applied
  Ignored,    ///< a statement that says nothing of tables and types
  Foreign,    ///< IMPORT FOREIGN SCHEMA: makes tables that only a server knows
};

/// `head`: the first words, as ScriptReader gives them.
Relevance Classify(const std::vector<std::string>& head, std::string_view text);

/// Applies one statement. Errors: InputUnreadable when it names what the script has not created, or
/// creates it twice; what could be applied of it has been. A message is safe to show.
Status Apply(const Node* statement, SchemaState& state);

/// Splits the text of a search_path setting.
std::vector<std::string> SplitSearchPath(std::string_view text);

// The parts, one file a kind of object; for Apply and each other.

/// foreign: the statement that `create` is the base of; null where it makes a table of its own.
Status ApplyCreateTable(const PgQuery__CreateStmt& create,
                        const PgQuery__CreateForeignTableStmt* foreign,
                        std::string_view default_schema, SchemaState& state);
Status ApplyAlterTable(const PgQuery__AlterTableStmt& alter, SchemaState& state);
Status ApplyIndex(const PgQuery__IndexStmt& index, std::string_view default_schema,
                  SchemaState& state);
Status ApplyType(const Node* statement, SchemaState& state);
Status ApplyView(const Node* statement, std::string_view default_schema, SchemaState& state);
Status ApplyComment(const Node* statement, SchemaState& state);
Status ApplyDrop(const Node* statement, SchemaState& state);
Status ApplyRename(const Node* statement, SchemaState& state);
Status ApplySetSchema(const Node* statement, SchemaState& state);
Status ApplySetting(const Node* statement, SchemaState& state);

/// Constraints of a table that are applied once all its columns stand.
struct PendingConstraint {
  const PgQuery__Constraint* constraint = nullptr;
  std::optional<std::size_t> column;  ///< of a constraint written with a column
};

Status AddColumn(const PgQuery__ColumnDef& definition, Relation& relation, SchemaState& state,
                 std::vector<PendingConstraint>& pending);
/// Applies constraints in the order in which PostgreSQL names them: checks, keys, foreign keys.
Status AddConstraints(const std::vector<PendingConstraint>& pending, Relation& relation,
                      SchemaState& state);
Status CopyLike(const PgQuery__TableLikeClause& like, Relation& relation, SchemaState& state);

/// Labels that a condition allows for one column.
struct ColumnLabels {
  std::string column;
  std::vector<std::string> labels;
};

/// Reads column IN (...), column = ANY (ARRAY[...]), column = ... OR column = ..., each maybe OR
/// column IS NULL, maybe one leg of an AND.
std::optional<ColumnLabels> LabelsOf(const Node* condition);

/// Returns the expression of an index element or its column.
IndexPart ReadIndexPart(const PgQuery__IndexElem& element, const Relation& relation);

/// Fills in target and target columns as far as they are known by now.
void ResolveForeignKey(ForeignKeyState& key, const SchemaState& state);

Relation* FindRelation(const PgQuery__RangeVar& name, const SchemaState& state);
bool IsTemporary(const PgQuery__RangeVar& name);

/// Makers of repeated errors.
Error NotCreated(std::string_view kind, std::string_view schema, std::string_view name);
Error CreatedTwice(std::string_view schema, std::string_view name);
Error NoSuchColumn(const Relation& relation, std::string_view column);
Error TwoColumns(const Relation& relation, std::string_view column);

}  // namespace schemaward::connect::ddl
