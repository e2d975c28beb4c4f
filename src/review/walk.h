#pragma once

// Inside review/: one walk over a statement's tree that tells every rule about each node.

#include <functional>

#include "review/rule.h"

namespace schemaward::review {

/// Who hears of each node, in the order of the walk.
struct Listener {
  std::function<void(const Site&, const query::Query&)> query;
  std::function<void(const Site&, const query::Core&)> core;
  std::function<void(const Site&, const query::TableExpression&)> table;
  std::function<void(const Site&, const query::Expression&)> expression;
  std::function<void(const Site&, const query::Change&)> change;
};

/// Walks the statement. Its depth is bounded by the reader's.
/// `names` may be null.
void Walk(const sql::Dialect& dialect, const query::ScriptStatement& statement, const Names* names,
          const Listener& listener);

}  // namespace schemaward::review
