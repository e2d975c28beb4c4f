// SELECT, FROM and WITH.
#include "connect/ddl/query_columns.h"

#include <algorithm>
#include <utility>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/type_name.h"

namespace schemaward::connect::ddl {
namespace {

std::vector<std::string> ColumnAliases(const PgQuery__Alias* alias) {
  return alias == nullptr ? std::vector<std::string>()
                          : StringsOf(alias->colnames, alias->n_colnames);
}

const QueryColumn* FindColumn(const QueryColumns& columns, std::string_view name) {
  const auto found = std::find_if(columns.columns.begin(), columns.columns.end(),
                                  [&](const QueryColumn& c) { return c.name == name; });
  return found == columns.columns.end() ? nullptr : &*found;
}

void Append(const QueryColumns& from, QueryColumns& to) {
  to.columns.insert(to.columns.end(), from.columns.begin(), from.columns.end());
  to.complete = to.complete && from.complete;
}

bool IsStar(const Node* node) {
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_COLUMN_REF) return false;
  const PgQuery__ColumnRef& reference = *node->column_ref;
  return reference.n_fields > 0 &&
         reference.fields[reference.n_fields - 1]->node_case == PG_QUERY__NODE__NODE_A_STAR;
}

QueryColumns Unknown() { return {{}, false}; }

const PgQuery__SelectStmt* SelectOf(const Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_SELECT_STMT ? node->select_stmt
                                                                                : nullptr;
}

/// The columns that USING or NATURAL joins.
std::vector<std::string> JoinedNames(const PgQuery__JoinExpr& join, const QueryColumns& left,
                                     const QueryColumns& right) {
  if (join.is_natural == 0) return StringsOf(join.using_clause, join.n_using_clause);
  std::vector<std::string> names;
  for (const QueryColumn& column : left.columns) {
    if (FindColumn(right, column.name) != nullptr) names.push_back(column.name);
  }
  return names;
}

}  // namespace

void Rename(const std::vector<std::string>& names, QueryColumns& result) {
  for (std::size_t i = 0; i < names.size() && i < result.columns.size(); ++i)
    result.columns[i].name = names[i];
}

QueryColumns QueryReader::Columns(const Node* query) {
  const PgQuery__SelectStmt* select = SelectOf(query);
  return select == nullptr ? Unknown() : OfSelect(*select, nullptr, nullptr, 0);
}

bool QueryReader::Spend(std::size_t columns) {
  spent_ += columns;
  return spent_ <= kQueryColumnsMax;
}

QueryColumns QueryReader::OfSelect(const PgQuery__SelectStmt& select, With with,
                                   const QueryScope* outer, int depth) {
  if (depth > kQueryDepthMax) return Unknown();
  std::vector<std::unique_ptr<NamedQueries>> owned;
  const With named = ReadWith(select.with_clause, with, outer, depth, owned);
  if (select.op != PG_QUERY__SET_OPERATION__SETOP_NONE)
    return OfSetOperation(select, named, outer, depth);
  QueryScope scope;
  scope.outer = outer;
  for (std::size_t i = 0; i < select.n_from_clause; ++i)
    AddFrom(select.from_clause[i], named, scope, depth + 1);
  if (select.n_values_lists > 0) return OfValues(select, scope, depth);
  return OfTargets(select, named, scope, depth);
}

/// UNION: names of the left side; a type where both sides agree.
QueryColumns QueryReader::OfSetOperation(const PgQuery__SelectStmt& select, With with,
                                         const QueryScope* outer, int depth) {
  if (select.larg == nullptr || select.rarg == nullptr) return Unknown();
  QueryColumns left = OfSelect(*select.larg, with, outer, depth + 1);
  const QueryColumns right = OfSelect(*select.rarg, with, outer, depth + 1);
  for (std::size_t i = 0; i < left.columns.size(); ++i) {
    if (!right.complete || i >= right.columns.size() ||
        PrintType(left.columns[i].type) != PrintType(right.columns[i].type))
      left.columns[i].type = {};
  }
  return left;
}

QueryColumns QueryReader::OfValues(const PgQuery__SelectStmt& select, const QueryScope& scope,
                                   int depth) {
  QueryColumns result;
  const Node* first = select.values_lists[0];
  if (first->node_case != PG_QUERY__NODE__NODE_LIST || !Spend(first->list->n_items))
    return Unknown();
  for (std::size_t i = 0; i < first->list->n_items; ++i)
    result.columns.push_back({"column" + std::to_string(i + 1),
                              TypeOf(first->list->items[i], scope, nullptr, depth + 1)});
  return result;
}

QueryColumns QueryReader::OfTargets(const PgQuery__SelectStmt& select, With with,
                                    const QueryScope& scope, int depth) {
  QueryColumns result;
  for (std::size_t i = 0; i < select.n_target_list; ++i) {
    const Node* node = select.target_list[i];
    if (node->node_case != PG_QUERY__NODE__NODE_RES_TARGET) continue;
    const PgQuery__ResTarget& target = *node->res_target;
    if (IsStar(target.val)) {
      AddStar(target.val, scope, result);
      continue;
    }
    if (!Spend(1)) return Unknown();
    std::string name(View(target.name));
    if (name.empty()) name = ResultName(target.val);
    result.columns.push_back({std::move(name), TypeOf(target.val, scope, with, depth + 1)});
  }
  return result;
}

/// * and t.*
void QueryReader::AddStar(const Node* reference, const QueryScope& scope, QueryColumns& result) {
  const PgQuery__ColumnRef& star = *reference->column_ref;
  const QueryColumns* columns = star.n_fields == 1 ? &scope.star : nullptr;
  if (star.n_fields > 1) {
    const std::string_view alias = StringOf(star.fields[star.n_fields - 2]);
    for (const QueryScope* at = &scope; at != nullptr && columns == nullptr; at = at->outer) {
      for (const FromItem& item : at->items) {
        if (item.alias == alias && columns == nullptr) columns = &item.result;
      }
    }
  }
  if (columns == nullptr || !Spend(columns->columns.size())) {
    result.complete = false;
  } else {
    Append(*columns, result);
  }
}

QueryReader::With QueryReader::ReadWith(const PgQuery__WithClause* clause, With with,
                                        const QueryScope* outer, int depth,
                                        std::vector<std::unique_ptr<NamedQueries>>& owned) {
  for (std::size_t i = 0; clause != nullptr && i < clause->n_ctes; ++i) {
    if (clause->ctes[i]->node_case != PG_QUERY__NODE__NODE_COMMON_TABLE_EXPR) continue;
    const PgQuery__CommonTableExpr& query = *clause->ctes[i]->common_table_expr;
    const std::vector<std::string> names = StringsOf(query.aliascolnames, query.n_aliascolnames);
    auto named = std::make_unique<NamedQueries>();
    named->name = View(query.ctename);
    named->next = with;
    const PgQuery__SelectStmt* select = SelectOf(query.ctequery);
    if (select == nullptr) {
      named->result.complete = false;  // INSERT ... RETURNING
    } else if (clause->recursive != 0 && select->op != PG_QUERY__SET_OPERATION__SETOP_NONE &&
               select->larg != nullptr) {
      // The side that does not refer to itself gives names and types.
      named->result = OfSelect(*select->larg, with, outer, depth + 1);
    } else {
      named->result = OfSelect(*select, with, outer, depth + 1);
    }
    Rename(names, named->result);
    with = owned.emplace_back(std::move(named)).get();
  }
  return with;
}

void QueryReader::AddItem(FromItem item, QueryScope& scope) {
  if (!Spend(item.result.columns.size())) item.result = Unknown();
  Append(item.result, scope.star);
  scope.items.push_back(std::move(item));
}

void QueryReader::AddFrom(const Node* from, With with, QueryScope& scope, int depth) {
  if (depth > kQueryDepthMax) {
    scope.star.complete = false;
    return;
  }
  switch (from->node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR:
      return AddItem(OfRelation(*from->range_var, with), scope);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT: {
      const PgQuery__RangeSubselect& subquery = *from->range_subselect;
      const PgQuery__SelectStmt* select = SelectOf(subquery.subquery);
      FromItem item;
      item.alias = subquery.alias == nullptr ? "" : View(subquery.alias->aliasname);
      item.result =
          select == nullptr
              ? Unknown()
              : OfSelect(*select, with, subquery.lateral != 0 ? &scope : scope.outer, depth + 1);
      Rename(ColumnAliases(subquery.alias), item.result);
      return AddItem(std::move(item), scope);
    }
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
      return AddItem(OfFunction(*from->range_function, scope, depth), scope);
    case PG_QUERY__NODE__NODE_JOIN_EXPR:
      return AddJoin(*from->join_expr, with, scope, depth);
    default:
      scope.star.complete = false;
  }
}

void QueryReader::AddJoin(const PgQuery__JoinExpr& join, With with, QueryScope& scope, int depth) {
  QueryScope left;
  QueryScope right;
  left.outer = right.outer = scope.outer;
  if (join.larg != nullptr) AddFrom(join.larg, with, left, depth + 1);
  // LATERAL on the right sees the left.
  const std::size_t seen = left.items.size();
  right.items = left.items;
  if (join.rarg != nullptr) AddFrom(join.rarg, with, right, depth + 1);
  right.items.erase(right.items.begin(), right.items.begin() + static_cast<std::ptrdiff_t>(seen));
  const std::vector<std::string> joined = JoinedNames(join, left.star, right.star);
  QueryColumns all;
  all.complete = left.star.complete && right.star.complete;
  for (const std::string& name : joined) {
    const QueryColumn* column = FindColumn(left.star, name);
    if (column == nullptr) column = FindColumn(right.star, name);
    all.columns.push_back(column == nullptr ? QueryColumn{name, {}} : *column);
  }
  const auto add_rest = [&](const QueryColumns& side) {
    for (const QueryColumn& column : side.columns) {
      if (std::find(joined.begin(), joined.end(), column.name) == joined.end())
        all.columns.push_back(column);
    }
  };
  add_rest(left.star);
  add_rest(right.star);
  if (!Spend(all.columns.size())) all = Unknown();
  if (join.alias != nullptr) {
    FromItem item{std::string(View(join.alias->aliasname)), std::move(all)};
    Rename(ColumnAliases(join.alias), item.result);
    return AddItem(std::move(item), scope);
  }
  Append(all, scope.star);
  for (QueryScope* side : {&left, &right}) {
    for (FromItem& item : side->items) scope.items.push_back(std::move(item));
  }
}

FromItem QueryReader::OfRelation(const PgQuery__RangeVar& name, With with) {
  FromItem item;
  item.alias = name.alias == nullptr ? View(name.relname) : View(name.alias->aliasname);
  item.result = Unknown();
  if (View(name.schemaname).empty()) {
    for (With at = with; at != nullptr; at = at->next) {
      if (at->name != View(name.relname)) continue;
      if (Spend(at->result.columns.size())) item.result = at->result;
      Rename(ColumnAliases(name.alias), item.result);
      return item;
    }
  }
  const Relation* relation = FindRelation(name, state_);
  if (relation == nullptr || !Spend(relation->columns.size())) return item;
  item.result.complete = relation->columns_known;
  for (const ColumnState& column : relation->columns) {
    if (!column.dropped) item.result.columns.push_back({column.column.name, column.type});
  }
  Rename(ColumnAliases(name.alias), item.result);
  return item;
}

/// A function in FROM: its columns are known where a list defines them, and where it is known to
/// return one value a row.
FromItem QueryReader::OfFunction(const PgQuery__RangeFunction& function, const QueryScope& scope,
                                 int depth) {
  FromItem item;
  item.alias = function.alias == nullptr ? "" : View(function.alias->aliasname);
  const std::vector<std::string> names = ColumnAliases(function.alias);
  for (std::size_t i = 0; i < function.n_coldeflist; ++i) {
    if (function.coldeflist[i]->node_case != PG_QUERY__NODE__NODE_COLUMN_DEF) continue;
    const PgQuery__ColumnDef& column = *function.coldeflist[i]->column_def;
    item.result.columns.push_back(
        {std::string(View(column.colname)), ReadType(column.type_name, state_)});
  }
  if (!item.result.columns.empty()) return item;
  const Node* call = nullptr;
  if (function.n_functions == 1 && function.functions[0]->node_case == PG_QUERY__NODE__NODE_LIST &&
      function.functions[0]->list->n_items > 0)
    call = function.functions[0]->list->items[0];
  if (call == nullptr || call->node_case != PG_QUERY__NODE__NODE_FUNC_CALL) {
    item.result.complete = false;
    return item;
  }
  const std::string function_name = ResultName(call);
  if (item.alias.empty()) item.alias = function_name;
  const bool one_value = function_name == "generate_series" || function_name == "unnest";
  item.result.complete = one_value && function.ordinality == 0;
  if (!one_value && names.empty()) return item;
  item.result.columns.push_back(
      {item.alias, one_value ? TypeOf(call, scope, nullptr, depth + 1) : TypeRef()});
  while (item.result.columns.size() < names.size()) item.result.columns.emplace_back();
  Rename(names, item.result);
  return item;
}

}  // namespace schemaward::connect::ddl
