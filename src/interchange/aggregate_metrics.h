#pragma once

// Metrics of an expression over aggregates.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// Returns the metrics that `text` makes, the one called `name` last: a simple one, or a derived
/// one over helpers name_1, name_2, ... Each aggregate is over columns of one of `entities`, which
/// qualify them; count(*), and columns without qualifier, where there is only one. Errors:
/// SqlSyntax with the reason. Thread: any.
Result<std::vector<semantic::Metric>> MetricsOfAggregates(const std::string& name,
                                                          std::string_view text,
                                                          const std::vector<std::string>& entities,
                                                          const semantic::Trust& trust);

}  // namespace schemaward::interchange
