// Statements, SELECT and WITH.
#include "querylog/select_reader.h"

#include <algorithm>
#include <tuple>

#include <pg_query/pg_query.pb-c.h>

#include "pgparse/tree.h"
#include "querylog/select_parts.h"

namespace schemaward::querylog {
namespace {

using pgparse::Node;
using pgparse::View;

const PgQuery__SelectStmt* SelectOf(const Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_SELECT_STMT ? node->select_stmt
                                                                                : nullptr;
}

/// The query that a statement is made of, or null.
const PgQuery__SelectStmt* QueryIn(const Node& statement) {
  switch (statement.node_case) {
    case PG_QUERY__NODE__NODE_SELECT_STMT:
      return statement.select_stmt;
    case PG_QUERY__NODE__NODE_INSERT_STMT:
      return SelectOf(statement.insert_stmt->select_stmt);
    case PG_QUERY__NODE__NODE_CREATE_TABLE_AS_STMT:
      return SelectOf(statement.create_table_as_stmt->query);
    case PG_QUERY__NODE__NODE_VIEW_STMT:
      return SelectOf(statement.view_stmt->query);
    default:
      return nullptr;
  }
}

bool IsSameColumn(const std::optional<Origin>& a, const std::optional<Origin>& b) {
  return a && b && a->table == b->table && a->column == b->column;
}

}  // namespace

Reading SelectReader::Read(const Node& statement) {
  reading_ = {};
  instances_ = 0;
  spent_ = 0;
  const PgQuery__SelectStmt* query = QueryIn(statement);
  // INSERT ... VALUES is a SELECT to the parser.
  const bool is_insert = statement.node_case == PG_QUERY__NODE__NODE_INSERT_STMT;
  if (query == nullptr || (is_insert && query->n_values_lists > 0)) return reading_;
  reading_.is_query = true;
  reading_.is_read = statement.node_case == PG_QUERY__NODE__NODE_SELECT_STMT;
  Owned owned;
  const With with = is_insert
                        ? ReadWith(statement.insert_stmt->with_clause, nullptr, nullptr, 0, owned)
                        : nullptr;
  OfSelect(*query, with, nullptr, 0, true);
  return std::move(reading_);
}

bool SelectReader::Spend(std::size_t columns) {
  spent_ += columns;
  return spent_ <= kOutputsMax;
}

Outputs SelectReader::OfQuery(const Node* node, With with, const Scope* outer, int depth) {
  const PgQuery__SelectStmt* select = SelectOf(node);
  if (select != nullptr) return OfSelect(*select, with, outer, depth, true);
  reading_.is_read = false;  // INSERT, UPDATE or DELETE with RETURNING
  return {{}, false};
}

Outputs SelectReader::OfSelect(const PgQuery__SelectStmt& select, With with, const Scope* outer,
                               int depth, bool targets_count) {
  if (depth > pgparse::kTreeDepthMax) {
    reading_.is_whole = false;
    return {{}, false};
  }
  if (select.n_locking_clause > 0 || select.into_clause != nullptr) reading_.is_read = false;
  Owned owned;
  const With named = ReadWith(select.with_clause, with, outer, depth + 1, owned);
  if (select.op != PG_QUERY__SET_OPERATION__SETOP_NONE)
    return OfSetOperation(select, named, outer, depth);
  std::vector<Pair> pairs;
  Scope scope;
  scope.outer = scope.query_outer = outer;
  scope.pairs = &pairs;
  for (std::size_t i = 0; i < select.n_from_clause; ++i)
    AddFrom(select.from_clause[i], named, scope, depth + 1);
  ReadConditions(select.where_clause, named, scope, depth + 1);
  VisitAll(select.values_lists, select.n_values_lists, named, scope, depth + 1);
  Outputs outputs;
  if (targets_count) outputs = OfTargets(select, named, scope, depth);
  if (select.n_values_lists > 0) outputs.complete = false;
  ReadClauses(select, named, scope, outputs, depth);
  Emit(pairs);
  return outputs;
}

/// Names of the left side; an origin where both sides have the same.
Outputs SelectReader::OfSetOperation(const PgQuery__SelectStmt& select, With with,
                                     const Scope* outer, int depth) {
  if (select.larg == nullptr || select.rarg == nullptr) return {{}, false};
  Outputs left = OfSelect(*select.larg, with, outer, depth + 1, true);
  const Outputs right = OfSelect(*select.rarg, with, outer, depth + 1, true);
  for (std::size_t i = 0; i < left.columns.size(); ++i) {
    const bool is_same = left.complete && right.complete && i < right.columns.size() &&
                         IsSameColumn(left.columns[i].origin, right.columns[i].origin);
    if (!is_same) left.columns[i].origin.reset();
  }
  return left;
}

Outputs SelectReader::OfTargets(const PgQuery__SelectStmt& select, With with, const Scope& scope,
                                int depth) {
  Outputs outputs;
  for (std::size_t i = 0; i < select.n_target_list; ++i) {
    const Node* node = select.target_list[i];
    if (node->node_case != PG_QUERY__NODE__NODE_RES_TARGET) continue;
    const PgQuery__ResTarget& target = *node->res_target;
    if (const PgQuery__ColumnRef* star = StarOf(target.val)) {
      ReadStar(*star, scope, outputs);
      continue;
    }
    Visit(target.val, with, scope, depth + 1);
    if (!Spend(1)) {
      outputs.complete = false;
      continue;
    }
    std::string name(View(target.name));
    if (name.empty()) name = LastName(target.val);
    outputs.columns.push_back({std::move(name), OriginOf(target.val, scope)});
  }
  return outputs;
}

/// The clauses in which names of result columns count too.
void SelectReader::ReadClauses(const PgQuery__SelectStmt& select, With with, const Scope& scope,
                               const Outputs& outputs, int depth) {
  const int deeper = depth + 1;
  VisitAll(select.group_clause, select.n_group_clause, with, scope, deeper, &outputs);
  VisitAll(select.sort_clause, select.n_sort_clause, with, scope, deeper, &outputs);
  VisitAll(select.distinct_clause, select.n_distinct_clause, with, scope, deeper, &outputs);
  VisitAll(select.window_clause, select.n_window_clause, with, scope, deeper);
  Visit(select.having_clause, with, scope, deeper);
  Visit(select.limit_offset, with, scope, deeper);
  Visit(select.limit_count, with, scope, deeper);
}

SelectReader::With SelectReader::ReadWith(const PgQuery__WithClause* clause, With with,
                                          const Scope* outer, int depth, Owned& owned) {
  for (std::size_t i = 0; clause != nullptr && i < clause->n_ctes; ++i) {
    if (clause->ctes[i]->node_case != PG_QUERY__NODE__NODE_COMMON_TABLE_EXPR) continue;
    const PgQuery__CommonTableExpr& query = *clause->ctes[i]->common_table_expr;
    auto named = std::make_unique<NamedQuery>();
    named->name = View(query.ctename);
    named->next = with;
    const auto names = pgparse::StringsOf(query.aliascolnames, query.n_aliascolnames);
    const PgQuery__SelectStmt* select = SelectOf(query.ctequery);
    const bool is_recursive = clause->recursive != 0 && select != nullptr &&
                              select->op != PG_QUERY__SET_OPERATION__SETOP_NONE &&
                              select->larg != nullptr && select->rarg != nullptr;
    if (is_recursive) {
      // The side that does not refer to itself gives names and columns; the other then joins them.
      named->result = OfSelect(*select->larg, with, outer, depth + 1, true);
      Rename(names, named->result);
      OfSelect(*select->rarg, named.get(), outer, depth + 1, true);
    } else {
      named->result = OfQuery(query.ctequery, with, outer, depth + 1);
      Rename(names, named->result);
    }
    with = owned.emplace_back(std::move(named)).get();
  }
  return with;
}

/// A result that is used once more: its columns belong to other uses of their tables.
Outputs SelectReader::AsNewInstances(const Outputs& outputs) {
  Outputs fresh = outputs;
  std::map<int, int> instances;
  for (Output& output : fresh.columns) {
    if (!output.origin) continue;
    const auto [at, is_new] = instances.try_emplace(output.origin->instance, instances_ + 1);
    if (is_new) ++instances_;
    output.origin->instance = at->second;
  }
  return fresh;
}

/// The pairs of each two uses of tables are one join.
void SelectReader::Emit(const std::vector<Pair>& pairs) {
  std::map<std::pair<int, int>, TablePair> by_instances;
  for (const auto& [a, b] : pairs) {
    const bool turned = std::tie(b.table, b.instance) < std::tie(a.table, a.instance);
    const Origin& first = turned ? b : a;
    const Origin& second = turned ? a : b;
    TablePair& join = by_instances[{first.instance, second.instance}];
    join.table = first.table;
    join.target = second.table;
    join.columns.emplace_back(first.column, second.column);
  }
  for (auto& [instances, join] : by_instances) {
    auto& columns = join.columns;
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    if (join.table == join.target) {
      // The same columns on both sides say that rows are alike, not that one refers to another.
      if (std::all_of(columns.begin(), columns.end(),
                      [](const auto& pair) { return pair.first == pair.second; }))
        continue;
      auto other = columns;
      for (auto& pair : other) std::swap(pair.first, pair.second);
      std::sort(other.begin(), other.end());
      columns = std::min(columns, other);
    }
    reading_.joins.insert(std::move(join));
  }
}

}  // namespace schemaward::querylog
