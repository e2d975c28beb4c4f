#include "guard/guard.h"

#include "sql/render.h"

namespace schemaward::guard {

Result<Approved> Guard::ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                                    const std::vector<catalog::Table>& tables,
                                    const Principal& principal) const {
  TableList lookup(tables);
  return ApproveTree(select, dialect, lookup, principal);
}

Result<Approved> Guard::ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                                    TableLookup& lookup, const Principal& principal) const {
  WARD_TRY(const sql::Rendered rendered, sql::Render(select, dialect));
  return Decide({rendered.text, rendered.parameters}, dialect, lookup, principal, true, nullptr);
}

}  // namespace schemaward::guard
