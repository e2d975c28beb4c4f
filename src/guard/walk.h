#pragma once

// Inside guard/: the whole of a statement's tree, looked at piece by piece.

#include <utility>

#include "sql/query/tree.h"

namespace schemaward::guard {

/// Looks at everything in a tree once, the outer before what stands in it. Templates, so that a
/// tree that may not be changed is walked by the same text. Thread: owner.
template <class OfQuery, class OfValue>
class Walk {
 public:
  /// `of_query(query)` is called for each select with its set operations, `of_value(expression)`
  /// for each expression.
  Walk(OfQuery of_query, OfValue of_value)
      : of_query_(std::move(of_query)), of_value_(std::move(of_value)) {}

  template <class Query>
  void In(Query& query) {
    of_query_(query);
    for (auto& common : query.with)
      if (common.query != nullptr) In(*common.query);
    for (auto& term : query.terms) {
      if (term.nested != nullptr) In(*term.nested);
      InCore(term.core);
    }
    for (auto& item : query.order_by) InValue(item.expression);
    InValue(query.limit);
    InValue(query.offset);
  }

 private:
  template <class Core>
  void InCore(Core& core) {
    for (auto& row : core.values)
      for (auto& value : row) InValue(value);
    for (auto& output : core.outputs) InValue(output.expression);
    for (auto& key : core.distinct_on) InValue(key);
    for (auto& table : core.from) InTable(*table);
    for (auto& key : core.group_by) InValue(key);
    for (auto& window : core.windows) InValue(window.spec);
    for (auto* condition : {&core.where, &core.having, &core.qualify}) InValue(*condition);
  }

  template <class Table>
  void InTable(Table& table) {
    if (table.left != nullptr) InTable(*table.left);
    if (table.right != nullptr) InTable(*table.right);
    InValue(table.call);
    InValue(table.on);
    if (table.query != nullptr) In(*table.query);
  }

  void InValue(const sql::query::ExpressionPtr& value) {
    if (value == nullptr) return;
    of_value_(*value);
    for (auto& part : value->parts) {
      InValue(part.expression);
      if (part.query != nullptr) In(*part.query);
    }
  }

  OfQuery of_query_;
  OfValue of_value_;
};

/// Calls `see(expression)` for every expression of the tree.
template <class Query, class See>
void ForEachValue(Query& query, See see) {
  Walk([](auto&) {}, std::move(see)).In(query);
}

/// Calls `see(query)` for the whole and for each select in it.
template <class Query, class See>
void ForEachQuery(Query& query, See see) {
  Walk(std::move(see), [](auto&) {}).In(query);
}

}  // namespace schemaward::guard
