#pragma once

// The guard: the only maker of Approved.

#include <vector>

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
  explicit Guard(const privacy::Policy& policy) : policy_(policy) {}

  /// Approves a tree that our own code built. `tables` is every table that the tree may read. A
  /// floor column is refused wherever it stands: in the output, in a condition, in a join, in the
  /// order. Errors: SqlUnknownName when it reads a table or column that is not in `tables`;
  /// PiiBlocked and AllowlistViolation by policy; PolicyBlocked when it reads a view, whose columns
  /// may be floor columns under another name; NotARead when it calls a function that is not on the
  /// list; Internal when it cannot be rendered.
  Result<Approved> ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                               const std::vector<catalog::Table>& tables,
                               const Principal& principal) const;

 private:
  privacy::Policy policy_;
};

}  // namespace schemaward::guard
