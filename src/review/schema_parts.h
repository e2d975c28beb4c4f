#pragma once

// What several rules of the indexed schema share.

#include "review/names.h"
#include "review/rule.h"

namespace schemaward::review {

/// Reports each problem of `kind` that names had. Thread: any.
void ReportAll(const Names& names, NameProblemKind kind, Report& report);

/// Returns the indexed column that an expression is; null where it is none, or none that is known.
/// Precondition: the site has names. Lifetime: the schema's.
const catalog::Column* ColumnOf(const Site& site, const query::Expression* expression);

}  // namespace schemaward::review
