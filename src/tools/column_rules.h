#pragma once

// What a policy says of the columns of a table as answers describe it.

#include <cstddef>
#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "guard/analyze.h"
#include "privacy/policy.h"
#include "tools/names.h"
#include "tools/services.h"
#include "tools/sql_text.h"

namespace schemaward::tools {

/// The rules of one table. A column of a view is as personal as what its text makes it of, the same
/// as in a statement. Reads the tables behind a view from the store, once. Lifetime: the services'
/// and the table's. Thread: owner.
class ColumnRules {
 public:
  /// `described`: `found`, with hidden names where the policy hides them.
  ColumnRules(const Services& services, const FoundTable& found, const catalog::Table& described);
  ColumnRules(const ColumnRules&) = delete;  // origins point into the rest
  ColumnRules& operator=(const ColumnRules&) = delete;

  /// Requires: `column` is a position in the table.
  privacy::ColumnRule Of(std::size_t column) const;

 private:
  const catalog::Table& described_;
  const privacy::Policy policy_;
  IndexLookup lookup_;
  std::optional<catalog::Table> view_;
  std::vector<std::vector<guard::Taint>> origins_;  // of a view's columns, where its text tells
};

}  // namespace schemaward::tools
