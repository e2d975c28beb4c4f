#pragma once

// A text of several statements, reads and changes, for analysis. Nothing that this makes can be
// printed or approved: the guard reads with Read, which knows none of it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::sql::query {

inline constexpr std::size_t kStatementsMax = 5'000;  ///< of a script

/// A type as a definition writes it.
struct ColumnType {
  std::string name;                    ///< upper case, words joined: "DOUBLE PRECISION"
  std::vector<std::string> arguments;  ///< of VARCHAR(20), ENUM('a')
  bool is_array = false;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string ToText() const;
};

struct Reference {
  std::vector<Name> table;
  std::vector<Name> columns;  ///< empty: the primary key
  std::string on_delete;      ///< upper case, empty where it is not said
};

struct ColumnDefinition {
  Name name;
  ColumnType type;
  bool is_not_null = false;
  bool is_null = false;  ///< NULL is said
  bool is_primary_key = false;
  bool is_unique = false;
  bool is_counting = false;  ///< AUTO_INCREMENT, AUTOINCREMENT, IDENTITY
  bool is_generated = false;
  bool has_character_set = false;
  ExpressionPtr default_value;
  ExpressionPtr check;
  std::optional<Reference> references;
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class ConstraintKind : std::uint8_t { PrimaryKey, Unique, ForeignKey, Check, Index, Other };

struct TableConstraint {
  ConstraintKind kind = ConstraintKind::Other;
  Name name;
  std::vector<Name> columns;  ///< expressions are left out
  std::optional<Reference> references;
  ExpressionPtr check;
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class AlterKind : std::uint8_t {
  AddColumn,
  DropColumn,
  AlterType,
  SetNotNull,
  AddConstraint,
  Rename,
  Other
};

struct AlterAction {
  AlterKind kind = AlterKind::Other;
  ColumnDefinition column;  ///< of AddColumn; its name alone of those that name one
  TableConstraint constraint;
  bool is_not_valid = false;  ///< NOT VALID
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Assignment {
  std::vector<Name> column;
  ExpressionPtr value;
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class ChangeKind : std::uint8_t {
  Insert,
  Update,
  Delete,
  Merge,
  Truncate,
  CreateTable,
  CreateIndex,
  CreateView,
  CreateRoutine,
  Alter,
  Drop,
  Grant,
  Begin,
  Commit,
  Rollback,
  Other
};

/// A statement that is no read. Members that its kind does not have are empty.
struct Change {
  ChangeKind kind = ChangeKind::Other;
  std::vector<std::string> words;  ///< its first words, upper case; of Create..., Drop, Grant and
                                   ///< Other too: DROP TABLE, SET TRANSACTION ISOLATION LEVEL
  bool if_exists = false;          ///< IF EXISTS, or IF NOT EXISTS
  bool is_cascade = false;
  bool is_temporary = false;
  bool is_unique = false;      ///< of an index
  bool is_concurrent = false;  ///< of an index
  bool is_replacing = false;   ///< REPLACE INTO, INSERT OR REPLACE
  bool ignores_errors = false;
  bool has_conflict_clause = false;
  bool is_by_name = false;  ///< of Insert: the query's columns go where their names say
  bool has_default_values = false;
  bool is_security_definer = false;        ///< of a routine
  bool sets_search_path = false;           ///< of a routine
  std::vector<std::vector<Name>> objects;  ///< that it names: DROP TABLE a, b
  TableExpressionPtr target;  ///< of Insert, Update, Delete, CreateIndex, CreateTable...
  Query with;                 ///< common tables in front
  std::vector<Name> columns;  ///< of Insert, CreateIndex, CreateView
  std::vector<std::vector<ExpressionPtr>> rows;  ///< of Insert
  QueryPtr query;                                ///< of Insert, CreateView, CREATE TABLE AS
  std::vector<Assignment> assignments;           ///< of Update, and of a conflict clause
  std::vector<TableExpressionPtr> from;          ///< of Update, USING of Delete and Merge
  ExpressionPtr on;                 ///< of Merge; of a branch: what AND asks for besides
  std::vector<Name> using_columns;  ///< of Merge
  std::vector<Change> branches;     ///< of Merge: what each WHEN does
  bool is_of_merge = false;         ///< a branch; `target` is the table, where the action stands
  bool sees_target = true, sees_source = true;  ///< of a branch: the rows that it knows
  std::size_t common_begin = 0;  ///< of one in WITH: where its common table begins, never 0
  ExpressionPtr where;
  std::vector<OrderItem> order_by;
  ExpressionPtr limit;
  std::vector<Output> returning;
  std::vector<ColumnDefinition> definitions;  ///< of CreateTable
  std::vector<TableConstraint> constraints;   ///< of CreateTable
  std::vector<std::string> options;           ///< words after a table's definition, upper case
  std::vector<AlterAction> actions;
  std::vector<std::string> privileges;  ///< of Grant, upper case
  std::vector<Name> grantees;
};

/// One statement of a script. Ranges are bytes of the script.
struct ScriptStatement {
  std::optional<Statement> read;  ///< a query, or what describes the schema
  std::optional<Change> change;
  std::vector<Change> inner;     ///< changes in WITH
  std::optional<Error> failure;  ///< SqlSyntax, or NotARead for a form that is not read
  std::size_t failed_begin = 0, failed_end = 0;
  bool is_skimmed = false;                       ///< a change whose words were not all looked at
  std::size_t begin = 0, head_end = 0, end = 0;  ///< without the semicolon
};

struct Script {
  std::vector<ScriptStatement> statements;
  std::size_t left_out = 0;  ///< statements beyond kStatementsMax
};

/// Reads every statement; one that cannot be read spoils no other. Pure; thread: any.
Script ReadScript(std::string_view text, const Dialect& dialect);

}  // namespace schemaward::sql::query
