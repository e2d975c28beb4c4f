#pragma once

// Builds the rows of a measure: the fact, what is joined to it, and what must hold.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "semantic/columns.h"
#include "semantic/model.h"
#include "semantic/paths.h"
#include "semantic/plan.h"
#include "semantic/question.h"
#include "semantic/time_range.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// The joins that a question names, and which of them were used. Shared by all measures.
class Via {
 public:
  /// Reads "join" and "entity.column=join". Errors: UnknownViaJoin for a join that is not there.
  static Result<Via> Read(const Model& model, const std::vector<std::string>& texts);

  /// Joins bound to the column of that canonical name; empty where none is.
  std::vector<std::string> BoundTo(std::string_view column) const;
  const std::vector<std::string>& everywhere() const { return everywhere_; }
  void Use(const std::vector<std::string>& joins);
  std::vector<std::string> Unused() const;
  /// From now on joins that were not used are looked for on longer paths.
  void InsistOnUnused();
  const std::vector<std::string>& insisted() const { return insisted_; }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> bound_;
  std::vector<std::string> everywhere_;
  std::vector<std::string> insisted_;
  std::set<std::string> used_;
};

/// What a path error leaves to mend: the first candidate's joins, bound to the column.
struct PathTrouble {
  std::string column;
  std::vector<std::string> joins;  ///< empty: there is no path
};

/// Returns the path to the target. Errors: UnreachableEntity, AmbiguousJoin, AmbiguousPath (every
/// candidate in the detail, `trouble` set), UnknownViaJoin for a bound join on no path.
Result<Path> FindPathTo(const Model& model, std::size_t from, const ColumnTarget& target, Via& via,
                        std::optional<PathTrouble>& trouble);

/// Returns the condition of a leg between the two aliases.
sql::ExpressionPtr OnOf(const Leg& leg, const std::string& from, const std::string& to);

/// Thread: owner. Lifetime: model, via and clock outlive it.
class RowsBuilder {
 public:
  RowsBuilder(const Model& model, const ModelEntity& fact, Via& via, const Clockwork& clock);
  ~RowsBuilder();

  std::size_t fact_node() const { return fact_; }
  /// A condition on a column of the question.
  using TargetLeaf = std::pair<ColumnTarget, FilterLeaf>;

  /// Adds a group. Where its path is not to-one, rows come to be repeated.
  Status AddKey(const ColumnTarget& target);
  /// The column at the end of its path. Errors: UnreachableEntity too where the path is not to-one.
  Result<sql::ExpressionPtr> JoinToOne(const ColumnTarget& target, Path* path = nullptr);
  /// An expression of a definition over to-one columns, qualified.
  Result<sql::ExpressionPtr> Qualify(std::string_view expression);
  /// Adds a condition: one of the leaves must hold. Single leaves on one to-many path must be met
  /// by the same row. Requires: the groups were added.
  Status AddFilter(const std::vector<TargetLeaf>& leaves);
  /// Adds an expression of a definition that must hold. Requires: the groups were added. Errors:
  /// UnreachableEntity where one of its conditions speaks of two to-many paths at once.
  Status AddFilter(std::string_view expression);
  void AddCondition(sql::ExpressionPtr condition) {
    rows_.conditions.push_back(std::move(condition));
  }

  /// Ends the building.
  Rows Take();
  Rows& rows() { return rows_; }
  /// What the last path error leaves to mend.
  const std::optional<PathTrouble>& trouble() const { return trouble_; }
  /// Names of the joins of the present instances, and of those that repeat rows.
  void CollectJoins(std::set<std::string>& required, std::set<std::string>& fan_out) const;

 private:
  struct Scope;
  using Scopes = std::vector<std::unique_ptr<Scope>>;
  /// Where a column stands: an alias, and the scope it is in, or null for the rows themselves.
  struct Place {
    std::string alias;
    Scope* scope = nullptr;
  };

  std::size_t InstanceOf(const std::vector<const Leg*>& legs);
  std::optional<std::size_t> FindInstance(const std::vector<const Leg*>& legs) const;
  std::string Alias(const Leg* leg, std::size_t node);
  Place Locate(const Path& path, Scopes& scopes);
  Result<Place> LocateTarget(const ColumnTarget& target, Scopes& scopes);
  Result<sql::ExpressionPtr> ColumnAt(const std::string& alias, const ColumnTarget& target) const;
  sql::ExpressionPtr ExistsOf(const Scope& scope, bool any);
  Status AddAnd(const sql::ExpressionPtr& condition);

  const Model& model_;
  const std::size_t fact_;
  Via& via_;
  const Clockwork& clock_;
  Rows rows_;
  std::set<std::string> aliases_;
  Scopes scopes_;  ///< of the conditions that must all hold, one per to-many path
  std::optional<PathTrouble> trouble_;
};

}  // namespace schemaward::semantic
