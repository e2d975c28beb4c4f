#include "review/schema_parts.h"

#include "review/shapes.h"

namespace schemaward::review {

void ReportAll(const Names& names, NameProblemKind kind, Report& report) {
  for (const NameProblem& problem : names.problems())
    if (problem.kind == kind) report.At(problem.begin, problem.end, problem.message);
}

const catalog::Column* ColumnOf(const Site& site, const query::Expression* expression) {
  if (!IsColumn(expression)) return nullptr;
  const BoundColumn* bound = site.names->Of(expression);
  return bound == nullptr ? nullptr : bound->column;
}

}  // namespace schemaward::review
