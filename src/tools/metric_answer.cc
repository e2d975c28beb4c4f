#include "tools/metric_answer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "json/value.h"
#include "json/write.h"
#include "semantic/conditions.h"
#include "time/iso.h"
#include "tools/cells.h"
#include "tools/shapes.h"
#include "tools/trust.h"

namespace schemaward::tools {
namespace {

using semantic::Planned;
using semantic::Question;

constexpr std::size_t kRowBytesDefault = 20'000;  // characters. [R-SIZE-1]
constexpr std::size_t kRowBytesAsked = 30'000;    // leaves room for the rest of the answer
constexpr std::size_t kReadingMax = 1'500;

void AppendLiteral(std::string& out, const sql::Literal& literal) {
  struct Visitor {
    std::string& out;
    void operator()(std::monostate /*null*/) const { out += "null"; }
    void operator()(bool value) const { out += value ? "true" : "false"; }
    void operator()(std::int64_t value) const { json::AppendInt(out, value); }
    void operator()(double value) const { json::AppendDouble(out, value); }
    void operator()(const std::string& value) const { json::AppendQuoted(out, value); }
  };
  std::visit(Visitor{out}, literal.value);
}

std::string SumOf(const semantic::Metric& metric) {
  using semantic::MetricType;
  const auto word =
      json::EnumNames<semantic::Aggregation>::kNames[static_cast<std::size_t>(metric.aggregation)];
  const std::string what = !metric.column.empty()       ? metric.column
                           : !metric.expression.empty() ? metric.expression
                                                        : "rows";
  switch (metric.type) {
    case MetricType::Simple:
      return fmt::format("{} of {} over {}{}", word, what, metric.entity,
                         metric.filters.empty()
                             ? std::string()
                             : fmt::format(" where {}", fmt::join(metric.filters, " and ")));
    case MetricType::Ratio:
      return fmt::format("{} / {}", metric.numerator->metric, metric.denominator->metric);
    case MetricType::Derived:
      return metric.expression;
    case MetricType::Cumulative:
      return fmt::format("{} {}", metric.input->metric,
                         !metric.window.empty()          ? "over the last " + metric.window
                         : !metric.grain_to_date.empty() ? metric.grain_to_date + " to date"
                                                         : "since the beginning");
    case MetricType::Conversion:
      return fmt::format(
          "{} of {} to {}{}", metric.calculation.empty() ? "rate" : metric.calculation, metric.base,
          metric.conversion, metric.window.empty() ? "" : " within " + metric.window);
    case MetricType::PeriodOverPeriod:
      return fmt::format("{} of {} against {} before", metric.calculation, metric.input->metric,
                         metric.offset);
  }
  return {};
}

std::string FiltersText(const Question& question) {
  std::vector<std::string> all;
  for (const semantic::Filter& filter : question.filters) {
    std::vector<std::string> leaves;
    for (const semantic::FilterLeaf& leaf : filter.Leaves())
      leaves.push_back(semantic::Describe(leaf.column, leaf));
    all.push_back(leaves.size() == 1 ? leaves.front()
                                     : fmt::format("({})", fmt::join(leaves, " or ")));
  }
  return fmt::format("{}", fmt::join(all, " and "));
}

std::string TimeText(const Planned& planned) {
  std::string text;
  std::vector<std::string> names;
  for (const semantic::MeasureTime& time : planned.times) names.push_back(time.name);
  if (!names.empty()) text += fmt::format("; time {}", fmt::join(names, ", "));
  if (planned.plan.time.grain)
    text += fmt::format(" by {}", semantic::WordOf(*planned.plan.time.grain));
  if (!planned.plan.time.zone.empty()) text += " in " + planned.plan.time.zone;
  if (planned.range.start) text += " from " + semantic::ResolvedRange::Text(*planned.range.start);
  if (planned.range.end) text += " to before " + semantic::ResolvedRange::Text(*planned.range.end);
  return text;
}

// One line that says what was summed. [item 7 of the tool's promise: nothing is left to guess]
std::string ReadingOf(const Question& question, const Planned& planned) {
  const semantic::Plan& plan = planned.plan;
  std::vector<std::string> sums;
  for (const semantic::ModelMetric* metric : plan.metrics)
    sums.push_back(metric->definition.name + " = " + SumOf(metric->definition));
  std::string text = fmt::format("{}", fmt::join(sums, "; "));
  if (!question.filters.empty()) text += "; filters: " + FiltersText(question);
  std::vector<std::string> groups;
  for (const semantic::PlanGroup& group : plan.groups) groups.push_back(group.name);
  if (!groups.empty()) text += fmt::format("; by {}", fmt::join(groups, ", "));
  if (!plan.required_joins.empty())
    text += fmt::format("; joins {}", fmt::join(plan.required_joins, ", "));
  if (!plan.semi_joins.empty())
    text +=
        fmt::format("; rows kept where some row over {} matches", fmt::join(plan.semi_joins, ", "));
  if (!plan.fan_out_joins.empty())
    text += fmt::format("; each row counts once in every group that it has over {}",
                        fmt::join(plan.fan_out_joins, ", "));
  text += TimeText(planned);
  return CleanText(text, kReadingMax);
}

std::vector<TimeOut> TimesOf(const Planned& planned) {
  std::vector<TimeOut> times;
  for (const semantic::MeasureTime& time : planned.times) {
    TimeOut out;
    out.dimension = time.name;
    out.resolution = time.is_inherited ? "inherited" : "local";
    out.via = time.via;
    times.push_back(std::move(out));
  }
  if (planned.plan.time.is_unavailable) {
    TimeOut& out = times.emplace_back();
    out.resolution = "unavailable";
  }
  for (TimeOut& out : times) {
    if (planned.plan.time.grain) out.grain = semantic::WordOf(*planned.plan.time.grain);
    out.zone = planned.plan.time.zone;
    if (planned.range.start) out.start = semantic::ResolvedRange::Text(*planned.range.start);
    if (planned.range.end) out.end = semantic::ResolvedRange::Text(*planned.range.end);
  }
  return times;
}

// The trusts of all definitions that the answer rests on.
std::vector<MetricTrustOut> TrustsOf(const semantic::Model& model, const semantic::Plan& plan,
                                     std::vector<const semantic::Trust*>& trusts) {
  std::vector<MetricTrustOut> out;
  const auto add = [&](const std::string& name, const semantic::Trust& trust) {
    trusts.push_back(&trust);
    out.push_back({name, ConfidenceOf(trust), ProvenanceOf(trust)});
  };
  for (const semantic::ModelMetric* metric : plan.metrics)
    add("metric " + metric->definition.name, metric->definition.trust);
  for (const auto* list : {&plan.required_joins, &plan.semi_joins})
    for (const std::string& name : *list)
      if (const semantic::ModelJoin* join = model.FindJoin(name))
        add("join " + name, join->definition.trust);
  return out;
}

void SetDegradation(const Question& question, const semantic::Plan& plan,
                    tool::Outcome<MetricOut>& outcome) {
  std::vector<tool::Degradation> all;
  if (plan.is_inflated_by_fan_out) all.push_back(tool::Degradation::FanOutJoin);
  if (plan.time.is_unavailable) all.push_back(tool::Degradation::TimeDimensionUnavailable);
  if (question.limit && !plan.groups.empty() && question.order_by.empty())
    all.push_back(tool::Degradation::MissingOrderByWithLimit);
  if (all.empty()) return;
  outcome.status = tool::Status::Degraded;
  outcome.degradation = all.front();
  outcome.confidence = Least(*outcome.confidence, tool::Confidence::Medium);
  for (const tool::Degradation one : all)
    outcome.data.degradations.emplace_back(
        json::EnumNames<tool::Degradation>::kNames[static_cast<std::size_t>(one)]);
}

// A period as the answer writes it, whatever the engine's own text.
connect::Cell LabelOf(const connect::Cell& cell, const Planned& planned) {
  const auto moment = time::FromIso(TextOf(cell));
  if (!moment) return cell;
  switch (planned.plan.time.label_kind) {
    case sql::TimeKind::Date:
      return time::ToIsoDate(moment->local);
    case sql::TimeKind::Naive:
      return time::ToIsoNaive(moment->local);
    case sql::TimeKind::Instant:
      break;
  }
  const semantic::Boundary at = planned.clock.FromUtc(moment->Utc());
  return time::ToIsoZoned(at.utc, at.wall);
}

double NumberOf(const connect::Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  const std::string text = TextOf(cell);
  return text.empty() ? 0 : std::strtod(text.c_str(), nullptr);
}

// Sums of binary fractions carry noise in their last digits; fifteen are what a double keeps of any
// decimal number.
void Settle(connect::Cell& cell) {
  constexpr int kDigits = 15;
  if (auto* number = std::get_if<double>(&cell); number != nullptr && std::isfinite(*number))
    *number = std::strtod(fmt::format("{:.{}g}", *number, kDigits).c_str(), nullptr);
}

void MarkIncomplete(const Planned& planned, const std::vector<connect::Cell>& row, MetricOut& out) {
  const std::string label = TextOf(row.front());
  const auto& cut = planned.incomplete;
  if (std::find(cut.begin(), cut.end(), label) == cut.end()) return;
  for (TimeOut& time : out.time)
    if (std::find(time.incomplete.begin(), time.incomplete.end(), label) == time.incomplete.end())
      time.incomplete.push_back(label);
}

}  // namespace

void MetricColumnOut::Bind(json::Fields& f) {
  f("name", name, "as asked");
  f("kind", kind, "time, group or metric");
  f("type", type, "as the engine prints it", {.omit_empty = true});
  f("unit", unit, "unit of a metric", {.omit_empty = true});
}

void MetricTrustOut::Bind(json::Fields& f) {
  f("name", name, "definition");
  f("confidence", confidence, "how sure it is");
  f("provenance", provenance, "where it comes from");
}

void TimeOut::Bind(json::Fields& f) {
  f("dimension", dimension, "column of time", {.omit_empty = true});
  f("resolution", resolution, "local, inherited or unavailable");
  f("via", via, "joins to it", {.omit_empty = true});
  f("grain", grain, "grain of the periods", {.omit_empty = true});
  f("zone", zone, "time zone", {.omit_empty = true});
  f("start", start, "start of the range, included", {.omit_empty = true});
  f("end", end, "end of the range, excluded", {.omit_empty = true});
  f("incomplete", incomplete, "periods that the range or the present moment cuts",
    {.omit_empty = true});
}

void NearValuesOut::Bind(json::Fields& f) {
  f("column", column, "filtered column");
  f("values", values, "nearest values that occur");
}

void MetricOut::Bind(json::Fields& f) {
  f("columns", columns, "of the rows, in order");
  f("rows", rows, "values in the columns' order");
  f("row_count", row_count, "number of rows given");
  f("truncated", truncated, "there are more rows");
  f("reading", reading, "what was computed, in words");
  f("sql", sql, "the statement; values are bound");
  f("params", params, "bound values in order");
  f("required_joins", required_joins, "canonical joins used");
  f("fan_out_joins", fan_out_joins, "to-many joins that groups cross", {.omit_empty = true});
  f("semi_joins", semi_joins, "to-many joins that only filter", {.omit_empty = true});
  f("degradations", degradations, "all reasons of degraded", {.omit_empty = true});
  f("time", time, "columns of time used", {.omit_empty = true});
  f("nearest_values", nearest_values, "where a filter matched nothing", {.omit_empty = true});
  f("definitions", definitions, "trust of each definition used", {.omit_empty = true});
  f("plan", plan, "how it is computed", {.omit_empty = true});
  f("source", source, "source that was asked");
  f("indexed_at", indexed_at, "when the source was indexed, UTC");
}

tool::Outcome<MetricOut> DescribeAnswer(const semantic::Model& model, const Question& question,
                                        const Planned& planned, const semantic::Compiled& compiled,
                                        const sql::Rendered& rendered) {
  const semantic::Plan& plan = planned.plan;
  tool::Outcome<MetricOut> outcome;
  MetricOut& out = outcome.data;
  if (compiled.has_time)
    out.columns.push_back(
        {"time", "time", plan.time.label_kind == sql::TimeKind::Date ? "date" : "timestamp", ""});
  for (const semantic::PlanGroup& group : plan.groups)
    out.columns.push_back({group.name, "group", group.type, ""});
  for (const semantic::MetricValue& value : plan.values)
    out.columns.push_back({value.name, "metric", "", CleanWord(value.unit)});
  out.sql = rendered.text;
  for (const sql::Literal& literal : rendered.parameters)
    AppendLiteral(out.params.emplace_back().text, literal);
  out.required_joins = plan.required_joins;
  out.fan_out_joins = plan.fan_out_joins;
  out.semi_joins = plan.semi_joins;
  out.reading = ReadingOf(question, planned);
  out.time = TimesOf(planned);
  std::vector<const semantic::Trust*> trusts;
  out.definitions = TrustsOf(model, plan, trusts);
  const semantic::Trust& weakest = Weakest(trusts);
  outcome.confidence = ConfidenceOf(weakest);
  outcome.provenance = ProvenanceOf(weakest);
  if (question.response_format == semantic::AnswerFormat::Detailed)
    out.plan = plan.ToText(model);
  else
    out.definitions.clear();
  SetDegradation(question, plan, outcome);
  outcome.follow_up_hints = {"describe_entity", "list_metrics"};
  return outcome;
}

Status FillRows(const Question& question, const Planned& planned,
                const semantic::Compiled& compiled, const connect::QueryResult& result,
                tool::Outcome<MetricOut>& outcome) {
  MetricOut& out = outcome.data;
  const std::size_t width = out.columns.size();
  const std::size_t bytes_max = question.limit ? kRowBytesAsked : kRowBytesDefault;
  std::size_t bytes = 0;
  double matched = 0;
  bool cut_by_us =
      result.truncated && static_cast<std::int64_t>(result.rows.size()) <= planned.plan.limit;
  for (std::size_t i = 0; i < width && i < result.columns.size(); ++i)
    if (out.columns[i].type.empty()) out.columns[i].type = result.columns[i].type;
  for (const std::vector<connect::Cell>& given : result.rows) {
    // The columns of the answer, and how many rows matched.
    if (given.size() != width + 1)
      return Error(ErrorKind::Internal, fmt::format("a row has {} values where {} were asked for",
                                                    given.size(), width + 1));
    if (out.row_count >= planned.plan.limit) {
      out.truncated = true;
      cut_by_us = cut_by_us || !question.limit;
      break;
    }
    std::vector<connect::Cell> row(given.begin(),
                                   given.begin() + static_cast<std::ptrdiff_t>(width));
    matched += NumberOf(given.back());
    if (compiled.has_time) {
      row.front() = LabelOf(row.front(), planned);
      MarkIncomplete(planned, row, out);
    }
    for (std::size_t i = width - compiled.values; i < width; ++i) Settle(row[i]);
    std::string text;
    AppendRow(text, row);
    bytes += text.size();
    if (bytes > bytes_max) {
      cut_by_us = out.truncated = true;
      break;
    }
    out.rows.push_back({std::move(text)});
    ++out.row_count;
  }
  if (result.truncated) out.truncated = true;
  outcome.rows = out.row_count;
  if (matched == 0) {
    outcome.status = tool::Status::Empty;
    outcome.degradation.reset();
    outcome.confidence.reset();
  } else if (cut_by_us && outcome.status == tool::Status::Success) {
    outcome.status = tool::Status::Partial;
  }
  return Ok();
}

}  // namespace schemaward::tools
