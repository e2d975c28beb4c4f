#pragma once

// From a question to its plan: names to columns, paths, time, and one node for each set of rows
// that is aggregated.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "semantic/model.h"
#include "semantic/plan.h"
#include "semantic/question.h"
#include "semantic/time_range.h"

namespace schemaward::semantic {

/// The first and last moment of a source's rows, where they have to be known before the plan.
struct DataBounds {
  Boundary first;
  Boundary last;
};

/// A plan, or what must be asked first.
struct Planned {
  Plan plan;
  Clockwork clock;
  ResolvedRange range;
  /// Set when periods of the answer follow from the data: runs to two columns for each row, the
  /// first and last value of a column of time of `probe_kinds[row]`. The plan is then not complete.
  std::optional<sql::Select> probe;
  struct ProbeColumn {
    sql::TimeKind kind;
    std::string own_zone;
  };
  std::vector<ProbeColumn> probed;  ///< one per row of the probe, in the order of its column `n`
  std::vector<MeasureTime> times;   ///< distinct, by name
  std::vector<std::string> incomplete;  ///< labels of periods that are cut by the range or by now
};

struct PlanOptions {
  std::int64_t now_utc = 0;
  std::optional<DataBounds> bounds;  ///< of a probe made before
  bool may_probe =
      true;  ///< false: periods that follow from the data are taken from the year up to now
};

/// Returns the plan of `question`. On an error `mended`, where it is set, is the question with what
/// was wrong replaced or left out: it may have further faults. Errors: every kind of the metric,
/// path and time groups; UnknownEntity, MalformedName, InvalidArgument, SchemaDrift.
Result<Planned> MakePlan(const Model& model, const Question& question, const PlanOptions& options,
                         std::optional<Question>& mended);

}  // namespace schemaward::semantic
