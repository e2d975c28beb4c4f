#pragma once

// The guard: the only maker of Approved.

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "guard/approved.h"
#include "privacy/policy.h"
#include "sql/statement.h"

namespace schemaward::guard {

/// Checks statements against a policy. Thread: any; holds nothing that changes.
class Guard {
 public:
  explicit Guard(privacy::Policy policy) : policy_(std::move(policy)) {}

  /// Approves a tree that our own code built. `table` is every table that the tree may read.
  /// Errors: SqlUnknownName when it reads a table or column that is not in `tables`; PiiBlocked and
  /// AllowlistViolation by policy; Internal when it cannot be rendered.
  Result<Approved> ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                               const std::vector<catalog::Table>& tables,
                               const Principal& principal) const;

 private:
  privacy::Policy policy_;
};

}  // namespace schemaward::guard
