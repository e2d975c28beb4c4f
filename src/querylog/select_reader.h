#pragma once

// What one statement says: the tables and columns that it reads, and which of them it sets equal.

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pgparse/parse.h"
#include "querylog/scope.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's own names
struct PgQuery__ColumnRef;
struct PgQuery__JoinExpr;
struct PgQuery__RangeFunction;
struct PgQuery__RangeSubselect;
struct PgQuery__RangeVar;
struct PgQuery__SelectStmt;
struct PgQuery__SubLink;
struct PgQuery__WithClause;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace schemaward::querylog {

/// Two uses of tables that a statement joins. Pairs hold positions of columns, sorted; the smaller
/// table stands first, and in a join of one table with itself the smaller list.
struct TablePair {
  std::size_t table = 0, target = 0;
  std::vector<std::pair<std::size_t, std::size_t>> columns;
  auto operator<=>(const TablePair&) const = default;
};

struct Reading {
  bool is_query = false;  ///< a SELECT, or a statement made of one
  bool is_read = false;   ///< a SELECT that writes and locks nothing
  bool is_whole = true;   ///< false: deeper than trees are followed
  bool resolved = true;   ///< every table and column is one of the index
  std::map<std::size_t, std::set<std::size_t>> touched;  ///< columns by table
  std::set<TablePair> joins;
};

/// Pairs of columns that one statement may set equal; what is past it is not looked at.
inline constexpr std::size_t kPairsMax = 1'000;
/// Result columns that one statement may make in all; past it they are not followed.
inline constexpr std::size_t kOutputsMax = 200'000;

/// Reads one statement. Thread: one made by pgparse::RunOnDeepStack. Lifetime: keeps references.
class SelectReader {
 public:
  SelectReader(const Names& names, const std::vector<std::string>& search_path)
      : names_(names), search_path_(search_path) {}

  Reading Read(const pgparse::Node& statement);

 private:
  /// WITH queries, innermost first.
  struct NamedQuery {
    std::string name;
    Outputs result;
    const NamedQuery* next = nullptr;
  };
  using With = const NamedQuery*;
  using Owned = std::vector<std::unique_ptr<NamedQuery>>;

  Outputs OfQuery(const pgparse::Node* node, With with, const Scope* outer, int depth);
  Outputs OfSelect(const PgQuery__SelectStmt& select, With with, const Scope* outer, int depth,
                   bool targets_count);
  Outputs OfSetOperation(const PgQuery__SelectStmt& select, With with, const Scope* outer,
                         int depth);
  Outputs OfTargets(const PgQuery__SelectStmt& select, With with, const Scope& scope, int depth);
  void ReadClauses(const PgQuery__SelectStmt& select, With with, const Scope& scope,
                   const Outputs& outputs, int depth);
  With ReadWith(const PgQuery__WithClause* clause, With with, const Scope* outer, int depth,
                Owned& owned);

  void AddFrom(const pgparse::Node* from, With with, Scope& scope, int depth);
  void AddItem(Item item, Scope& scope);
  void AddJoin(const PgQuery__JoinExpr& join, With with, Scope& scope, int depth);
  void Merge(const std::vector<std::string>& columns, const Side& left, const Side& right,
             Scope& both);
  Item AsOneItem(const Scope& both, std::string alias);
  std::vector<std::string> CommonColumns(const Scope& both, std::size_t middle) const;
  Item OfRelation(const PgQuery__RangeVar& name, With with);
  Item OfFunction(const PgQuery__RangeFunction& function, With with, const Scope& scope, int depth);
  Item OfSubselect(const PgQuery__RangeSubselect& subquery, With with, const Scope& scope,
                   int depth);

  void ReadConditions(const pgparse::Node* node, With with, const Scope& scope, int depth);
  void Visit(const pgparse::Node* node, With with, const Scope& scope, int depth,
             const Outputs* aliases = nullptr);
  void VisitAll(const pgparse::Node* const* nodes, std::size_t count, With with, const Scope& scope,
                int depth, const Outputs* aliases = nullptr);
  void ReadSubLink(const PgQuery__SubLink& link, With with, const Scope& scope, int depth);
  void ReadReference(const PgQuery__ColumnRef& reference, const Scope& scope,
                     const Outputs* aliases);
  void ReadStar(const PgQuery__ColumnRef& reference, const Scope& scope, Outputs& outputs);
  void Touch(const Origin& origin) { reading_.touched[origin.table].insert(origin.column); }
  void TouchAll(const Item& item);
  void NotePair(const std::optional<Origin>& a, const std::optional<Origin>& b,
                const Scope& scope) const;
  void NoteEquality(const pgparse::Node* left, const pgparse::Node* right,
                    const Scope& scope) const;
  std::optional<Origin> OriginOf(const pgparse::Node* node, const Scope& scope) const;
  void Emit(const std::vector<Pair>& pairs);
  Outputs AsNewInstances(const Outputs& outputs);
  bool Spend(std::size_t columns);

  const Names& names_;
  const std::vector<std::string>& search_path_;
  Reading reading_;
  int instances_ = 0;
  std::size_t spent_ = 0;
};

}  // namespace schemaward::querylog
