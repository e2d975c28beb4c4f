#pragma once

// What can be counted, added up or averaged in an entity, and when its rows happened.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "privacy/policy.h"
#include "semantic/definitions.h"
#include "suggest/names.h"

namespace schemaward::suggest {

inline constexpr std::size_t kMetricsPerEntityMax = 12;

/// Returns the name asked for, or one like it that is free.
using TakeMetricName = std::function<std::string(std::string)>;

/// Returns the column that says when a row happened, where exactly one is plain: one with a name of
/// the kind created_at, placed_at or <entity>_date; else the only column of time there is but for
/// those that say something else (updates, ends, births). Thread: any.
std::optional<std::string> TimeDimensionOf(const catalog::Table& table, const std::string& entity,
                                           ColumnNames& names);

/// Returns drafts of the metrics of `entity` over `table`: a count of its rows, sums of columns
/// that hold amounts and quantities, averages of those that hold rates and scores. Columns in
/// `references` (keys and foreign keys), of floor categories and of no number take no part. Names
/// are asked of `take`, one for each metric in order. Thread: any.
std::vector<semantic::Metric> MetricsOf(const catalog::Table& table, const std::string& entity,
                                        const std::set<std::string>& references,
                                        const privacy::Policy& policy, ColumnNames& names,
                                        const TakeMetricName& take);

}  // namespace schemaward::suggest
