#pragma once

// The planner's steps, one file each group of them. Inside of this module; MakePlan is the way in.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "semantic/metric_tree.h"
#include "semantic/planner.h"
#include "semantic/rows.h"

namespace schemaward::semantic {

/// One leaf with the builder of its rows.
struct Measure {
  const MetricLeaf* leaf = nullptr;
  const ModelMetric* metric = nullptr;  ///< whose rows these are: of a conversion, the base event's
  std::unique_ptr<RowsBuilder> builder;
  std::optional<MeasureTime> time;
};

/// Takes one element out.
template <class T>
void Erase(std::vector<T>& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

/// One question on its way to a plan. Thread: owner.  Lifetime: keeps its arguments.
class Planner {
 public:
  Planner(const Model& model, const Question& question, const PlanOptions& options,
          std::optional<Question>& mended)
      : model_(model), question_(question), options_(options), mended_(mended) {}

  Result<Planned> Run();

 private:
  // What every part of a question becomes, in order. planner.cc
  // Groups, filters and time of every leaf.
  Status Build();
  static Error BrokenFact(const ModelMetric& metric, const ModelEntity* fact);
  Status AddGroups(Measure& measure);
  Status AddFilters(Measure& measure);
  static Status AddOwnFilters(RowsBuilder& builder, const ModelMetric& metric,
                              const std::vector<std::string>& more);
  void CollectJoins();
  // The correction: the question with one thing changed.
  void Mend(const std::function<void(Question&)>& change);
  void MendFilter(const Error& error, const Measure& measure, std::size_t filter, std::size_t leaf,
                  const std::vector<FilterLeaf>& asked);
  // Replaces a name by the nearest, adds the joins that tell a path, or leaves the name out.
  void MendName(const Error& error, const RowsBuilder& builder,
                const std::function<void(Question&, const std::string*)>& change);

  // The words of a question that need no rows: metrics, clock, joins, grain. planner_read.cc
  Status ReadClock();
  Status ReadZone();
  Status ReadWeekStart();
  Status ReadTimeRange();
  std::vector<std::string> AskedNames() const;
  Status FindMetrics();
  Status CheckCount(const std::vector<std::string>& names);
  // The earlier value of a metric that was added, and the change.
  Status AddCompared(const ModelMetric& metric, const Offset& compare);
  Error UnknownMetric(const std::string& name);
  Result<std::optional<Offset>> ReadCompare();
  Result<Via> ReadVia();
  // A near name may be on no path either: the call without it is the one that works.
  void MendVia(std::size_t at);
  Error UnusedVia(const std::string& join);
  Status ReadGrain();
  std::string NearestAllowed(const std::string& word) const;
  // Grains that every metric allows; empty where none says.
  std::vector<std::string> AllowedGrains() const;
  Status CheckAllowed(sql::TimeGrain grain);

  // The column of time of each measure. planner_time.cc
  bool NeedsTime(const Measure& measure) const;
  Status FindTime(Measure& measure);
  Status NoTime(const Measure& measure);
  // Returns nothing where the metric's rows have no column of time.
  Result<std::optional<MeasureTime>> TimeOf(RowsBuilder& builder, const ModelMetric& metric,
                                            bool asked);
  Error AmbiguousTime(const ModelMetric& metric, const std::vector<std::string>& candidates);
  Result<MeasureTime> TimeAt(RowsBuilder& builder, const std::string& name);
  // Engines without a type for time keep it in texts and numbers; the definition says so.
  static bool IsDeclaredTime(const ColumnTarget& target);
  // The fact's columns of time, or those of the nearest entities that are one for each row.
  Result<std::vector<std::string>> Candidates(RowsBuilder& builder);

  // Which periods an answer shows, and which rows count in them. planner_periods.cc
  // Time: the answer's periods where rows of other periods count or gaps are filled, and the range.
  Status CutTime();
  Status CheckAlignment();
  // Without a grain the range is one period, and without a range all time is.
  Status OnePeriod();
  // From the range where it has both ends, else from the data.
  Result<std::optional<DataBounds>> PeriodBounds();
  // The first and last moment of each measure's rows, its filters applied.
  Status MakeProbe();
  // A last period that time has not ended yet, and periods that the range cuts.
  void MarkIncomplete();
  std::optional<std::size_t> SpineOf(const Measure& measure);
  void AddRange(const Measure& measure, RowsBuilder& builder);

  // The order and the conditions of the answer, over its columns. planner_answer.cc
  // Columns of the answer in order: time, groups, values.
  std::vector<std::string> AnswerColumns() const;
  bool HasTimeColumn() const;
  std::optional<std::size_t> FindAnswerColumn(const std::string& text) const;
  Status ReadOrder();
  Status ReadOrderAt(std::size_t at);
  Status ReadHaving();

  // The nodes of the plan: rows with what is aggregated from them. planner_nodes.cc
  Status Finish(Measure& measure);
  Result<Aggregate> AggregateOf(const Measure& measure);
  Rows TakeRows(Measure& measure);
  // Joins of a measure's own expression come last.
  void CollectLate(const RowsBuilder& builder);
  // The entity of a conversion's events; an error where the metric cannot be planned.
  Result<const ModelEntity*> EventsOf(const Measure& measure, const ModelMetric* event);
  Status FinishConversion(Measure& measure);
  // Leaves that read the same rows are aggregated together.
  void MergeNodes();
  // Periods without rows, where they are to be shown.
  void AddGapSpine();

  const Model& model_;
  const Question& question_;
  const PlanOptions& options_;
  std::optional<Question>& mended_;
  Planned planned_;
  MetricTree tree_;
  Via via_;
  std::vector<Measure> measures_;
  std::vector<Period> periods_;
};

}  // namespace schemaward::semantic
