#pragma once

// The columns of a query's result, as far as names and types follow from what the script declares.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "connect/ddl/parse.h"
#include "connect/ddl/state.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's own names
struct PgQuery__Alias;
struct PgQuery__CommonTableExpr;
struct PgQuery__JoinExpr;
struct PgQuery__RangeFunction;
struct PgQuery__RangeVar;
struct PgQuery__SelectStmt;
struct PgQuery__WithClause;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace schemaward::connect::ddl {

struct QueryColumn {
  std::string name;
  TypeRef type;  ///< empty where it does not follow
};

struct QueryColumns {
  std::vector<QueryColumn> columns;
  bool complete = true;  ///< false: a * over something that is not known
};

/// Columns that a query may look at in all, and how deep queries and expressions are followed; past
/// them nothing is known. The first keeps views over views over views from growing without end.
inline constexpr std::size_t kQueryColumnsMax = 200'000;
inline constexpr int kQueryDepthMax = 100;

/// What a query's FROM offers.
struct FromItem {
  std::string alias;
  QueryColumns result;
};

/// The names that an expression may use, innermost first.
struct QueryScope {
  std::vector<FromItem> items;
  QueryColumns star;  ///< what * means: the items side by side, joined columns once
  const QueryScope* outer = nullptr;
};

/// WITH queries, innermost first.
struct NamedQueries {
  std::string name;
  QueryColumns result;
  const NamedQueries* next = nullptr;
};

/// Works out columns. One for each statement. Lifetime: keeps a reference to the state.
class QueryReader {
 public:
  explicit QueryReader(SchemaState& state) : state_(state) {}

  /// `query`: a SELECT.
  QueryColumns Columns(const Node* query);

 private:
  using With = const NamedQueries*;

  QueryColumns OfSelect(const PgQuery__SelectStmt& select, With with, const QueryScope* outer,
                        int depth);
  QueryColumns OfSetOperation(const PgQuery__SelectStmt& select, With with, const QueryScope* outer,
                              int depth);
  QueryColumns OfValues(const PgQuery__SelectStmt& select, const QueryScope& scope, int depth);
  QueryColumns OfTargets(const PgQuery__SelectStmt& select, With with, const QueryScope& scope,
                         int depth);
  void AddStar(const Node* reference, const QueryScope& scope, QueryColumns& result);
  With ReadWith(const PgQuery__WithClause* clause, With with, const QueryScope* outer, int depth,
                std::vector<std::unique_ptr<NamedQueries>>& owned);

  void AddFrom(const Node* from, With with, QueryScope& scope, int depth);
  void AddItem(FromItem item, QueryScope& scope);
  void AddJoin(const PgQuery__JoinExpr& join, With with, QueryScope& scope, int depth);
  FromItem OfRelation(const PgQuery__RangeVar& name, With with);
  FromItem OfFunction(const PgQuery__RangeFunction& function, const QueryScope& scope, int depth);
  bool Spend(std::size_t columns);

  TypeRef TypeOf(const Node* expression, const QueryScope& scope, With with, int depth);
  TypeRef TypeOfColumn(const Node* reference, const QueryScope& scope) const;
  TypeRef TypeOfCall(const Node* call, const QueryScope& scope, With with, int depth);
  TypeRef TypeOfOperator(const Node* expression, const QueryScope& scope, With with, int depth);
  TypeRef TypeOfSubquery(const Node* link, const QueryScope& scope, With with, int depth);
  TypeRef CommonType(const std::vector<const Node*>& expressions, const QueryScope& scope,
                     With with, int depth);

  SchemaState& state_;
  std::size_t spent_ = 0;
};

/// Returns the name that PostgreSQL gives a result column without AS.
std::string ResultName(const Node* expression);

/// Gives the columns of an alias other names, as far as it has some.
void Rename(const std::vector<std::string>& names, QueryColumns& result);

}  // namespace schemaward::connect::ddl
