#pragma once

// Finds out what a statement reads: every table, every column and where it stands, every function.
// Names are found in the catalog and written out on the tree, so that what is printed means the
// same whatever a session's search path says.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "guard/table_lookup.h"
#include "privacy/policy.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Where in a statement a column stands.
enum class Position : std::uint8_t {
  Output,     ///< in the select list
  Predicate,  ///< in WHERE, HAVING, QUALIFY, FILTER, ON
  Join,       ///< in USING, or compared by NATURAL
  Group,      ///< in GROUP BY, DISTINCT, PARTITION BY, a set operation
  Order       ///< in ORDER BY, of a window too
};

/// A column of a table that a value is made of.
struct Taint {
  const catalog::Table* table = nullptr;
  const catalog::Column* column = nullptr;
  /// It is a view's, and partly made by code that nothing here reads, such as a function of the
  /// database. While a view's text is read it may have no table.
  bool is_unknown = false;
  bool operator==(const Taint&) const = default;
};

/// One place where a column is read. A column of a view or a derived table is the columns that it
/// is made of. Lifetime: views of the lookup's tables and of the tree.
struct Use {
  const catalog::Table* table = nullptr;
  const catalog::Column* column = nullptr;
  bool is_unknown = false;  ///< as Taint says
  Position where = Position::Output;
  bool in_statistic = false;  ///< inside count, sum, avg..., over groups and not over a window
  /// The output itself where it is the plain column of the outermost select, without DISTINCT or a
  /// set operation; else null. A mask is put here.
  sql::query::Output* plain = nullptr;
  sql::query::Core* core = nullptr;  ///< the select around it
  /// What could be left out of the statement instead of reading it: an output of a select that is
  /// no operand of an expression, or, where null, the GROUP BY or ORDER BY item `key`, from 1, of
  /// `key_core` or `query`. Neither: nothing but the whole condition.
  sql::query::Output* output = nullptr;
  std::size_t key = 0;
  sql::query::Core* key_core = nullptr;
  sql::query::Query* query = nullptr;
  /// A filter of the policy compares it, with more than one value: the caller does not.
  bool is_of_policy = false;
};

/// A correction of the text: bytes [begin, end) become `text`.
struct Correction {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

struct TableUse {
  const catalog::Table* table = nullptr;
  sql::query::TableExpression* place = nullptr;  ///< null where a view reads it
  const sql::query::Core* core = nullptr;        ///< the select that `place` stands in
};

/// A relation that the text of a view reads. It may be a view too.
struct ViewRead {
  const catalog::Table* view = nullptr;
  const catalog::Table* table = nullptr;
};

/// A column that the text of a view groups, joins or tells rows apart by, in a select of any depth:
/// an engine may do so by sorting, and then the view's rows come in its order.
struct ViewGroup {
  const catalog::Table* view = nullptr;
  const catalog::Table* table = nullptr;
  const catalog::Column* column = nullptr;
  bool is_join = false;  ///< rows of two relations are found by it, also where a select is asked
  bool operator==(const ViewGroup&) const = default;
};

struct Analysis {
  /// Given before the analysis: an error names no column that it blocks. Null: all may be named.
  const privacy::Policy* hides = nullptr;
  /// Given before the analysis: the caller may not read all rows of some table, so that no relation
  /// of the engine may say how many there are.
  bool withholds_counts = false;
  /// In order of appearance; a table may appear often.
  std::vector<TableUse> tables;
  std::size_t selects = 0;  ///< in the caller's own text
  /// By the views that are read, at any depth.
  std::vector<ViewRead> view_reads;
  /// A relation of the engine's own catalog that is read, also by a view, or a statement that shows
  /// of it what lists or hidden names may keep back; empty: none.
  std::string system_relation;
  /// Views whose columns' origin is not known.
  std::vector<const catalog::Table*> opaque;
  std::vector<Use> uses;
  /// Tables of SQLite and DuckDB whose rowid is read, and the name that it is read by, where it is
  /// not the same as a column.
  std::set<std::pair<const catalog::Table*, std::string>> rowids;
  /// Columns that the texts of views sort by: their rows come in that order, whichever columns of
  /// the view are read.
  std::vector<Use> view_orders;
  std::vector<ViewGroup> view_groups;
  /// Something in it can fail by the row that it is tried on.
  bool can_fail = false;
  /// Functions and forms that are refused, in order.
  std::vector<Error> forbidden;
  /// What each column of the answer is made of.
  std::vector<std::vector<Taint>> outputs;
  /// With an error about a name: how it could have been meant.
  std::vector<Correction> corrections;
};

/// The names by which the rowid of `table` is read that is no column of it.
std::vector<std::string> RowidsOf(const Analysis& analysis, const catalog::Table& table);

/// Bounds of an analysis.
inline constexpr std::size_t kUsesMax = 20'000;
inline constexpr std::size_t kRelationsMax = 256;
inline constexpr int kViewDepthMax = 16;
inline constexpr int kWalkDepthMax = 380;  ///< expressions inside one another

/// Analyses the statement and writes the names out on its tree. `out` is filled as far as the
/// analysis came, so that an error's corrections are there. Errors: SqlUnknownName for a table or
/// column that is not there or fits several, with what is near; NotARead for what has no place in a
/// read; Internal at the bounds.
/// `is_ours`: our own code wrote the statement; it may call the functions that we register
/// (ward_...).
Status Analyze(sql::query::Statement& statement, const sql::Dialect& dialect, TableLookup& lookup,
               bool is_ours, Analysis& out);

/// Returns what each column of a view is made of, the column itself among it; nothing where its
/// text does not tell. Lifetime: views of `view` and of the lookup's tables.
std::vector<std::vector<Taint>> OriginsOf(const catalog::Table& view, const sql::Dialect& dialect,
                                          TableLookup& lookup);

/// Finds the columns of a condition about one table, qualifies them with `alias` and adds them to
/// `uses`.
Status AnalyzeCondition(sql::query::Expression& condition, const catalog::Table& table,
                        std::string_view alias, const sql::Dialect& dialect, TableLookup& lookup,
                        std::vector<Use>& uses);

}  // namespace schemaward::guard
