#include "semantic/planner.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ascii.h"
#include "semantic/compile.h"
#include "semantic/conditions.h"
#include "semantic/rows.h"
#include "sql/read/expression.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {


constexpr std::size_t kNear = 3;
constexpr std::int64_t kAssumedDays = 365;

// One leaf with the builder of its rows.
struct Measure {
  const MetricLeaf* leaf = nullptr;
  const ModelMetric* metric = nullptr;  // whose rows these are: of a conversion, the base event's
  std::unique_ptr<RowsBuilder> builder;
  std::optional<MeasureTime> time;
};

template <class T>
void Erase(std::vector<T>& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

class Planner {
 public:
  Planner(const Model& model, const Question& question, const PlanOptions& options,
          std::optional<Question>& mended)
      : model_(model), question_(question), options_(options), mended_(mended) {}

  Result<Planned> Run() {
    WARD_CHECK(ReadClock());
    WARD_CHECK(FindMetrics());
    WARD_TRY(via_, ReadVia());
    WARD_CHECK(ReadGrain());
    WARD_CHECK(Build());
    if (!via_.Unused().empty()) {
      // A join that lies on no shortest path may be meant for a longer one.
      via_.InsistOnUnused();
      WARD_CHECK(Build());
      if (const auto unused = via_.Unused(); !unused.empty()) return UnusedVia(unused.front());
    }
    WARD_CHECK(ReadOrder());
    WARD_CHECK(ReadHaving());
    Plan& plan = planned_.plan;
    plan.limit = question_.limit.value_or(kRowsDefault);
    WARD_CHECK(CutTime());
    if (planned_.probe) return std::move(planned_);
    for (Measure& measure : measures_) WARD_CHECK(Finish(measure));
    MergeNodes();
    return std::move(planned_);
  }

 private:
  // Corrections: the question with one thing changed.
  template <class Change>
  void Mend(Change change) {
    Question next = question_;
    change(next);
    mended_ = std::move(next);
  }

  Status ReadClock() {
    Clockwork& clock = planned_.clock;
    clock.now_utc = options_.now_utc;
    clock.zone_name = question_.time_zone;
    auto zone = time::Zone::Find(question_.time_zone);
    if (!zone) {
      Error error(ErrorKind::MalformedName,
                  fmt::format("no time zone is named \"{}\"", question_.time_zone));
      const auto near = time::NearestZones(question_.time_zone);
      error.Near(near);
      Mend([&](Question& q) { q.time_zone = near.empty() ? "" : near.front(); });
      return error;
    }
    clock.zone = *zone;
    const std::string start = LowerAscii(question_.week_start);
    if (start == "sunday" || start == "sun") {
      clock.week_start = time::kSunday;
    } else if (!start.empty() && start != "monday" && start != "mon") {
      Mend([](Question& q) { q.week_start = "monday"; });
      return Error(ErrorKind::MalformedName,
                   fmt::format("week_start must be monday or sunday, not \"{}\"", start))
          .Near({"monday", "sunday"});
    }
    if (question_.time_range) {
      auto range = ReadRange(*question_.time_range, clock);
      if (!range) {
        const auto& near = range.error().recovery().fuzzy_matches;
        Mend([&](Question& q) {
          if (near.empty())
            q.time_range.reset();
          else
            q.time_range = TimeRange{near.front(), ""};
        });
        return std::move(range).error();
      }
      planned_.range = *range;
    }
    return Ok();
  }

  std::vector<std::string> AskedNames() const {
    std::vector<std::string> names;
    if (!question_.name.empty()) names.push_back(question_.name);
    for (const std::string& name : question_.metrics)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
  }

  Status FindMetrics() {
    const std::vector<std::string> names = AskedNames();
    if (names.empty()) {
      Error error(ErrorKind::InvalidArgument, "argument \"name\" or \"metrics\" is required");
      if (!model_.metrics().empty())
        Mend([&](Question& q) { q.name = model_.metrics().front().definition.name; });
      return error;
    }
    if (names.size() > kMetricsMax) {
      Mend([&](Question& q) {
        q.name.clear();
        q.metrics.assign(names.begin(), names.begin() + kMetricsMax);
      });
      return Error(
          ErrorKind::InvalidArgument,
          fmt::format("{} metrics are more than the {} allowed", names.size(), kMetricsMax));
    }
    WARD_TRY(const auto compare, ReadCompare());
    for (const std::string& name : names) {
      const ModelMetric* metric = model_.FindMetric(name);
      if (metric == nullptr) return UnknownMetric(name);
      const std::string& own = metric->definition.name;
      WARD_CHECK(AddMetric(model_, *metric, own, {}, tree_));
      if (!compare) continue;
      WARD_CHECK(AddMetric(model_, *metric, own + "_previous", {*compare}, tree_));
      const std::size_t count = tree_.values.size();
      MetricValue change = tree_.values[count - 2];
      change.name = own + "_change";
      change.expression = sql::MakeBinary("-", tree_.values[count - 2].expression,
                                          tree_.values[count - 1].expression);
      tree_.values.push_back(std::move(change));
    }
    planned_.plan.values = tree_.values;
    planned_.plan.metrics = tree_.used;
    return Ok();
  }

  Error UnknownMetric(const std::string& name) {
    Error error(ErrorKind::UnknownMetric, fmt::format("no metric is named \"{}\"", name));
    const auto near = model_.NearMetrics(name);
    error.Near(near);
    if (near.empty()) return error;
    Mend([&](Question& q) {
      if (q.name == name) q.name = near.front();
      for (std::string& metric : q.metrics)
        if (metric == name) metric = near.front();
    });
    return error;
  }

  Result<std::optional<Offset>> ReadCompare() {
    if (!question_.compare) return std::optional<Offset>();
    const auto span = ParseSpan(question_.compare->offset);
    if (!span) {
      Mend([](Question& q) { q.compare->offset = "1 year"; });
      return Error(ErrorKind::MalformedName,
                   fmt::format("compare.offset \"{}\" is not a length of time such as 1 month",
                               question_.compare->offset))
          .Near({"1 year", "1 month", "1 week"});
    }
    const std::string& align = question_.compare->align;
    if (align != "calendar" && align != "week") {
      Mend([](Question& q) { q.compare->align = "calendar"; });
      return Error(ErrorKind::MalformedName,
                   fmt::format("compare.align must be calendar or week, not \"{}\"", align))
          .Near({"calendar", "week"});
    }
    return std::optional<Offset>(
        Offset{*span, align == "week" ? Alignment::Week : Alignment::Calendar});
  }

  Result<Via> ReadVia() {
    // Column names in via are brought to their canonical form, so that any spelling binds.
    auto via = Via::Read(model_, question_.via);
    if (via) return via;
    for (std::size_t i = 0; i < question_.via.size(); ++i) {
      if (Via::Read(model_, {question_.via[i]})) continue;
      MendVia(i);
      break;
    }
    return via;
  }

  // A near name may be on no path either: the call without it is the one that works.
  void MendVia(std::size_t at) {
    Mend([&](Question& q) { Erase(q.via, at); });
  }

  Error UnusedVia(const std::string& join) {
    Error error(ErrorKind::UnknownViaJoin,
                fmt::format("join \"{}\" is on no path of this question", join));
    error.Near(text::FindNearestNames(join, planned_.plan.required_joins, kNear));
    for (std::size_t i = 0; i < question_.via.size(); ++i) {
      const std::string& text = question_.via[i];
      const std::size_t equal = text.rfind('=');
      const std::string name = equal == std::string::npos ? text : text.substr(equal + 1);
      const ModelJoin* found = model_.FindJoin(name);
      if (found == nullptr || found->definition.name != join) continue;
      MendVia(i);
      break;
    }
    return error;
  }

  Status ReadGrain() {
    PlanTime& time = planned_.plan.time;
    time.zone = question_.time_zone;
    time.week_start = planned_.clock.week_start;
    if (question_.time_grain.empty()) return Ok();
    time.grain = GrainOf(question_.time_grain);
    if (time.grain) return CheckAllowed(*time.grain);
    const std::string near(NearestAllowed(question_.time_grain));
    Mend([&](Question& q) { q.time_grain = near; });
    return Error(ErrorKind::InvalidTimeGrain,
                 fmt::format("\"{}\" is not a grain of time", question_.time_grain))
        .Detail("The grains are hour, day, week, month, quarter and year.")
        .Near({near});
  }

  std::string NearestAllowed(const std::string& word) const {
    const std::vector<std::string> allowed = AllowedGrains();
    if (allowed.empty()) return std::string(NearestGrain(word));
    return text::FindNearestNames(word, allowed, 1).front();
  }

  // Grains that every metric allows; empty where none says.
  std::vector<std::string> AllowedGrains() const {
    std::vector<std::string> allowed;
    bool first = true;
    for (const ModelMetric* metric : tree_.used) {
      const auto& grains = metric->definition.time_grains;
      if (grains.empty()) continue;
      if (first) {
        allowed = grains;
      } else {
        std::erase_if(allowed, [&](const std::string& grain) {
          return std::find(grains.begin(), grains.end(), grain) == grains.end();
        });
      }
      first = false;
    }
    return allowed;
  }

  Status CheckAllowed(sql::TimeGrain grain) {
    const std::string word(WordOf(grain));
    for (const ModelMetric* metric : tree_.used) {
      const auto& grains = metric->definition.time_grains;
      if (grains.empty() || std::find(grains.begin(), grains.end(), word) != grains.end()) continue;
      const auto allowed = AllowedGrains();
      Mend([&](Question& q) { q.time_grain = allowed.empty() ? "" : NearestAllowed(word); });
      Error error(ErrorKind::GrainMismatch,
                  fmt::format("metric \"{}\" has no grain of a {}", metric->definition.name, word));
      error.Detail(fmt::format("Its grains: {}.", fmt::join(grains, ", ")));
      return error.Near(allowed.empty() ? grains : allowed);
    }
    return Ok();
  }

  // Groups, filters and time of every leaf.
  Status Build() {
    measures_.clear();
    planned_.plan.groups.clear();
    planned_.times.clear();
    for (const MetricLeaf& leaf : tree_.leaves) {
      Measure measure;
      measure.leaf = &leaf;
      measure.metric = leaf.metric;
      if (leaf.metric->definition.type == MetricType::Conversion)
        measure.metric = model_.FindMetric(leaf.metric->definition.base);
      if (measure.metric == nullptr)
        return Error(ErrorKind::UnknownMetric,
                     fmt::format("no metric is named \"{}\"", leaf.metric->definition.base));
      const ModelEntity* fact = model_.FindEntity(measure.metric->definition.entity);
      if (fact == nullptr || !fact->problems.empty()) return BrokenFact(*measure.metric, fact);
      measure.builder = std::make_unique<RowsBuilder>(model_, *fact, via_, planned_.clock);
      WARD_CHECK(AddGroups(measure));
      WARD_CHECK(AddFilters(measure));
      WARD_CHECK(FindTime(measure));
      measures_.push_back(std::move(measure));
    }
    CollectJoins();
    return Ok();
  }

  static Error BrokenFact(const ModelMetric& metric, const ModelEntity* fact) {
    if (fact == nullptr)
      return {ErrorKind::SchemaDrift,
              fmt::format("entity \"{}\" of metric \"{}\" is not defined", metric.definition.entity,
                          metric.definition.name)};
    const Problem& problem = fact->problems.front();
    Error error(ErrorKind::SchemaDrift,
                fmt::format("entity \"{}\": {}", fact->definition.name, problem.message));
    return error.Near(problem.near);
  }

  Status AddGroups(Measure& measure) {
    const bool first = planned_.plan.groups.size() < question_.group_by.size();
    std::vector<PlanGroup> groups;
    for (std::size_t i = 0; i < question_.group_by.size(); ++i) {
      const std::string& text = question_.group_by[i];
      auto added = [&]() -> Status {
        WARD_TRY(const auto target, FindColumnTarget(model_, measure.builder->fact_node(), text,
                                                     ErrorKind::UnknownGroupBy));
        groups.push_back({target.name, target.type()});
        return measure.builder->AddKey(target);
      }();
      if (added) continue;
      MendName(added.error(), measure, text, [&](Question& q, const std::string* better) {
        if (better != nullptr)
          q.group_by[i] = *better;
        else
          Erase(q.group_by, i);
      });
      return added;
    }
    if (first) planned_.plan.groups = std::move(groups);
    return Ok();
  }

  Status AddFilters(Measure& measure) {
    for (std::size_t i = 0; i < question_.filters.size(); ++i) {
      std::vector<RowsBuilder::TargetLeaf> leaves;
      const std::vector<FilterLeaf> asked = question_.filters[i].Leaves();
      std::size_t at = 0;
      auto added = [&]() -> Status {
        for (; at < asked.size(); ++at) {
          if (asked[at].column.empty())
            return Error(ErrorKind::MalformedName, "a filter has no column");
          WARD_TRY(auto target, FindColumnTarget(model_, measure.builder->fact_node(),
                                                 asked[at].column, ErrorKind::UnknownFilter));
          leaves.emplace_back(std::move(target), asked[at]);
        }
        at = asked.size();
        return measure.builder->AddFilter(leaves);
      }();
      if (added) continue;
      MendFilter(added.error(), measure, i, at, asked);
      return added;
    }
    return AddOwnFilters(*measure.builder, *measure.metric, measure.leaf->filters);
  }

  static Status AddOwnFilters(RowsBuilder& builder, const ModelMetric& metric,
                              const std::vector<std::string>& more) {
    for (const auto* list : {&metric.definition.filters, &more})
      for (const std::string& filter : *list)
        if (auto added = builder.AddFilter(filter); !added)
          return added.error().In(fmt::format("filter of metric {}", metric.definition.name));
    return Ok();
  }

  void MendFilter(const Error& error, const Measure& measure, std::size_t filter, std::size_t leaf,
                  const std::vector<FilterLeaf>& asked) {
    const std::string text = leaf < asked.size() ? asked[leaf].column : asked.front().column;
    MendName(error, measure, text, [&](Question& q, const std::string* better) {
      Filter& changed = q.filters[filter];
      const bool is_op = error.message().find("is not an op") != std::string::npos;
      if (better == nullptr || leaf >= asked.size()) {
        if (better != nullptr && is_op && changed.any_of.empty())
          changed.op = *better;
        else
          Erase(q.filters, filter);
      } else if (changed.any_of.empty()) {
        changed.column = *better;
      } else {
        changed.any_of[leaf].column = *better;
      }
    });
  }

  // Replaces a name by the nearest, adds the joins that tell a path, or leaves the name out.
  template <class Change>
  void MendName(const Error& error, const Measure& measure, const std::string& text,
                Change change) {
    (void)text;
    Question next = question_;
    const auto& trouble = measure.builder->trouble();
    if (trouble && !trouble->joins.empty()) {
      for (const std::string& join : trouble->joins)
        next.via.push_back(trouble->column + "=" + join);
    } else {
      const auto& near = error.recovery().fuzzy_matches;
      change(next, trouble || near.empty() ? nullptr : &near.front());
    }
    mended_ = std::move(next);
  }

  bool NeedsTime(const Measure& measure) const {
    return planned_.plan.time.grain || question_.time_range || measure.leaf->IsWindowed() ||
           measure.metric->definition.semi_additive ||
           measure.leaf->metric->definition.type == MetricType::Conversion;
  }

  Status FindTime(Measure& measure) {
    if (!NeedsTime(measure)) return Ok();
    auto time = TimeOf(*measure.builder, *measure.metric, true);
    if (!time) return std::move(time).error();
    measure.time = *std::move(time);
    if (!measure.time) return NoTime(measure);
    if (planned_.plan.time.grain == sql::TimeGrain::Hour &&
        measure.time->kind == sql::TimeKind::Date) {
      Mend([](Question& q) { q.time_grain = "day"; });
      return Error(ErrorKind::GrainMismatch,
                   fmt::format("\"{}\" holds days, which cannot be cut by the hour",
                               measure.time->name))
          .Near({"day", "week", "month"});
    }
    const bool known =
        std::any_of(planned_.times.begin(), planned_.times.end(),
                    [&](const MeasureTime& other) { return other.name == measure.time->name; });
    if (!known) planned_.times.push_back(*measure.time);
    return Ok();
  }

  Status NoTime(const Measure& measure) {
    const std::string& name = measure.metric->definition.name;
    if (question_.time_range) {
      Mend([](Question& q) { q.time_range.reset(); });
      return Error(
          ErrorKind::UnknownFilter,
          fmt::format("metric \"{}\" has no column of time that time_range could cut", name));
    }
    const bool needs = measure.leaf->IsWindowed() || measure.metric->definition.semi_additive ||
                       measure.leaf->metric->definition.type == MetricType::Conversion;
    if (needs)
      return Error(ErrorKind::GrainMismatch,
                   fmt::format("metric \"{}\" has no column of time, which it needs", name));
    planned_.plan.time.is_unavailable = true;
    return Ok();
  }

  // Returns nothing where the metric's rows have no column of time.
  Result<std::optional<MeasureTime>> TimeOf(RowsBuilder& builder, const ModelMetric& metric,
                                            bool asked) {
    std::string name = metric.definition.time_dimension;
    const bool is_asked = asked && !question_.time_dimension.empty();
    if (is_asked) name = question_.time_dimension;
    if (name.empty()) {
      WARD_TRY(const auto candidates, Candidates(builder));
      if (candidates.empty()) return std::optional<MeasureTime>();
      if (candidates.size() > 1) return AmbiguousTime(metric, candidates);
      name = candidates.front();
    }
    auto time = TimeAt(builder, name);
    if (time) return std::optional<MeasureTime>(*std::move(time));
    if (is_asked) {
      const auto candidates = Candidates(builder);
      Mend([&](Question& q) {
        const auto& near = time.error().recovery().fuzzy_matches;
        q.time_dimension = candidates && !candidates->empty() ? candidates->front()
                           : !near.empty()                    ? near.front()
                                                              : std::string();
        if (metric.definition.time_dimension == q.time_dimension) q.time_dimension.clear();
        if (!metric.definition.time_dimension.empty()) q.time_dimension.clear();
      });
    }
    return std::move(time).error();
  }

  Error AmbiguousTime(const ModelMetric& metric, const std::vector<std::string>& candidates) {
    Mend([&](Question& q) { q.time_dimension = candidates.front(); });
    Error error(ErrorKind::AmbiguousTime,
                fmt::format("metric \"{}\" could be cut by {} columns of time",
                            metric.definition.name, candidates.size()));
    error.Detail(fmt::format("They are {}.", fmt::join(candidates, ", ")));
    return error.Near(candidates);
  }

  Result<MeasureTime> TimeAt(RowsBuilder& builder, const std::string& name) {
    WARD_TRY(const auto target,
             FindColumnTarget(model_, builder.fact_node(), name, ErrorKind::UnknownGroupBy));
    const auto kind = TimeKindOf(target.type());
    MeasureTime time;
    Path path;
    WARD_TRY(time.column, builder.JoinToOne(target, &path));
    if (!kind && IsNumericType(target.type()) && !IsDeclaredTime(target))
      return Error(ErrorKind::UnknownGroupBy,
                   fmt::format("\"{}\" holds {}, not time", target.name, target.type()));
    time.kind = kind.value_or(sql::TimeKind::Naive);
    time.own_zone = target.entity->definition.time_zone;
    time.name = target.name;
    time.via = path.JoinNames(model_);
    time.is_inherited = !path.legs.empty();
    return time;
  }

  // Engines without a type for time keep it in texts and numbers; the definition says so.
  static bool IsDeclaredTime(const ColumnTarget& target) {
    return target.entity->definition.default_time_dimension == target.own_name();
  }

  // The fact's columns of time, or those of the nearest entities that are one for each row.
  Result<std::vector<std::string>> Candidates(RowsBuilder& builder) {
    const ModelEntity& fact = *builder.rows().fact;
    std::vector<std::string> own = TimeColumnsOf(fact);
    if (!own.empty()) return own;
    std::set<std::size_t> seen = {builder.fact_node()};
    std::vector<std::size_t> ring = {builder.fact_node()};
    for (std::size_t hop = 0; hop < kHopsMax && !ring.empty(); ++hop) {
      std::vector<std::size_t> next;
      std::vector<std::string> found;
      for (const std::size_t node : ring)
        for (const Leg& leg : model_.LegsFrom(node)) {
          if (!leg.to_one || !seen.insert(leg.to).second) continue;
          next.push_back(leg.to);
          const auto entity = model_.nodes()[leg.to].entity;
          if (!entity) continue;
          for (std::string& name : TimeColumnsOf(model_.entities()[*entity]))
            found.push_back(std::move(name));
        }
      std::sort(found.begin(), found.end());
      if (!found.empty()) return found;
      ring = std::move(next);
    }
    return std::vector<std::string>();
  }

  void CollectJoins() {
    std::set<std::string> required, fan_out;
    Plan& plan = planned_.plan;
    plan.is_inflated_by_fan_out = false;
    for (const Measure& measure : measures_) {
      measure.builder->CollectJoins(required, fan_out);
      const Aggregation what = measure.metric->definition.aggregation;
      const bool adds = what != Aggregation::Min && what != Aggregation::Max &&
                        what != Aggregation::CountDistinct;
      if (measure.builder->rows().repeats() && adds) plan.is_inflated_by_fan_out = true;
    }
    plan.required_joins.assign(required.begin(), required.end());
    plan.fan_out_joins.assign(fan_out.begin(), fan_out.end());
  }

  // Columns of the answer in order: time, groups, values.
  std::vector<std::string> AnswerColumns() const {
    std::vector<std::string> names;
    if (HasTimeColumn()) names.emplace_back("time");
    for (const PlanGroup& group : planned_.plan.groups) names.push_back(group.name);
    for (const MetricValue& value : planned_.plan.values) names.push_back(value.name);
    return names;
  }

  bool HasTimeColumn() const {
    return planned_.plan.time.grain && !planned_.plan.time.is_unavailable;
  }

  std::optional<std::size_t> FindAnswerColumn(const std::string& text) const {
    const auto names = AnswerColumns();
    const auto exact = std::find(names.begin(), names.end(), text);
    if (exact != names.end()) return static_cast<std::size_t>(exact - names.begin());
    const std::size_t first = HasTimeColumn() ? 1 : 0;
    for (const std::string_view word : {"time_bucket", "time_grain", "period", "date"})
      if (first == 1 && text == word) return 0;
    if (first == 1 && GrainOf(text) == planned_.plan.time.grain) return 0;
    for (const MeasureTime& time : planned_.times)
      if (first == 1 && time.name == text) return 0;
    for (std::size_t i = 0; i < question_.group_by.size(); ++i) {
      if (question_.group_by[i] == text) return first + i;
      const std::string& name = planned_.plan.groups[i].name;
      if (name.substr(name.rfind('.') + 1) == text) return first + i;
    }
    if (const ModelMetric* metric = model_.FindMetric(text)) {
      const auto found = std::find(names.begin(), names.end(), metric->definition.name);
      if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    }
    return std::nullopt;
  }

  Status ReadOrder() {
    Plan& plan = planned_.plan;
    plan.order_by.clear();
    for (std::size_t i = 0; i < question_.order_by.size(); ++i) {
      std::string column = question_.order_by[i].column;
      std::string direction = question_.order_by[i].direction;
      // "revenue desc" in one string.
      if (const std::size_t blank = column.rfind(' ');
          blank != std::string::npos && direction.empty()) {
        direction = column.substr(blank + 1);
        column.resize(blank);
      }
      if (direction.empty() && column.size() > 1 && column.front() == '-') {
        direction = "desc";
        column.erase(0, 1);
      }
      direction = LowerAscii(direction);
      const auto found = FindAnswerColumn(column);
      if (!found) {
        Error error(ErrorKind::UnknownOrderBy,
                    fmt::format("the answer has no column \"{}\" to order by", column));
        const auto near = text::FindNearestNames(column, AnswerColumns(), kNear);
        error.Near(near);
        Mend([&](Question& q) { q.order_by[i] = {near.front(), direction}; });
        return error;
      }
      if (!direction.empty() && direction != "asc" && direction != "desc" &&
          direction != "ascending" && direction != "descending") {
        Mend([&](Question& q) { q.order_by[i] = {column, "asc"}; });
        return Error(ErrorKind::MalformedName,
                     fmt::format("order_by direction must be asc or desc, not \"{}\"", direction))
            .Near({"asc", "desc"});
      }
      plan.order_by.push_back({*found, direction.substr(0, 4) == "desc"});
    }
    return Ok();
  }

  Status ReadHaving() {
    Plan& plan = planned_.plan;
    plan.having.clear();
    for (std::size_t i = 0; i < question_.having.size(); ++i) {
      const Having& having = question_.having[i];
      const auto value =
          std::find_if(plan.values.begin(), plan.values.end(),
                       [&](const MetricValue& one) { return one.name == having.metric; });
      if (value == plan.values.end()) {
        std::vector<std::string> names;
        for (const MetricValue& one : plan.values) names.push_back(one.name);
        const auto near = text::FindNearestNames(having.metric, names, kNear);
        Mend([&](Question& q) { q.having[i].metric = near.front(); });
        return Error(ErrorKind::UnknownMetric,
                     fmt::format("having names \"{}\", which is not asked for", having.metric))
            .Near(near);
      }
      auto condition = HavingOf(value->expression, having);
      if (!condition) {
        Mend([&](Question& q) { Erase(q.having, i); });
        return std::move(condition).error();
      }
      plan.having.push_back({*std::move(condition)});
    }
    return Ok();
  }

  // Time: the answer's periods where rows of other periods count or gaps are filled, and the range.
  Status CutTime() {
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

  Status CheckAlignment() {
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

  // Without a grain the range is one period, and without a range all time is.
  Status OnePeriod() {
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

  // From the range where it has both ends, else from the data.
  Result<std::optional<DataBounds>> PeriodBounds() {
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

  // The first and last moment of each measure's rows, its filters applied.
  Status MakeProbe() {
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

  // A last period that time has not ended yet, and periods that the range cuts.
  void MarkIncomplete() {
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

  std::optional<std::size_t> SpineOf(const Measure& measure) {
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

  void AddRange(const Measure& measure, RowsBuilder& builder) {
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

  Status Finish(Measure& measure) {
    RowsBuilder& builder = *measure.builder;
    builder.rows().spine = SpineOf(measure);
    const bool has_range = planned_.range.start || planned_.range.end;
    if (!builder.rows().spine && has_range) AddRange(measure, builder);
    if (measure.leaf->metric->definition.type == MetricType::Conversion)
      return FinishConversion(measure);
    const Metric& metric = measure.metric->definition;
    MeasureNode node;
    Aggregate aggregate{metric.aggregation, nullptr, metric.percentile.value_or(0.5),
                        measure.leaf->column};
    if (!metric.column.empty()) {
      WARD_TRY(const auto target, FindColumnTarget(model_, builder.fact_node(), metric.column,
                                                   ErrorKind::UnknownMeasure));
      WARD_TRY(aggregate.operand, builder.JoinToOne(target));
    } else if (!metric.expression.empty()) {
      WARD_TRY(aggregate.operand, builder.Qualify(metric.expression));
    }
    node.aggregates.push_back(std::move(aggregate));
    if (metric.semi_additive) {
      node.semi_additive = metric.semi_additive;
      for (const std::string& column : metric.semi_additive->by) {
        WARD_TRY(const auto target,
                 FindColumnTarget(model_, builder.fact_node(), column, ErrorKind::UnknownMeasure));
        WARD_TRY(auto by, builder.JoinToOne(target));
        node.semi_by.push_back(std::move(by));
      }
    }
    CollectLate(builder);
    node.rows = TakeRows(measure);
    planned_.plan.nodes.emplace_back(std::move(node));
    return Ok();
  }

  Rows TakeRows(Measure& measure) {
    Rows rows = measure.builder->Take();
    rows.time = measure.time;
    for (const std::string& join : rows.semi_joins) {
      auto& all = planned_.plan.semi_joins;
      if (std::find(all.begin(), all.end(), join) == all.end()) all.push_back(join);
    }
    return rows;
  }

  // Joins of a measure's own expression come last.
  void CollectLate(const RowsBuilder& builder) {
    std::set<std::string> required(planned_.plan.required_joins.begin(),
                                   planned_.plan.required_joins.end());
    std::set<std::string> fan_out;
    builder.CollectJoins(required, fan_out);
    planned_.plan.required_joins.assign(required.begin(), required.end());
  }

  Status FinishConversion(Measure& measure) {
    const Metric& metric = measure.leaf->metric->definition;
    const ModelMetric* event = model_.FindMetric(metric.conversion);
    const ModelEntity* fact =
        event == nullptr ? nullptr : model_.FindEntity(event->definition.entity);
    if (fact == nullptr || !fact->problems.empty())
      return Error(
          ErrorKind::UnknownMetric,
          fmt::format("the conversion event of metric \"{}\" is not defined", metric.name));
    if (measure.builder->rows().repeats())
      return Error(
          ErrorKind::UnreachableEntity,
          fmt::format("metric \"{}\" cannot be grouped across a to-many join", metric.name));
    ConversionNode node;
    node.column = measure.leaf->column;
    node.base_column = measure.leaf->base_column;
    RowsBuilder conversion(model_, *fact, via_, planned_.clock);
    WARD_CHECK(AddOwnFilters(conversion, *event, {}));
    WARD_TRY(const auto time, TimeOf(conversion, *event, false));
    if (!time)
      return Error(ErrorKind::GrainMismatch,
                   fmt::format("metric \"{}\" has no column of time", event->definition.name));
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const ColumnPair& pair : metric.match) pairs.emplace_back(pair.from, pair.to);
    for (const ConstantProperty& one : metric.constant_properties)
      pairs.emplace_back(one.base, one.conversion);
    for (const auto& [base, other] : pairs) {
      WARD_TRY(auto left, measure.builder->Qualify(base));
      WARD_TRY(auto right, conversion.Qualify(other));
      node.match.emplace_back(std::move(left), std::move(right));
    }
    if (const auto span = ParseSpan(metric.window))
      node.window_micros = time::Add(0, span->count, *time::UnitOf(span->unit));
    CollectLate(*measure.builder);
    node.base = TakeRows(measure);
    node.conversion = conversion.Take();
    node.conversion.time = *time;
    planned_.plan.nodes.emplace_back(std::move(node));
    return Ok();
  }

  // Leaves that read the same rows are aggregated together.
  void MergeNodes();

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

void Planner::MergeNodes() {
  Plan& plan = planned_.plan;
  std::map<std::string, std::size_t> seen;
  std::vector<PlanNode> merged;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    auto* node = std::get_if<MeasureNode>(&plan.nodes[i]);
    if (node == nullptr) {
      merged.push_back(std::move(plan.nodes[i]));
      continue;
    }
    const std::string key = RowsToText(model_, node->rows, node->semi_additive, plan);
    const auto [found, added] = seen.emplace(key, merged.size());
    if (added) {
      merged.push_back(std::move(plan.nodes[i]));
      continue;
    }
    auto& into = std::get<MeasureNode>(merged[found->second]);
    for (Aggregate& aggregate : node->aggregates) into.aggregates.push_back(std::move(aggregate));
  }
  plan.nodes = std::move(merged);
  const bool windowed = !plan.spines.empty();
  const bool show_all =
      plan.time.grain && (question_.fill_gaps || (windowed && plan.groups.empty()));
  if (show_all && !periods_.empty()) {
    Spine spine;
    spine.label_kind = plan.time.label_kind;
    spine.bound_kind = sql::TimeKind::Naive;
    for (const Period& period : periods_)
      spine.periods.push_back({period.label, period.from.wall, period.until.wall});
    plan.spines.push_back(std::move(spine));
    plan.gap_spine = plan.spines.size() - 1;
  }
}

}  // namespace

Result<Planned> MakePlan(const Model& model, const Question& question, const PlanOptions& options,
                         std::optional<Question>& mended) {
  return Planner(model, question, options, mended).Run();
}

}  // namespace schemaward::semantic
