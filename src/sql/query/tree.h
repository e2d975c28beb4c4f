#pragma once

// The tree of a statement that somebody wrote as text. It keeps what the guard has to know (names,
// functions, selects, where each stands) and holds the rest of an expression as parts in print
// order. Every piece of text in it comes out of the reader's own vocabulary or is a literal in
// canonical form; nothing of the original text is kept. What it cannot hold is refused.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schemaward::sql::query {

/// A name as it was written.
struct Name {
  std::string text;         ///< without its quotes
  bool is_quoted = false;   ///< compared as it stands, in dialects that fold
  bool maybe_text = false;  ///< in "double quotes": SQLite reads it as a string where no such
                            ///< column is in scope
};

struct Expression;
struct Query;
using ExpressionPtr = std::unique_ptr<Expression>;
using QueryPtr = std::unique_ptr<Query>;

/// One piece of an expression in print order: text, then an operand, then a select; each may be
/// absent.
struct Part {
  std::string text;
  ExpressionPtr expression;
  QueryPtr query;
};

enum class ExpressionKind : std::uint8_t {
  Column,     ///< names: [[catalog.]schema.][table.]column
  Star,       ///< names: qualifier or nothing; `excluded` and `renamed` by DuckDB's clauses
  Literal,    ///< text, canonical
  Parameter,  ///< `number`
  Call,       ///< names: function; parts from its opening parenthesis on
  Syntax,     ///< form and parts; printed in parentheses where `is_operator`
};

/// A node of an expression.
struct Expression {
  ExpressionKind kind = ExpressionKind::Literal;
  std::vector<Name> names;
  std::string form;  ///< of Syntax: which production; of Literal: integer, decimal, text, word
  std::string text;  ///< of Literal: as printed; of a text literal its value is in `value`
  std::string value;
  std::size_t number = 0;  ///< of Parameter: its place among the values, from 1
  std::vector<Part> parts;
  bool is_operator = false;
  bool has_window = false;     ///< of Call: followed by OVER
  std::vector<Name> excluded;  ///< of Star; its parts are the values of columns by name
  std::vector<std::pair<Name, Name>> renamed;  ///< of Star: a column and its new name
  std::size_t begin = 0;                       ///< bytes of the text it was read from
  std::size_t end = 0;
};

struct OrderItem {
  ExpressionPtr expression;
  std::string suffix;  ///< " DESC", " NULLS LAST"...
};

struct Output {
  ExpressionPtr expression;
  Name alias;             ///< empty where there is none
  std::size_t begin = 0;  ///< bytes of the text it was read from, with the alias
  std::size_t end = 0;
};

enum class TableKind : std::uint8_t { Table, Function, Derived, Join };

struct TableExpression;
using TableExpressionPtr = std::unique_ptr<TableExpression>;

/// An item of FROM.
struct TableExpression {
  TableKind kind = TableKind::Table;
  std::vector<Name> names;  ///< of Table: [[catalog.]schema.]table
  bool is_only = false;     ///< without the rows of tables that inherit from it
  ExpressionPtr call;       ///< of Function
  bool with_ordinality = false;
  QueryPtr query;  ///< of Derived
  bool is_lateral = false;
  Name alias;
  std::vector<Name> columns;              ///< names that the alias gives to the columns
  std::vector<std::string> column_types;  ///< of a function's result, one for each name, or none
  std::string sample;                     ///< " TABLESAMPLE SYSTEM (10)" or nothing
  std::string hint;                       ///< " NOT INDEXED", " IGNORE INDEX (`i`)" or nothing
  // Of Join:
  std::string join;  ///< " JOIN ", " NATURAL LEFT JOIN ", ...
  bool is_natural = false;
  bool is_merging_right =
      false;  ///< the right side's value can be the merged column's (RIGHT, FULL)
  TableExpressionPtr left, right;
  ExpressionPtr on;
  std::vector<Name> using_columns;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// name AS (spec) of a WINDOW clause.
struct NamedWindow {
  Name name;
  ExpressionPtr spec;  ///< a Syntax of form "window"
};

/// SELECT ... or VALUES ....
struct Core {
  std::vector<std::vector<ExpressionPtr>> values;  ///< rows of VALUES; a SELECT where empty
  bool is_distinct = false;
  std::vector<ExpressionPtr> distinct_on;
  std::vector<Output> outputs;
  std::vector<TableExpressionPtr> from;  ///< separated by commas
  ExpressionPtr where;
  std::vector<ExpressionPtr> group_by;
  bool groups_all = false;   ///< GROUP BY ALL
  std::string group_suffix;  ///< " WITH ROLLUP"
  ExpressionPtr having;
  std::vector<NamedWindow> windows;
  ExpressionPtr qualify;
  std::string sample;        ///< " USING SAMPLE 10 ROWS" or nothing
  std::size_t begin = 0;     ///< bytes of the text it was read from
  std::size_t head_end = 0;  ///< of its first word
  std::size_t end = 0;
};

/// A member of a set operation.
struct SetTerm {
  std::string op;  ///< "" of the first, " UNION ALL ", ...
  Core core;
  QueryPtr nested;  ///< in parentheses; then `core` is not used
};

struct CommonTable {
  Name name;
  std::vector<Name> columns;
  QueryPtr query;             ///< null where a script's WITH holds a change
  bool adds_columns = false;  ///< SEARCH or CYCLE, in a script
  std::size_t begin = 0;      ///< bytes of its name
  std::size_t end = 0;
};

struct Query {
  bool is_recursive = false;
  std::vector<CommonTable> with;
  std::vector<SetTerm> terms;  ///< at least one
  std::vector<OrderItem> order_by;
  bool orders_all = false;        ///< ORDER BY ALL
  std::string orders_all_suffix;  ///< " DESC", " NULLS LAST"...
  ExpressionPtr limit, offset;
  bool has_ties = false;  ///< FETCH FIRST ... WITH TIES
  std::string lock;       ///< of a script: UPDATE, SHARE...; what is read for the guard has none
  std::size_t begin = 0;  ///< bytes of the text it was read from
  std::size_t end = 0;
};

enum class StatementKind : std::uint8_t {
  Select,
  Explain,  ///< of `query`, without running it
  Catalog,  ///< SHOW TABLES, DESCRIBE t, PRAGMA table_info(t), SUMMARIZE t: `form` and `table`, or
            ///< `query` in the table's place
};

struct Statement {
  StatementKind kind = StatementKind::Select;
  std::string form;  ///< of Catalog: show_tables, show_all_tables, describe, summarize, pragma_...
  bool is_full = false;      ///< of MySQL's SHOW FULL
  ExpressionPtr like;        ///< of MySQL's SHOW TABLES LIKE: a text
  TableExpressionPtr table;  ///< of Catalog, where it names one
  QueryPtr query;
  std::size_t parameters = 0;  ///< number of values that it needs
};

/// Builds a Syntax node. `parts` are printed in order.
ExpressionPtr MakeSyntax(std::string form, std::vector<Part> parts, bool is_operator);
Part TextPart(std::string text);
Part ValuePart(std::string before, ExpressionPtr value);
Part QueryPart(std::string before, QueryPtr query);

}  // namespace schemaward::sql::query
