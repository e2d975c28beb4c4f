#include "semantic/rows.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semantic/conditions.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

using sql::ExpressionPtr;

const std::string& JoinName(const Model& model, const Leg& leg) {
  return model.joins()[leg.join].definition.name;
}

// The name of a column in an expression of a definition.
std::string NameOf(const sql::ColumnRef& ref) {
  const std::string column = catalog::QuoteName(ref.column);
  return ref.qualifier.empty() ? column : ref.qualifier + "." + column;
}

ExpressionPtr All(const std::vector<ExpressionPtr>& conditions, const char* op) {
  ExpressionPtr all;
  for (const ExpressionPtr& condition : conditions)
    all = all == nullptr ? condition : sql::MakeBinary(op, std::move(all), condition);
  return all;
}

// The conditions of a chain of ANDs.
void SplitAnds(const ExpressionPtr& expression, std::vector<ExpressionPtr>& out) {
  const auto* binary = std::get_if<sql::Binary>(&expression->node);
  if (binary == nullptr || binary->op != "and") {
    out.push_back(expression);
    return;
  }
  SplitAnds(binary->left, out);
  SplitAnds(binary->right, out);
}

sql::Relation TableOf(const Model& model, std::size_t node, const std::string& alias) {
  const catalog::Table& table = model.nodes()[node].table;
  return sql::TableRef{table.schema, table.name, alias};
}

std::string ListOf(const Model& model, const std::vector<Path>& paths) {
  std::string list;
  for (const Path& path : paths)
    list += fmt::format("{}{}", list.empty() ? "" : "; ", fmt::join(path.JoinNames(model), " -> "));
  return list;
}

}  // namespace

ExpressionPtr OnOf(const Leg& leg, const std::string& from, const std::string& to) {
  ExpressionPtr on;
  for (const ColumnPair& pair : leg.on) {
    auto equal =
        sql::MakeBinary("=", sql::MakeColumn(from, pair.from), sql::MakeColumn(to, pair.to));
    on = on == nullptr ? std::move(equal) : sql::MakeBinary("and", std::move(on), std::move(equal));
  }
  return on;
}

bool Rows::repeats() const {
  return std::any_of(instances.begin(), instances.end(),
                     [](const Instance& instance) { return instance.repeats; });
}

// Via.

Result<Via> Via::Read(const Model& model, const std::vector<std::string>& texts) {
  Via via;
  for (const std::string& text : texts) {
    const std::size_t equal = text.rfind('=');
    const std::string join = equal == std::string::npos ? text : text.substr(equal + 1);
    const ModelJoin* found = model.FindJoin(join);
    if (found == nullptr) {
      Error error(ErrorKind::UnknownViaJoin, fmt::format("no join is named \"{}\"", join));
      std::vector<std::string> near = model.NearJoins(join);
      if (equal != std::string::npos)
        for (std::string& name : near) name = text.substr(0, equal + 1) + name;
      return error.Near(std::move(near));
    }
    if (equal == std::string::npos)
      via.everywhere_.push_back(found->definition.name);
    else
      via.bound_[text.substr(0, equal)].push_back(found->definition.name);
  }
  return via;
}

std::vector<std::string> Via::BoundTo(std::string_view column) const {
  const auto found = bound_.find(column);
  return found == bound_.end() ? std::vector<std::string>() : found->second;
}

void Via::Use(const std::vector<std::string>& joins) { used_.insert(joins.begin(), joins.end()); }

std::vector<std::string> Via::Unused() const {
  std::vector<std::string> unused;
  for (const std::string& join : everywhere_)
    if (!used_.contains(join)) unused.push_back(join);
  for (const auto& [column, joins] : bound_)
    for (const std::string& join : joins)
      if (!used_.contains(join)) unused.push_back(join);
  return unused;
}

void Via::InsistOnUnused() {
  insisted_ = Unused();
  used_.clear();
}

Result<Path> FindPathTo(const Model& model, std::size_t from, const ColumnTarget& target, Via& via,
                        std::optional<PathTrouble>& trouble) {
  PathQuery query{from, target.node, target.role, via.BoundTo(target.name), true};
  if (query.via.empty()) {
    query.via = via.everywhere();
    query.must_use_via = false;
  }
  std::vector<Path> paths = FindPaths(model, query);
  if (!via.insisted().empty() && via.BoundTo(target.name).empty() && from != target.node) {
    query.via = via.insisted();
    query.must_use_via = true;
    paths = FindPaths(model, query);
  }
  const std::string& fact = model.nodes()[from].name;
  if (paths.empty()) {
    trouble = PathTrouble{target.name, {}};
    return Error(
        ErrorKind::UnreachableEntity,
        fmt::format("no path of joins leads from entity \"{}\" to \"{}\"", fact, target.name));
  }
  if (paths.size() == 1) {
    via.Use(paths.front().JoinNames(model));
    return std::move(paths.front());
  }
  trouble = PathTrouble{target.name, TellingJoins(model, paths.front(), paths)};
  const ErrorKind kind = IsParallel(paths) ? ErrorKind::AmbiguousJoin : ErrorKind::AmbiguousPath;
  Error error(kind, fmt::format("{} paths lead from entity \"{}\" to \"{}\"", paths.size(), fact,
                                target.name));
  error.Detail("The paths: " + ListOf(model, paths) + ".");
  std::vector<std::string> near;
  for (const Path& path : paths)
    near.push_back(fmt::format("{}={}", target.name, TellingJoins(model, path, paths).front()));
  return error.Near(std::move(near));
}

// RowsBuilder.

// The inside of an EXISTS: the rows that a path leads to through its last to-many leg, and what is
// joined to them.
struct RowsBuilder::Scope {
  std::vector<const Leg*> key;  // from the fact through the last to-many leg
  std::size_t outer = 0;        // legs of the key that stand outside
  std::string outer_alias;
  struct Inner {
    std::vector<const Leg*> legs;
    std::string parent;
    std::string alias;
  };
  std::vector<Inner> inner;
  std::vector<ExpressionPtr> conditions;
};

RowsBuilder::RowsBuilder(const Model& model, const ModelEntity& fact, Via& via,
                         const Clockwork& clock)
    : model_(model), fact_(model.NodeOf(fact)), via_(via), clock_(clock) {
  rows_.fact = &fact;
  rows_.instances.push_back({0, nullptr, fact_, Alias(nullptr, fact_), false});
}

RowsBuilder::~RowsBuilder() = default;

std::string RowsBuilder::Alias(const Leg* leg, std::size_t node) {
  constexpr std::size_t kLongest = 48;  // engines cut names at 63 bytes
  std::string wanted = leg != nullptr && !leg->role.empty() ? leg->role : model_.nodes()[node].name;
  wanted.resize(std::min(wanted.size(), kLongest));
  std::string alias = wanted;
  for (int n = 2; !aliases_.insert(alias).second; ++n) alias = fmt::format("{}_{}", wanted, n);
  return alias;
}

std::optional<std::size_t> RowsBuilder::FindInstance(const std::vector<const Leg*>& legs) const {
  std::size_t at = 0;
  for (const Leg* leg : legs) {
    const auto found = std::find_if(
        rows_.instances.begin() + 1, rows_.instances.end(),
        [&](const Instance& instance) { return instance.parent == at && instance.leg == leg; });
    if (found == rows_.instances.end()) return std::nullopt;
    at = static_cast<std::size_t>(found - rows_.instances.begin());
  }
  return at;
}

std::size_t RowsBuilder::InstanceOf(const std::vector<const Leg*>& legs) {
  std::vector<const Leg*> prefix;
  std::size_t at = 0;
  for (const Leg* leg : legs) {
    prefix.push_back(leg);
    if (const auto found = FindInstance(prefix)) {
      at = *found;
      continue;
    }
    const bool repeats = rows_.instances[at].repeats || !leg->to_one;
    rows_.instances.push_back({at, leg, leg->to, Alias(leg, leg->to), repeats});
    at = rows_.instances.size() - 1;
  }
  return at;
}

RowsBuilder::Place RowsBuilder::Locate(const Path& path, Scopes& scopes) {
  std::size_t length = 0;  // of the key
  std::size_t first_many = path.legs.size();
  for (std::size_t i = 0; i < path.legs.size(); ++i) {
    if (path.legs[i]->to_one) continue;
    first_many = std::min(first_many, i);
    length = i + 1;
  }
  const std::vector<const Leg*> key(path.legs.begin(),
                                    path.legs.begin() + static_cast<std::ptrdiff_t>(length));
  if (length == 0 || FindInstance(key)) return {rows_.instances[InstanceOf(path.legs)].alias};
  auto found = std::find_if(scopes.begin(), scopes.end(),
                            [&](const auto& scope) { return scope->key == key; });
  if (found == scopes.end()) {
    auto scope = std::make_unique<Scope>();
    scope->key = key;
    scope->outer = first_many;
    const std::vector<const Leg*> outside(key.begin(),
                                          key.begin() + static_cast<std::ptrdiff_t>(first_many));
    scope->outer_alias = rows_.instances[InstanceOf(outside)].alias;
    scopes.push_back(std::move(scope));
    found = std::prev(scopes.end());
  }
  Scope& scope = **found;
  std::string parent = scope.outer_alias;
  std::vector<const Leg*> legs;
  for (std::size_t i = first_many; i < path.legs.size(); ++i) {
    legs.push_back(path.legs[i]);
    auto inner = std::find_if(scope.inner.begin(), scope.inner.end(),
                              [&](const Scope::Inner& one) { return one.legs == legs; });
    if (inner == scope.inner.end()) {
      scope.inner.push_back({legs, parent, Alias(path.legs[i], path.legs[i]->to)});
      inner = std::prev(scope.inner.end());
    }
    parent = inner->alias;
  }
  return {parent, &scope};
}

Result<RowsBuilder::Place> RowsBuilder::LocateTarget(const ColumnTarget& target, Scopes& scopes) {
  WARD_TRY(const Path path, FindPathTo(model_, fact_, target, via_, trouble_));
  return Locate(path, scopes);
}

Result<ExpressionPtr> RowsBuilder::ColumnAt(const std::string& alias,
                                            const ColumnTarget& target) const {
  if (target.column != nullptr) return sql::MakeColumn(alias, target.column->name);
  WARD_TRY(const auto expression, sql::ReadExpression(target.dimension->expression));
  return sql::RewriteColumns(expression, [&](const sql::ColumnRef& ref) -> Result<ExpressionPtr> {
    const catalog::Column* column = target.entity->Column(ref.column);
    return sql::MakeColumn(alias, column != nullptr ? column->name : ref.column);
  });
}

Status RowsBuilder::AddKey(const ColumnTarget& target) {
  WARD_TRY(const Path path, FindPathTo(model_, fact_, target, via_, trouble_));
  const std::string alias = rows_.instances[InstanceOf(path.legs)].alias;
  WARD_TRY(auto key, ColumnAt(alias, target));
  rows_.keys.push_back(std::move(key));
  return Ok();
}

Result<ExpressionPtr> RowsBuilder::JoinToOne(const ColumnTarget& target, Path* path) {
  WARD_TRY(Path found, FindPathTo(model_, fact_, target, via_, trouble_));
  if (!found.to_one()) {
    trouble_ = PathTrouble{target.name, {}};
    return Error(ErrorKind::UnreachableEntity,
                 fmt::format("\"{}\" is not one value for each row of entity \"{}\"", target.name,
                             rows_.fact->definition.name));
  }
  const std::string alias = rows_.instances[InstanceOf(found.legs)].alias;
  if (path != nullptr) *path = std::move(found);
  return ColumnAt(alias, target);
}

Result<ExpressionPtr> RowsBuilder::Qualify(std::string_view text) {
  WARD_TRY(const auto expression, sql::ReadExpression(text));
  return sql::RewriteColumns(expression, [&](const sql::ColumnRef& ref) -> Result<ExpressionPtr> {
    WARD_TRY(const auto target,
             FindColumnTarget(model_, fact_, NameOf(ref), ErrorKind::UnknownMeasure));
    return JoinToOne(target);
  });
}

Status RowsBuilder::AddFilter(const std::vector<TargetLeaf>& leaves) {
  const bool alone = leaves.size() == 1;
  Scopes own;
  Scopes& scopes = alone ? scopes_ : own;
  std::vector<ExpressionPtr> direct;
  for (const auto& [target, leaf] : leaves) {
    WARD_TRY(const Place place, LocateTarget(target, scopes));
    WARD_TRY(auto column, ColumnAt(place.alias, target));
    WARD_TRY(auto condition, ConditionOf(target, column, leaf, clock_));
    (place.scope != nullptr ? place.scope->conditions : direct).push_back(std::move(condition));
  }
  for (const auto& scope : own) direct.push_back(ExistsOf(*scope, true));
  if (!direct.empty()) rows_.conditions.push_back(All(direct, "or"));
  return Ok();
}

Status RowsBuilder::AddFilter(std::string_view text) {
  WARD_TRY(const auto expression, sql::ReadExpression(text));
  std::vector<ExpressionPtr> conditions;
  SplitAnds(expression, conditions);
  for (const ExpressionPtr& condition : conditions) WARD_CHECK(AddAnd(condition));
  return Ok();
}

Status RowsBuilder::AddAnd(const ExpressionPtr& condition) {
  std::set<Scope*> scopes;
  const auto qualify = [&](const sql::ColumnRef& ref) -> Result<ExpressionPtr> {
    WARD_TRY(const auto target,
             FindColumnTarget(model_, fact_, NameOf(ref), ErrorKind::UnknownFilter));
    WARD_TRY(const Place place, LocateTarget(target, scopes_));
    if (place.scope != nullptr) scopes.insert(place.scope);
    return ColumnAt(place.alias, target);
  };
  WARD_TRY(auto qualified, sql::RewriteColumns(condition, qualify));
  if (scopes.size() > 1)
    return Error(
        ErrorKind::UnreachableEntity,
        "one condition of a filter speaks of rows that two different to-many joins lead to");
  (scopes.empty() ? rows_.conditions : (*scopes.begin())->conditions)
      .push_back(std::move(qualified));
  return Ok();
}

ExpressionPtr RowsBuilder::ExistsOf(const Scope& scope, bool any) {
  auto select = std::make_shared<sql::Select>();
  select->columns.push_back({sql::MakeLiteral({std::int64_t{1}}), "found"});
  const std::size_t required = scope.key.size() - scope.outer;  // legs that must be there
  const Scope::Inner& first = scope.inner.front();
  select->from = TableOf(model_, first.legs.back()->to, first.alias);
  for (std::size_t i = 1; i < scope.inner.size(); ++i) {
    const Scope::Inner& inner = scope.inner[i];
    select->joins.push_back(
        {inner.legs.size() <= required ? sql::JoinKind::Inner : sql::JoinKind::Left,
         TableOf(model_, inner.legs.back()->to, inner.alias),
         OnOf(*inner.legs.back(), inner.parent, inner.alias)});
  }
  std::vector<ExpressionPtr> conditions = {OnOf(*first.legs.back(), first.parent, first.alias)};
  if (!scope.conditions.empty()) conditions.push_back(All(scope.conditions, any ? "or" : "and"));
  select->where = All(conditions, "and");
  for (const Leg* leg : scope.key) {
    const std::string& name = JoinName(model_, *leg);
    if (std::find(rows_.semi_joins.begin(), rows_.semi_joins.end(), name) == rows_.semi_joins.end())
      rows_.semi_joins.push_back(name);
  }
  return sql::Make({sql::Exists{std::move(select), false}});
}

Rows RowsBuilder::Take() {
  for (const auto& scope : scopes_) rows_.conditions.push_back(ExistsOf(*scope, false));
  scopes_.clear();
  return std::move(rows_);
}

void RowsBuilder::CollectJoins(std::set<std::string>& required,
                               std::set<std::string>& fan_out) const {
  for (const Instance& instance : rows_.instances) {
    if (instance.leg == nullptr) continue;
    required.insert(JoinName(model_, *instance.leg));
    if (!instance.leg->to_one) fan_out.insert(JoinName(model_, *instance.leg));
  }
}

}  // namespace schemaward::semantic
