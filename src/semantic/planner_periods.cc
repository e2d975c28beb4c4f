// Of the planner: which periods an answer shows, and which rows count in them.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "semantic/compile.h"
#include "semantic/planner_steps.h"

namespace schemaward::semantic {
namespace {

constexpr std::int64_t kAssumedDays = 365;

}  // namespace

Status Planner::CutTime() {
  Plan& plan = planned_.plan;
  if (plan.time.is_unavailable) plan.time.grain.reset();
  const bool windowed = std::any_of(measures_.begin(), measures_.end(),
                                    [](const Measure& one) { return one.leaf->IsWindowed(); });
  if (plan.time.grain == sql::TimeGrain::Hour) {
    const bool instants =
        std::any_of(planned_.times.begin(), planned_.times.end(),
                    [](const MeasureTime& time) { return time.kind == sql::TimeKind::Instant; });
    plan.time.label_kind = instants ? sql::TimeKind::Instant : sql::TimeKind::Naive;
  }
  WARD_CHECK(CheckAlignment());
  MarkIncomplete();
  if (!windowed && !(question_.fill_gaps && plan.time.grain)) return Ok();
  if (!plan.time.grain) return OnePeriod();
  WARD_TRY(const auto bounds, PeriodBounds());
  if (!bounds) return Ok();  // a probe comes first
  auto periods = PeriodsOf(*plan.time.grain, bounds->first, bounds->last,
                           plan.time.label_kind == sql::TimeKind::Instant, planned_.clock);
  if (!periods) {
    Mend([](Question& q) { q.time_grain = "month"; });
    return std::move(periods).error();
  }
  periods_ = *std::move(periods);
  return Ok();
}

Status Planner::CheckAlignment() {
  for (const Measure& measure : measures_)
    for (const Offset& offset : measure.leaf->offsets) {
      const auto grain = planned_.plan.time.grain;
      if (offset.align != Alignment::Week || !grain || *grain <= sql::TimeGrain::Week) continue;
      Mend([](Question& q) {
        if (q.compare && q.compare->align == "week")
          q.compare->align = "calendar";
        else
          q.time_grain = "week";
      });
      return Error(ErrorKind::GrainMismatch,
                   fmt::format("whole weeks before do not fit the grain of a {}", WordOf(*grain)))
          .Near({"week", "day"});
    }
  return Ok();
}

Status Planner::OnePeriod() {
  const Clockwork& clock = planned_.clock;
  const bool offset = std::any_of(measures_.begin(), measures_.end(),
                                  [](const Measure& one) { return !one.leaf->offsets.empty(); });
  if (offset && !(planned_.range.start && planned_.range.end)) {
    const auto allowed = AllowedGrains();
    Mend([&](Question& q) {
      q.time_grain =
          allowed.empty() || std::find(allowed.begin(), allowed.end(), "month") != allowed.end()
              ? "month"
              : allowed.front();
    });
    return Error(ErrorKind::GrainMismatch,
                 "an earlier value needs a time_grain, or a time_range with both ends")
        .Near({"month", "week", "year"});
  }
  const std::int64_t tomorrow = time::Add(
      time::Truncate(clock.FromUtc(clock.now_utc).wall, time::Unit::Day), 1, time::Unit::Day);
  Period period;
  period.from = planned_.range.start.value_or(clock.FromWall(time::kMicrosMin));
  const bool all_time = std::all_of(measures_.begin(), measures_.end(), [](const Measure& one) {
    return one.leaf->window.what == Window::What::AllTime || !one.leaf->IsWindowed();
  });
  period.until =
      planned_.range.end.value_or(clock.FromWall(all_time ? time::kMicrosMax : tomorrow));
  periods_ = {period};
  return Ok();
}

Result<std::optional<DataBounds>> Planner::PeriodBounds() {
  const ResolvedRange& range = planned_.range;
  if (range.start && range.end) return std::optional(DataBounds{*range.start, *range.end});
  const Clockwork& clock = planned_.clock;
  DataBounds bounds;
  if (options_.bounds) {
    bounds = *options_.bounds;
    bounds.last = clock.FromUtc(bounds.last.utc + 1);
  } else if (options_.may_probe) {
    WARD_CHECK(MakeProbe());
    return std::optional<DataBounds>();
  } else {
    bounds = {clock.FromUtc(clock.now_utc - kAssumedDays * time::kMicrosPerDay),
              clock.FromUtc(clock.now_utc)};
  }
  if (range.start) bounds.first = *range.start;
  if (range.end) bounds.last = *range.end;
  return std::optional(bounds);
}

Status Planner::MakeProbe() {
  sql::Select probe;
  std::vector<sql::SelectPtr> more;
  std::int64_t n = 0;
  for (Measure& measure : measures_) {
    if (!measure.time) continue;
    if (!measure.leaf->offsets.empty() && measure.leaf->window.what == Window::What::Period)
      continue;  // the earlier rows do not decide which periods are shown
    Rows rows = measure.builder->Take();
    auto value = sql::Make({sql::Comparable{measure.time->column, measure.time->kind}});
    sql::Select one;
    one.columns = {{sql::MakeLiteral({n++}), "n"},
                   {sql::MakeCall({.function = "min", .arguments = {value}}), "first"},
                   {sql::MakeCall({.function = "max", .arguments = {value}}), "last"}};
    AddRows(model_, rows, one);
    planned_.probed.push_back({measure.time->kind, measure.time->own_zone});
    if (n == 1)
      probe = std::move(one);
    else
      more.push_back(std::make_shared<const sql::Select>(std::move(one)));
  }
  if (n == 0) {
    // Only earlier values are asked: their own rows bound them.
    return Error(ErrorKind::GrainMismatch, "an earlier value alone needs a time_range")
        .Near({"last_year"});
  }
  probe.union_all = std::move(more);
  planned_.probe = std::move(probe);
  return Ok();
}

void Planner::MarkIncomplete() {
  const auto grain = planned_.plan.time.grain;
  if (!grain) return;
  const Clockwork& clock = planned_.clock;
  const bool instants =
      planned_.plan.time.label_kind == sql::TimeKind::Instant && *grain == sql::TimeGrain::Hour;
  const auto mark = [&](const Boundary& at, bool always) {
    const auto periods = PeriodsOf(*grain, at, clock.FromUtc(at.utc + 1), instants, clock);
    if (!periods || periods->empty()) return;
    const Period& period = periods->front();
    if (!always && period.from.utc == at.utc) return;
    auto& list = planned_.incomplete;
    if (std::find(list.begin(), list.end(), period.label) == list.end())
      list.push_back(period.label);
  };
  if (planned_.range.start) mark(*planned_.range.start, false);
  if (planned_.range.end) mark(*planned_.range.end, false);
  mark(clock.FromUtc(clock.now_utc), true);
}

std::optional<std::size_t> Planner::SpineOf(const Measure& measure) {
  if (!measure.leaf->IsWindowed()) return std::nullopt;
  Plan& plan = planned_.plan;
  const Clockwork& clock = planned_.clock;
  Spine spine;
  spine.label_kind = plan.time.label_kind;
  spine.bound_kind = measure.time->kind;
  spine.has_label = plan.time.grain.has_value();
  for (const Period& period : periods_) {
    Period cut = period;
    const bool own = measure.leaf->window.what == Window::What::Period;
    // A period that the range cuts is compared with as much of the earlier one.
    if (own && planned_.range.start && cut.from.utc < planned_.range.start->utc)
      cut.from = *planned_.range.start;
    if (planned_.range.end && cut.until.utc > planned_.range.end->utc)
      cut.until = *planned_.range.end;
    const Period window = WindowOf(*measure.leaf, cut, plan.time.grain, clock);
    spine.periods.push_back(
        {period.label, clock.ForColumn(window.from, measure.time->kind, measure.time->own_zone),
         clock.ForColumn(window.until, measure.time->kind, measure.time->own_zone)});
  }
  plan.spines.push_back(std::move(spine));
  return plan.spines.size() - 1;
}

void Planner::AddRange(const Measure& measure, RowsBuilder& builder) {
  const MeasureTime& time = *measure.time;
  const auto bound = [&](const char* op, const Boundary& at) {
    builder.AddCondition(sql::MakeBinary(
        op, sql::Make({sql::Comparable{time.column, time.kind}}),
        sql::Make(
            {sql::Moment{planned_.clock.ForColumn(at, time.kind, time.own_zone), time.kind}})));
  };
  if (planned_.range.start) bound(">=", *planned_.range.start);
  if (planned_.range.end) bound("<", *planned_.range.end);
}

}  // namespace schemaward::semantic
