// FROM: tables, subqueries, functions and joins.
#include <algorithm>
#include <iterator>
#include <utility>

#include <pg_query/pg_query.pb-c.h>

#include "pgparse/tree.h"
#include "querylog/select_parts.h"
#include "querylog/select_reader.h"

namespace schemaward::querylog {

using pgparse::Node;
using pgparse::View;

void SelectReader::AddItem(Item item, Scope& scope) {
  if (!Spend(item.result.columns.size())) item.result = {{}, false};
  scope.items.push_back(std::move(item));
}

void SelectReader::AddFrom(const Node* from, With with, Scope& scope, int depth) {
  if (from == nullptr) return;
  if (depth > pgparse::kTreeDepthMax) {
    reading_.is_whole = false;
    return;
  }
  switch (from->node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR:
      return AddItem(OfRelation(*from->range_var, with), scope);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
      return AddItem(OfSubselect(*from->range_subselect, with, scope, depth), scope);
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
      return AddItem(OfFunction(*from->range_function, with, scope, depth), scope);
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
      return AddFrom(from->range_table_sample->relation, with, scope, depth + 1);
    case PG_QUERY__NODE__NODE_JOIN_EXPR:
      return AddJoin(*from->join_expr, with, scope, depth);
    default: {  // XMLTABLE and its like
      Visit(from, with, scope, depth + 1);
      Item item;
      item.result.complete = false;
      return AddItem(std::move(item), scope);
    }
  }
}

Item SelectReader::OfRelation(const PgQuery__RangeVar& name, With with) {
  Item item;
  item.alias = name.alias == nullptr ? View(name.relname) : AliasName(name.alias);
  const auto renamed = AliasColumns(name.alias);
  if (View(name.schemaname).empty())
    for (With at = with; at != nullptr; at = at->next) {
      if (at->name != View(name.relname)) continue;
      item.result = AsNewInstances(at->result);
      Rename(renamed, item.result);
      return item;
    }
  item.table = names_.FindTable(View(name.schemaname), View(name.relname), search_path_);
  if (!item.table) {
    reading_.resolved = false;
    item.result.complete = false;
    return item;
  }
  item.instance = ++instances_;
  reading_.touched.try_emplace(*item.table);
  if (renamed.empty()) return item;
  item.result = ColumnsOf(names_, item);
  item.table.reset();
  Rename(renamed, item.result);
  return item;
}

Item SelectReader::OfSubselect(const PgQuery__RangeSubselect& subquery, With with,
                               const Scope& scope, int depth) {
  Item item;
  item.alias = AliasName(subquery.alias);
  const Scope* outer = subquery.lateral != 0 ? &scope : scope.query_outer;
  item.result = OfQuery(subquery.subquery, with, outer, depth + 1);
  Rename(AliasColumns(subquery.alias), item.result);
  return item;
}

/// A function's columns are known by name only where the query names them.
Item SelectReader::OfFunction(const PgQuery__RangeFunction& function, With with, const Scope& scope,
                              int depth) {
  VisitAll(function.functions, function.n_functions, with, scope, depth + 1);
  Item item;
  item.alias = AliasName(function.alias);
  for (const std::string& name : AliasColumns(function.alias))
    item.result.columns.push_back({name, {}});
  item.result.complete = !item.result.columns.empty();
  if (item.result.complete) return item;
  // generate_series(...) AS day has one column, day; others may have several.
  if (!item.alias.empty()) item.result.columns.push_back({item.alias, {}});
  item.result.complete = false;
  return item;
}

/// Both sides in one scope, the left one first. LATERAL on the right sees the left, and what stands
/// before the join in FROM.
void SelectReader::AddJoin(const PgQuery__JoinExpr& join, With with, Scope& scope, int depth) {
  Scope both;
  both.outer = &scope;
  both.query_outer = scope.query_outer;
  both.pairs = scope.pairs;
  AddFrom(join.larg, with, both, depth + 1);
  const Side left{0, both.items.size(), 0, both.merged.size()};
  AddFrom(join.rarg, with, both, depth + 1);
  const Side right{left.last, both.items.size(), left.last_merged, both.merged.size()};
  Merge(join.is_natural != 0 ? CommonColumns(both, left.last)
                             : pgparse::StringsOf(join.using_clause, join.n_using_clause),
        left, right, both);
  ReadConditions(join.quals, with, both, depth + 1);
  if (join.alias != nullptr) return AddItem(AsOneItem(both, AliasName(join.alias)), scope);
  std::move(both.items.begin(), both.items.end(), std::back_inserter(scope.items));
  std::move(both.merged.begin(), both.merged.end(), std::back_inserter(scope.merged));
}

/// (a JOIN b) AS c: what was a and b is c now.
Item SelectReader::AsOneItem(const Scope& both, std::string alias) {
  Item item;
  item.alias = std::move(alias);
  item.result.columns = both.merged;
  for (const Item& one : both.items) {
    const Outputs outputs = ColumnsOf(names_, one);
    item.result.complete =
        item.result.complete && outputs.complete && Spend(outputs.columns.size());
    if (!item.result.complete) break;
    item.result.columns.insert(item.result.columns.end(), outputs.columns.begin(),
                               outputs.columns.end());
  }
  return item;
}

/// The columns that USING or NATURAL names: equal, and one column from then on.
void SelectReader::Merge(const std::vector<std::string>& columns, const Side& left,
                         const Side& right, Scope& both) {
  std::vector<Output> merged;
  for (const std::string& name : columns) {
    const Meaning here = FindAmong(names_, both, left, name);
    const Meaning there = FindAmong(names_, both, right, name);
    if (!here.is_known || !there.is_known) reading_.resolved = false;
    if (here.origin) Touch(*here.origin);
    if (there.origin) Touch(*there.origin);
    NotePair(here.origin, there.origin, both);
    merged.push_back({name, here.origin ? here.origin : there.origin});
  }
  std::move(merged.begin(), merged.end(), std::back_inserter(both.merged));
}

/// Names that both sides have, as far as their columns are known.
std::vector<std::string> SelectReader::CommonColumns(const Scope& both, std::size_t middle) const {
  std::set<std::string> left, right;
  for (std::size_t i = 0; i < both.items.size(); ++i)
    for (const Output& output : ColumnsOf(names_, both.items[i]).columns)
      (i < middle ? left : right).insert(output.name);
  std::vector<std::string> common;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(common));
  return common;
}

}  // namespace schemaward::querylog
