#pragma once

// Time in questions: ranges in words or ISO dates, grains, and the periods that an answer shows.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/metric_tree.h"
#include "semantic/plan.h"
#include "semantic/question.h"
#include "sql/statement.h"
#include "time/time_zone.h"

namespace schemaward::semantic {

inline constexpr std::size_t kPeriodsMax = 5'000;

/// A moment in the zone of the question, as its clocks show it and as an instant. Microseconds.
struct Boundary {
  std::int64_t wall = 0;
  std::int64_t utc = 0;
};

struct ResolvedRange {
  std::optional<Boundary> start;
  std::optional<Boundary> end;
  /// ISO text of an end, date only where it is midnight.
  static std::string Text(const Boundary& boundary);
};

/// How the question's time is read.
struct Clockwork {
  std::string zone_name;  ///< empty: UTC, and naive columns as they stand
  time::Zone zone;
  int week_start = time::kMonday;
  std::int64_t now_utc = 0;

  Boundary FromWall(std::int64_t wall) const { return {wall, zone.UtcOfLocal(wall)}; }
  Boundary FromUtc(std::int64_t utc) const { return {zone.LocalOfUtc(utc), utc}; }
  /// The boundary as a column of this kind holds it; between two days, a Date has the later.
  std::int64_t ForColumn(const Boundary& boundary, sql::TimeKind kind,
                         const std::string& own_zone) const;
  /// The other way round, of a value that a column holds.
  Boundary FromColumn(std::int64_t micros, sql::TimeKind kind, const std::string& own_zone) const;
};

/// Reads a grain: hour day week month quarter year, or the like (monthly, months). Nothing for any
/// other word.
std::optional<sql::TimeGrain> GrainOf(std::string_view word);
std::string_view WordOf(sql::TimeGrain grain);
/// The nearest grain to a word that is none.
std::string_view NearestGrain(std::string_view word);

/// Reads a range. Errors: MalformedName, with the near words.
Result<ResolvedRange> ReadRange(const TimeRange& range, const Clockwork& clock);

/// A period of the answer.
struct Period {
  std::string label;
  Boundary from;
  Boundary until;
};

/// Returns the periods of `grain` that hold [from, until), at most kPeriodsMax. Errors: PlanCostCap
/// when they are more. `instants`: hours are cut as instants, with an offset in the label.
Result<std::vector<Period>> PeriodsOf(sql::TimeGrain grain, const Boundary& from,
                                      const Boundary& until, bool instants, const Clockwork& clock);

/// Returns the rows' time that counts in `period` for a leaf: moved by its offsets, widened by its
/// window. `grain`: none where the period is the whole range.
Period WindowOf(const MetricLeaf& leaf, const Period& period, std::optional<sql::TimeGrain> grain,
                const Clockwork& clock);

}  // namespace schemaward::semantic
