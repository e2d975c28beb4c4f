#pragma once

// Drafts give way to what people have applied: two definitions of one thing would make every path
// through it ambiguous.

#include "semantic/check.h"
#include "semantic/definitions.h"

namespace schemaward::semantic {

/// Takes out of `definitions` each draft entity whose table has an entity that is applied or
/// confirmed; drafts that name it name that one instead. Then takes out each draft join whose
/// column pairs are those of an applied or confirmed join between the same entities, in either
/// direction, and drafts of metrics that are the same in all but their name.
void SupersedeDrafts(Definitions& definitions, const TableFinder& tables);

/// True where both measure the same, whatever they are called.
bool SameMeasure(const Metric& a, const Metric& b);

}  // namespace schemaward::semantic
