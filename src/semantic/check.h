#pragma once

// Checks definitions against the index and each other; what does not fit becomes a problem of the
// definition.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "semantic/model.h"

namespace schemaward::semantic {

/// Finds tables by the names that definitions use. Lifetime: a view of the tables.
class TableFinder {
 public:
  explicit TableFinder(const std::vector<catalog::Table>& tables);
  /// schema.table, or a short name that fits one table; exact case before folded. Null: none, or
  /// several.
  const catalog::Table* Find(std::string_view name) const;
  /// The nearest qualified names.
  std::vector<std::string> Near(std::string_view name) const;

 private:
  const std::vector<catalog::Table>& tables_;
  std::multimap<std::string, const catalog::Table*> by_name_;  // folded, short and qualified
};

/// Each appends to the definition's problems. Requires: entities are in the model before joins, and
/// joins before metrics.
void CheckEntity(ModelEntity& entity, const TableFinder& tables);
void CheckJoin(const Model& model, const TableFinder& tables, ModelJoin& join);
void CheckMetric(const Model& model, ModelMetric& metric);

}  // namespace schemaward::semantic
