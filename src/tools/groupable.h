#pragma once

// What a metric can be asked by: the columns that no path to repeats its rows, its times, and a
// call that works.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "privacy/policy.h"
#include "semantic/model.h"
#include "semantic/question.h"

namespace schemaward::tools {

inline constexpr std::size_t kGroupableMax = 24;  ///< columns that are named

/// How a metric is asked.
struct Askable {
  std::vector<std::string> groupable;  ///< entity.column or role.column, at most kGroupableMax
  std::vector<std::string> reachable;  ///< entities and roles that every fact reaches by joins that
                                       ///< lead to one row
  std::vector<std::string> grains;     ///< finest first; none where it has no time
  std::string default_time_dimension;  ///< empty: none, or the question must say which
  std::vector<std::string> time_dimensions;  ///< where it must
  semantic::Question example;                ///< a complete question
};

/// Blocked columns are left out. `now_utc`: microseconds. Thread: any.
Askable AskableOf(const semantic::Model& model, const semantic::ModelMetric& metric,
                  const privacy::Policy& policy, std::int64_t now_utc);

}  // namespace schemaward::tools
