#pragma once

// The guard: the only maker of Approved.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "guard/approved.h"
#include "guard/table_lookup.h"
#include "privacy/policy.h"
#include "sql/statement.h"

namespace schemaward::guard {

/// A statement as it came.
struct Statement {
  std::string_view text;
  std::vector<sql::Literal> parameters;  ///< values of its placeholders, in order
};

/// What goes with a refusal of text.
struct TextHelp {
  std::optional<std::string> corrected;  ///< the statement with the nearest name in place of the
                                         ///< wrong one; reads, and may be refused all the same
  std::optional<std::string> rewritten;  ///< a statement that passes: without what is blocked
  std::vector<std::string> tables;       ///< that were found, by their qualified names
};

/// Checks statements against a policy. Thread: any; holds nothing that changes.
class Guard {
 public:
  explicit Guard(const privacy::Policy& policy) : policy_(policy) {}

  /// Approves a tree that our own code built: it is printed, and what is printed is decided on as
  /// any text is, but that it may call the functions that we register. `tables` is every table that
  /// the tree may read. Errors: as ApproveText, without help; Internal when it cannot be printed.
  Result<Approved> ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                               const std::vector<catalog::Table>& tables,
                               const Principal& principal) const;
  /// The same where the tables are found as they are named: a view's own among them.
  Result<Approved> ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                               TableLookup& lookup, const Principal& principal) const;

  /// Approves what somebody wrote: reads it into a tree, finds its names, decides, and prints it
  /// anew; what is printed is what runs. Where several refusals apply the first of pii_blocked,
  /// allowlist_violation and policy_blocked is given. Row filters of the policy stand around each
  /// table, masks where the policy masks. `help` (may be null) is filled with an error.
  /// Errors: SqlSyntax; SqlUnknownName, with what is near; InvalidArgument when the number of
  /// values is not that of the placeholders; PiiBlocked, with a rewrite that passes where there is
  /// one; AllowlistViolation; PolicyBlocked; NotARead; Internal when what is printed does not read
  /// back as itself.
  Result<Approved> ApproveText(const Statement& statement, const sql::Dialect& dialect,
                               TableLookup& lookup, const Principal& principal,
                               TextHelp* help) const;

  const privacy::Policy& policy() const { return policy_; }

 private:
  Result<Approved> Decide(const Statement& statement, const sql::Dialect& dialect,
                          TableLookup& lookup, const Principal& principal, bool is_ours,
                          TextHelp* help) const;

  privacy::Policy policy_;
};

}  // namespace schemaward::guard
