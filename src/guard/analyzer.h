#pragma once

// Inside guard/: the state of one analysis. Selects and the entry are in analyze.cc, tables in
// analyze_tables.cc, expressions in analyze_expressions.cc, their columns in analyze_columns.cc,
// fields of rows in analyze_fields.cc and calls in analyze_calls.cc.

#include <deque>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "guard/analyze.h"
#include "guard/function_list.h"
#include "guard/measure.h"
#include "guard/names.h"

namespace schemaward::guard {

namespace query = sql::query;

using Taints = std::vector<Taint>;

/// In a view's text: made by what nothing here reads.
inline constexpr Taint kUnknown{nullptr, nullptr, true};

/// A column that a relation or a select offers.
struct Info {
  std::string name;  ///< empty where nothing can name it
  Taints taints;
  bool is_base = false;  ///< it is the column of a table itself
};

/// A relation under the name that columns call it by.
struct Binding {
  std::string name;
  std::vector<Info> columns;
  bool is_open = false;  ///< its columns are not known: any name is taken
  Taints open_taints;    ///< of such a column
  const catalog::Table* table = nullptr;
  query::TableExpression* place = nullptr;     ///< of a table that the caller's own text reads
  std::span<const std::string_view> withheld;  ///< of an engine's relation: may not be read
  std::span<const std::string_view> prefixes;  ///< how the columns of such a relation begin
  const std::string* function = nullptr;       ///< the name of the function that gives its rows
  bool is_pg_class = false;
};

/// A common table that is in sight.
struct Common {
  std::string name;
  std::vector<Info> columns;
  bool is_open = false;
  Taints open_taints;
  bool is_itself = false;  ///< its own text is being read
  const Common* next = nullptr;
};

/// A column that a star gives and an unqualified name finds.
struct Visible {
  std::size_t binding = 0;
  std::size_t column = 0;
  bool is_merged = false;  ///< by USING; then `merged` says which
  std::size_t merged = 0;
};

/// The first of a scope's visible columns and of its bindings that are meant.
struct Sight {
  std::size_t visible = 0, binding = 0;
};

/// What the expressions of one select see.
struct Scope {
  const Scope* outer = nullptr;
  const Common* commons = nullptr;
  query::Core* core = nullptr;
  std::deque<Binding> bindings;  // a deque: places stay where they are
  std::vector<Info> merged;
  std::vector<Visible> visible;
  std::vector<Info> aliases;      ///< outputs by name, once they are known
  Taints windows;                 ///< of the windows that have a name
  std::size_t first_binding = 0;  ///< those before it are out of sight
  Sight brackets;                 ///< where the innermost join in brackets begins
  std::vector<std::string> lambdas;
  bool is_binding = false;  ///< not all of its FROM is bound yet
};

/// The bindings of `scope` that a name in it can mean.
inline auto InSight(const Scope& scope) {
  const auto first = scope.bindings.begin() + static_cast<std::ptrdiff_t>(scope.first_binding);
  return std::ranges::subrange(first, scope.bindings.end());
}

/// Whether names of the select's outputs are seen, beside its tables' columns.
enum class Aliases : std::uint8_t {
  Unseen,
  Behind,  ///< a column of a table is meant first
  First,   ///< ORDER BY of a name alone
};

/// Where an expression stands.
struct Place {
  Position where = Position::Output;
  bool in_statistic = false;
  Measure measure = {};  ///< of the statistic
  query::Output* plain = nullptr;
  Aliases aliases = Aliases::Unseen;
  bool looks_around = false;  ///< HAVING of MySQL: a column of FROM may mean a select around
  bool gives_type = false;    ///< a literal beside it is read as a value of its own type
  int growth = 0;             ///< functions around it that make values larger
  bool is_unnested = false;   ///< a list that is taken apart as it is made
  int escapes = 0;            ///< functions around it that can write a character as several
  // What could be left out instead, as Use says:
  query::Output* output = nullptr;
  std::size_t key = 0;
  query::Core* key_core = nullptr;
  query::Query* query = nullptr;
};

/// Of what may be another thing than it looks like: not to be masked or counted as that.
inline Place NotAlone(Place place) {
  place.plain = nullptr;
  place.in_statistic = false;
  return place;
}

/// A name that was looked for further out while the FROM of `scope` was being bound.
struct Passed {
  const Scope* scope = nullptr;
  std::vector<query::Name> names;
  Position where = Position::Output;
};

/// Thread: owner.
class Analyzer {
 public:
  Analyzer(const sql::Dialect& dialect, TableLookup& lookup, bool is_ours, Analysis& out)
      : dialect_(dialect),
        lookup_(lookup),
        is_ours_(is_ours),
        out_(out),
        is_postgres_(dialect.name == sql::Postgres().name),
        is_sqlite_(dialect.name == sql::Sqlite().name),
        is_mysql_(dialect.name == sql::MySql().name),
        is_duckdb_(dialect.name == sql::DuckDb().name) {}

  Status Run(query::Statement& statement);
  Status Condition(query::Expression& condition, const catalog::Table& table,
                   std::string_view alias);
  std::vector<Taints> Origins(const catalog::Table& view);

 private:
  // analyze.cc
  Result<std::vector<Info>> Query(query::Query& query, const Scope* outer, const Common* commons,
                                  bool is_outermost);
  Result<std::vector<Info>> Terms(query::Query& query, const Scope* outer, const Common* commons,
                                  bool is_outermost);
  Result<std::vector<Info>> Core(query::Core& core, const Scope* outer, const Common* commons,
                                 bool is_outermost, std::unique_ptr<Scope>& scope);
  Status Condition(query::ExpressionPtr& condition, Scope& scope, const Place& place);
  Result<std::vector<Info>> Values(query::Core& core, Scope& scope);
  Status Outputs(query::Core& core, Scope& scope, bool is_outermost);
  Status ExpandStars(query::Core& core, Scope& scope);
  Status ExpandStar(query::Expression& star, Scope& scope, std::vector<query::Output>& outputs);
  Status Keys(std::vector<query::ExpressionPtr>& keys, Scope& scope, bool are_groups);
  Aliases AliasesOf(const query::Expression& key, Aliases alone) const;
  Status OrderBy(query::Query& query, Scope& scope);
  Status Limit(query::ExpressionPtr& value, const Common* commons);
  Status Multiplied(const query::Query& query, const Taints& by, std::vector<Info>& outputs);
  Result<const Common*> With(query::Query& query, const Scope* outer, const Common* commons,
                             std::vector<std::unique_ptr<Common>>& owned);
  Status Recursive(const query::CommonTable& common, const query::Query& around);
  Status Recursion(query::CommonTable& common, const Scope* outer, Common& node);
  static void AddByName(std::vector<Info>& outputs, const std::vector<Info>& more);
  std::string OutputName(const query::Output& output) const;
  /// Gives each column of a select in FROM or WITH a name. False where a star stands for columns
  /// that nothing knows: then any name can be one of them.
  bool NameOutputs(query::Query& query, std::vector<Info>& columns, std::size_t named) const;
  std::vector<bool> NamedTwice(const std::vector<Info>& columns, std::size_t named) const;
  Status CatalogStatement(query::Statement& statement);

  // analyze_tables.cc
  Status Table(query::TableExpression& table, Scope& scope);
  Status BaseTable(query::TableExpression& table, Scope& scope);
  Status Bind(query::TableExpression& table, Scope& scope, Binding binding);
  Status FunctionTable(query::TableExpression& table, Scope& scope);
  Result<std::vector<Info>> Lateral(query::Query& query, const Scope& scope);
  Status Derived(query::TableExpression& table, Scope& scope);
  Status Join(query::TableExpression& join, Scope& scope);
  /// `right`: where its second side begins.
  Status JoinSides(query::TableExpression& join, Scope& scope, Sight& right);
  Status JoinCondition(query::ExpressionPtr& condition, Scope& scope, const Sight& sight);
  Status Merge(const query::TableExpression& join, Scope& scope, std::size_t begin,
               std::size_t middle);
  Result<const catalog::Table*> FindTable(const query::TableExpression& table);
  const Common* FindCommon(const query::Name& name, const Common* commons) const;
  bool IsSystemRelation(const std::vector<query::Name>& names) const;
  Binding BindingOf(const catalog::Table& table);
  const std::vector<Info>* LineageOf(const catalog::Table& view);

  // analyze_expressions.cc
  Result<Taints> Walk(query::ExpressionPtr& expression, Scope& scope, Place place);
  Result<Taints> Children(query::Expression& expression, Scope& scope, Place place);
  Result<Taints> Syntax(query::Expression& expression, Scope& scope, Place place);
  Result<Taints> Window(query::Expression& spec, Scope& scope, Place place);
  void CheckType(const Taint& taint);
  Status Note(const Taints& taints, const Scope& scope, const Place& place);
  void NoteOfView(const Taints& taints, Position where);
  void NoteFailing(const sql::query::Expression& value, const Taints& made, Position where);

  // analyze_columns.cc
  Result<Taints> Column(query::ExpressionPtr& expression, Scope& scope, const Place& place);
  const Info* AliasOf(const Scope& scope, const query::Name& name) const;
  void AddUnlisted(const Binding& binding, const query::Name& name, Taints& taints) const;
  void AddUnlistedUpTo(const Scope* end, const Scope& scope, const query::Name& name,
                       Taints& taints) const;
  void AddFromTables(const Scope& scope, const std::vector<query::Name>& names, Taints& taints);
  void AddOpen(const Scope& scope, const query::Name& name, Taints& taints);
  void AddFieldsOf(const Scope& scope, const query::Name& name, Taints& taints) const;
  void AddFromAround(const Scope& scope, const std::vector<query::Name>& names, Taints& taints);
  void AsFromAround(const Scope& at, const std::vector<query::Name>& names, Place& place,
                    Taints& taints);
  void PassBy(const Scope& scope, const std::vector<query::Name>& names, const Place& place);
  Status JudgePassed(Scope& scope);
  Result<Taints> Unqualified(query::ExpressionPtr& expression, Scope& scope, const Place& place);
  Result<Taints> Qualified(query::ExpressionPtr& expression, Scope& scope, const Place& place);
  bool HasRowid(const Binding& binding) const;
  /// Writes the rowid of the binding's table as the column that it is, or notes it.
  void NameRowid(query::Expression& expression, const Binding& binding);
  Result<Taints> WholeRow(const Binding& binding, const Place& place, const Scope& scope);
  bool IsHidden(const Info& info) const;
  Error UnknownColumn(const query::Expression& expression, const Scope& scope);

  // analyze_fields.cc
  bool MeansSystemColumn(const Scope& scope, const query::Name& name,
                         const Scope* end = nullptr) const;
  bool MayBeColumn(const Binding& binding, const query::Name& name) const;
  bool CountOfRows(const Scope& scope, std::string_view qualifier, const query::Name& name,
                   query::ExpressionPtr& expression) const;
  const catalog::Column* TableColumn(const query::Expression& value, const Scope& scope) const;
  bool IsField(const query::Expression& field, const Scope& scope) const;
  Result<Taints> Field(query::Expression& field, Scope& scope, const Place& place);

  // analyze_calls.cc
  Result<Taints> Invocation(query::Expression& call, Scope& scope, Place place, bool in_from);
  void StandIn(query::Expression& call);
  void CheckGrowth(const Function& function, const query::Expression& call, const Scope& scope,
                   bool is_unnested);
  /// `series_max`: rows that a series may have. `length_max`: of a text.
  void CheckBound(const Function& function, const query::Expression& call, std::int64_t series_max,
                  std::int64_t length_max);

  Status CastType(query::Expression& cast, const Scope& scope);  // own_types.cc
  const Info& InfoOf(const Scope& scope, const Visible& visible) const;

  void Canon(query::Name& name) const;
  void Forbid(const std::string& what);
  /// Forbids a column that one of the bindings withholds; an empty name: every column.
  void ForbidWithheld(const std::deque<Binding>& bindings, std::string_view column);

  const sql::Dialect& dialect_;
  TableLookup& lookup_;
  const bool is_ours_;
  Analysis& out_;
  const bool is_postgres_, is_sqlite_, is_mysql_, is_duckdb_;
  std::map<const catalog::Table*, std::vector<Info>> lineage_;
  std::vector<const catalog::Table*> unknown_lineage_;
  std::vector<Passed> passed_;
  std::size_t relations_ = 0;
  int depth_ = 0;
  int walk_depth_ = 0;
  const catalog::Table* view_ = nullptr;  ///< whose text is read; null: none
  int recursion_depth_ = 0;        ///< above 0 in the text of a common table that repeats itself
  int view_depth_ = 0;             ///< above 0 nothing is noted: a view's text is not the caller's
  const Place* around_ = nullptr;  ///< of the expression that the select is an operand of
  Taints* compared_ = nullptr;     ///< in a view: what selects in an expression compare
  Taints* failing_ = nullptr;      ///< in a view that runs: what its outputs can fail by
  Taints* multiplied_ = nullptr;   ///< in a view: what functions of rows repeat a select's rows by
  /// In a view: the selects whose FROM holds the select that is looked at, and whether that reads
  /// a row beside it.
  std::vector<std::pair<const Scope*, bool>> beside_;
};

void Add(Taints& to, const Taints& more);

}  // namespace schemaward::guard
