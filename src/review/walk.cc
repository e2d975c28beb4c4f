#include "review/walk.h"

namespace schemaward::review {
namespace {

/// Thread: owner.
class Walker {
 public:
  explicit Walker(const Listener& listener) : listener_(listener) {}

  void Statement(const Site& site) {
    for (const query::Change& inner : site.statement.inner) Change(site, inner);
    if (site.statement.read) {
      if (site.statement.read->query) Query(site, *site.statement.read->query);
    } else if (site.statement.change) {
      Change(site, *site.statement.change);
    }
  }

 private:
  void Value(Site site, const query::ExpressionPtr& expression, Clause clause) {
    if (!expression) return;
    site.clause = clause;
    Expression(site, *expression);
  }

  void Expression(const Site& site, const query::Expression& expression) {
    listener_.expression(site, expression);
    for (const query::Part& part : expression.parts) {
      if (part.expression) Expression(site, *part.expression);
      if (!part.query) continue;
      Site inner = site;
      inner.is_in_exists = expression.form == "exists";
      inner.is_in_derived = false;
      Query(inner, *part.query);
    }
  }

  void Query(Site site, const query::Query& query) {
    site.query = &query;
    With(site, query);
    listener_.query(site, query);
    for (const query::SetTerm& term : query.terms) {
      if (term.nested)
        Query(site, *term.nested);
      else
        Core(site, term.core);
    }
    if (!query.terms.empty() && !query.terms.front().nested) site.core = &query.terms.front().core;
    for (const query::OrderItem& item : query.order_by)
      Value(site, item.expression, Clause::OrderBy);
    Value(site, query.limit, Clause::Limit);
    Value(site, query.offset, Clause::Limit);
  }

  void With(Site site, const query::Query& query) {
    site.is_in_exists = site.is_in_derived = false;
    for (const query::CommonTable& common : query.with)
      if (common.query) Query(site, *common.query);
  }

  void Core(Site site, const query::Core& core) {
    site.core = &core;
    listener_.core(site, core);
    for (const auto& row : core.values)
      for (const auto& value : row) Value(site, value, Clause::Value);
    for (const auto& value : core.distinct_on) Value(site, value, Clause::Output);
    for (const query::Output& output : core.outputs) Value(site, output.expression, Clause::Output);
    for (const auto& table : core.from) Table(site, *table);
    Value(site, core.where, Clause::Where);
    for (const auto& key : core.group_by) Value(site, key, Clause::GroupBy);
    Value(site, core.having, Clause::Having);
    for (const query::NamedWindow& window : core.windows) Value(site, window.spec, Clause::Value);
    Value(site, core.qualify, Clause::Having);
  }

  void Table(const Site& site, const query::TableExpression& table) {
    listener_.table(site, table);
    if (table.left) Table(site, *table.left);
    if (table.right) Table(site, *table.right);
    Value(site, table.on, Clause::From);
    Value(site, table.call, Clause::From);
    if (!table.query) return;
    Site inner = site;
    inner.is_in_derived = true;
    inner.is_in_exists = false;
    Query(inner, *table.query);
  }

  void Change(Site site, const query::Change& change) {
    With(site, change.with);
    listener_.change(site, change);
    if (change.target) Table(site, *change.target);
    for (const auto& table : change.from) Table(site, *table);
    for (const auto& row : change.rows)
      for (const auto& value : row) Value(site, value, Clause::Value);
    if (change.query) Query(site, *change.query);
    for (const query::Assignment& one : change.assignments) Value(site, one.value, Clause::Value);
    Value(site, change.on, Clause::From);
    for (const query::Change& branch : change.branches) Branch(site, branch);
    Value(site, change.where, Clause::Where);
    for (const query::OrderItem& item : change.order_by)
      Value(site, item.expression, Clause::OrderBy);
    Value(site, change.limit, Clause::Limit);
    for (const query::ColumnDefinition& column : change.definitions) {
      Value(site, column.default_value, Clause::Value);
      Value(site, column.check, Clause::Value);
    }
    for (const query::TableConstraint& one : change.constraints)
      Value(site, one.check, Clause::Value);
  }

  // What a WHEN of MERGE does: its table has been looked at.
  void Branch(const Site& site, const query::Change& branch) {
    listener_.change(site, branch);
    Value(site, branch.on, Clause::Where);
    for (const auto& row : branch.rows)
      for (const auto& value : row) Value(site, value, Clause::Value);
    for (const query::Assignment& one : branch.assignments) Value(site, one.value, Clause::Value);
  }

  const Listener& listener_;
};

}  // namespace

void Walk(const sql::Dialect& dialect, const query::ScriptStatement& statement, const Names* names,
          const Listener& listener) {
  Walker(listener).Statement({.dialect = dialect, .statement = statement, .names = names});
}

}  // namespace schemaward::review
