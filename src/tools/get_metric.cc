// get_metric: a governed number, grouped, filtered and cut by time, or the reason why not.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "json/write.h"
#include "semantic/columns.h"
#include "semantic/compile.h"
#include "semantic/planner.h"
#include "semantic/question.h"
#include "text/nearest.h"
#include "time/iso.h"
#include "tools/cells.h"
#include "tools/metric_answer.h"
#include "tools/models.h"
#include "tools/shapes.h"
#include "tools/sql_text.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using semantic::Planned;
using semantic::Question;

constexpr std::int64_t kBytesMax = 4 << 20;      // of cells that are taken from the engine
constexpr std::int64_t kNearValuesRead = 1'000;  // values looked through for near ones
constexpr std::size_t kNearFilters = 2;          // filters that near values are given for
constexpr std::size_t kNearValues = 3;
constexpr std::size_t kNameShownMax = 100;

/// The source that has the metrics, and its model.
using Found = SourceModel;

std::string FirstName(const Question& question) {
  return question.name.empty() && !question.metrics.empty() ? question.metrics.front()
                                                            : question.name;
}

std::vector<std::string> NamesOf(const Question& question) {
  std::vector<std::string> names = question.metrics;
  if (!question.name.empty()) names.insert(names.begin(), question.name);
  return names;
}

Error NoMetric(const std::vector<Found>& all, const Question& question) {
  const std::string wrong = FirstName(question);
  std::vector<std::string> names;
  bool is_entity = false;
  for (const Found& found : all) {
    for (const auto& metric : found.model->metrics()) names.push_back(metric.definition.name);
    is_entity = is_entity || found.model->FindEntity(wrong) != nullptr;
  }
  Error error(ErrorKind::UnknownMetric, fmt::format("no metric is named \"{}\"", wrong));
  if (names.empty()) {
    error.Detail("No metric is defined yet.");
    error.Suggest("list_metrics", "{}");
    return error;
  }
  const auto near = text::FindNearestNames(wrong, names, 3);
  error.Near(near);
  // The name of an entity: its metrics are what is meant.
  if (is_entity) {
    error.Suggest("describe_entity", "{\"name\":" + json::Canonical(json::Value(wrong)) + "}");
    return error;
  }
  Question next = question;
  if (next.name == wrong) next.name = near.front();
  for (std::string& metric : next.metrics)
    if (metric == wrong) metric = near.front();
  error.Suggest("get_metric", json::WriteArguments(next));
  return error;
}

Result<Found> FindSource(const Services& s, const Scope& scope, const Question& question) {
  std::vector<Found> all, fits;
  WARD_TRY(all, ModelsOf(s, scope));
  for (const Found& one : all)
    if (one.model->FindMetric(FirstName(question)) != nullptr) fits.push_back(one);
  if (fits.size() == 1) {
    // Of several metrics each must be the caller's.
    for (const std::string& name : NamesOf(question))
      if (const auto* kept = FindKeptBack(fits.front().metrics, name))
        return Refusal(*kept, "metric", CleanText(name, kNameShownMax));
    return fits.front();
  }
  if (FirstName(question).empty() && !all.empty()) return all.front();
  for (const Found& one : all)
    for (const std::string& name : NamesOf(question))
      if (const auto* kept = FindKeptBack(one.metrics, name); kept != nullptr && fits.empty())
        return Refusal(*kept, "metric", CleanText(name, kNameShownMax));
  if (fits.empty()) return NoMetric(all, question);
  Error error(ErrorKind::AmbiguousName, fmt::format("metric \"{}\" is defined for {} sources",
                                                    FirstName(question), fits.size()));
  Question next = question;
  next.source = fits.front().source.name;
  error.Suggest("get_metric", json::WriteArguments(next));
  std::vector<std::string> near;
  for (const Found& found : fits) near.push_back(found.source.name);
  return error.Near(std::move(near));
}

// The next call of an error in the plan: the mended question, else what is defined.
Error WithMended(Error error, const std::optional<Question>& mended) {
  if (error.recovery().call) return error;
  if (mended)
    error.Suggest("get_metric", json::WriteArguments(*mended));
  else
    error.Suggest("list_metrics", "{}");
  return error;
}

/// One question on its way: what each step needs.
struct Asked {
  const Services& s;
  const Question& question;
  const Found& found;
  CallContext& ctx;

  Result<guard::Approved> Approve(const sql::Select& select) const {
    // Not the model's tables alone: what an entity's view is made of is none of them.
    IndexLookup lookup(s, found.source.id);
    return s.GuardFor(found.source)
        .ApproveTree(select, DialectOf(found.source), lookup, ctx.principal);
  }

  Result<connect::QueryResult> Query(const sql::Select& select, std::int64_t rows_max) const {
    WARD_TRY(const guard::Approved approved, Approve(select));
    return s.sources.Query(found.source, approved, {.rows_max = rows_max, .bytes_max = kBytesMax},
                           ctx);
  }
};

// The moment in a cell of a probe: microseconds, or the engine's own text.
std::optional<std::int64_t> MicrosIn(const connect::Cell& cell, sql::TimeKind kind) {
  if (const auto* micros = std::get_if<std::int64_t>(&cell)) return *micros;
  const auto moment = time::FromIso(TextOf(cell));
  if (!moment) return std::nullopt;
  return kind == sql::TimeKind::Instant ? moment->Utc() : moment->local;
}

Result<std::optional<semantic::DataBounds>> Probe(const Asked& asked, const Planned& planned) {
  WARD_TRY(const auto result,
           asked.Query(*planned.probe, static_cast<std::int64_t>(planned.probed.size())));
  std::optional<semantic::DataBounds> bounds;
  for (const auto& row : result.rows) {
    constexpr std::size_t kWidth = 3;
    if (row.size() != kWidth) continue;
    const auto* n = std::get_if<std::int64_t>(&row[0]);
    const std::size_t at = n == nullptr
                               ? static_cast<std::size_t>(std::atoll(TextOf(row[0]).c_str()))
                               : static_cast<std::size_t>(*n);
    if (at >= planned.probed.size()) continue;
    const auto& column = planned.probed[at];
    const auto first = MicrosIn(row[1], column.kind);
    const auto last = MicrosIn(row[2], column.kind);
    if (!first || !last) continue;
    const auto from = planned.clock.FromColumn(*first, column.kind, column.own_zone);
    const auto to = planned.clock.FromColumn(*last, column.kind, column.own_zone);
    if (!bounds) bounds = semantic::DataBounds{from, to};
    if (from.utc < bounds->first.utc) bounds->first = from;
    if (to.utc > bounds->last.utc) bounds->last = to;
  }
  return bounds;
}

Result<Planned> MakePlan(const Asked& asked) {
  semantic::PlanOptions options;
  options.now_utc = asked.s.clock.UnixMicros();
  options.may_probe = !asked.question.compile_only;
  std::optional<Question> mended;
  auto planned = semantic::MakePlan(*asked.found.model, asked.question, options, mended);
  if (!planned) return WithMended(std::move(planned).error(), mended);
  if (!planned->probe) return planned;
  WARD_TRY(options.bounds, Probe(asked, *planned));
  options.may_probe = false;
  planned = semantic::MakePlan(*asked.found.model, asked.question, options, mended);
  if (!planned) return WithMended(std::move(planned).error(), mended);
  return planned;
}

// What a refusal leaves to do: the question without groups and filters that read protected columns.
Error Blocked(Error error, const Asked& asked) {
  if (error.recovery().call) return error;
  if (error.kind() == ErrorKind::Internal || error.kind() == ErrorKind::SqlUnknownName)
    return error;
  const Question& q = asked.question;
  if (q.group_by.empty() && q.filters.empty() && q.order_by.empty()) {
    error.Suggest("list_metrics", "{}");  // the metric itself reads them
    return error;
  }
  Question plain = q;
  plain.group_by.clear();
  plain.filters.clear();
  plain.order_by.clear();
  plain.via.clear();
  error.Suggest("get_metric", json::WriteArguments(plain));
  return error;
}

// The source no longer has what the index says: looks again, so that the model names the object.
Error Drifted(const Asked& asked, Error error) {
  const std::string name = FirstName(asked.question);
  asked.s.watch.LookNow(asked.found.source, name);
  if (auto fresh = asked.s.store.FindSource(asked.found.source.name); fresh && *fresh)
    if (auto models = ModelsOf(asked.s, Scope{{**fresh}})) {
      semantic::PlanOptions options;
      options.now_utc = asked.s.clock.UnixMicros();
      options.may_probe = false;
      std::optional<Question> mended;
      auto planned = semantic::MakePlan(*models->front().model, asked.question, options, mended);
      if (!planned) return WithMended(std::move(planned).error(), mended);
    }
  if (!error.recovery().call) error.Suggest("list_metrics", "{}");
  return error;
}

Error SourceFailed(const Asked& asked, Error error) {
  if (error.kind() == ErrorKind::SchemaDrift) return Drifted(asked, std::move(error));
  if (error.recovery().call) return error;
  Question compile = asked.question;
  compile.compile_only = true;
  error.Suggest("get_metric", json::WriteArguments(compile));
  return error;
}

// Values near those that a filter asked for in vain. Only of columns whose values may be read.
void AddNearValues(const Asked& asked, MetricOut& out) {
  for (const semantic::Filter& filter : asked.question.filters) {
    if (out.nearest_values.size() >= kNearFilters) return;
    if (!filter.any_of.empty() || filter.value.text.empty()) continue;
    const auto op = semantic::OpOf(filter.op);
    if (op != semantic::Op::Eq && op != semantic::Op::In) continue;
    const auto target =
        semantic::FindColumnTarget(*asked.found.model, 0, filter.column, ErrorKind::UnknownFilter);
    if (!target || target->column == nullptr || semantic::TimeKindOf(target->type())) continue;
    const catalog::Table& table = target->entity->table;
    if (!asked.s.PolicyFor(asked.found.source).MayReadValues(table, *target->column)) continue;
    sql::Select select;
    select.distinct = true;
    select.columns.push_back({sql::MakeColumn("t", target->column->name), "value"});
    select.from = sql::TableRef{table.schema, table.name, "t"};
    select.where = sql::MakeUnary("is not null", sql::MakeColumn("t", target->column->name));
    select.limit = kNearValuesRead;
    const auto values = asked.Query(select, kNearValuesRead);
    if (!values) return;
    std::vector<std::string> texts;
    for (const auto& row : values->rows) texts.push_back(CleanText(TextOf(row.front()), 80));
    const auto wrong = json::Parse(filter.value.text);
    const std::string asked_value =
        wrong && wrong->value().is_string() ? wrong->value().get<std::string>() : filter.value.text;
    out.nearest_values.push_back(
        {filter.column, text::FindNearestNames(asked_value, texts, kNearValues)});
  }
}

Result<tool::Outcome<MetricOut>> Ask(const Asked& asked) {
  WARD_TRY(const Planned planned, MakePlan(asked));
  WARD_TRY(const semantic::Compiled compiled, semantic::Compile(*asked.found.model, planned.plan));
  auto approved = asked.Approve(compiled.select);
  if (!approved) return Blocked(std::move(approved).error(), asked);
  tool::Outcome<MetricOut> outcome =
      DescribeAnswer(*asked.found.model, asked.question, planned, compiled,
                     {approved->shown_text(), approved->shown_parameters()});
  outcome.data.source = asked.found.source.name;
  for (const guard::TableRead& read : approved->reads())
    outcome.tables.push_back(catalog::QualifiedName(read.schema, read.table));
  outcome.metric = asked.question.name;
  for (const std::string& name : asked.question.metrics)
    outcome.metric += (outcome.metric.empty() ? "" : ", ") + name;
  outcome.rehearsal_only = IsDescription(asked.found.source);
  if (asked.question.compile_only) return outcome;
  outcome.statement = approved->text();
  outcome.exemptions = ExemptionsOf(asked.s, asked.found.source, *approved);
  auto result = asked.s.sources.Query(
      asked.found.source, *approved,
      Tightened(asked.s, asked.ctx, {.rows_max = planned.plan.limit + 1, .bytes_max = kBytesMax}),
      asked.ctx);
  if (!result) return SourceFailed(asked, result.error());
  WARD_CHECK(FillRows(asked.question, planned, compiled, *result, outcome));
  if (outcome.status == tool::Status::Empty) AddNearValues(asked, outcome.data);
  return outcome;
}

Result<tool::Outcome<MetricOut>> Run(const Services& s, const Question& question,
                                     CallContext& ctx) {
  auto scope = ResolveScope(s, question.source);
  if (!scope) return MendSource(std::move(scope).error(), "get_metric", question);
  WARD_TRY(const Found found, FindSource(s, *scope, question));
  s.watch.Used(found.source);
  const Asked asked{s, question, found, ctx};
  auto outcome = Ask(asked);
  if (outcome) outcome->data.indexed_at = scope->indexed_at();
  if (!outcome && outcome.error().kind() != ErrorKind::Internal && !outcome.error().recovery().call)
    return SourceFailed(asked, std::move(outcome).error());
  return outcome;
}

}  // namespace

tool::ToolPtr get_metric(const Services& services) {
  return tool::MakeTool<Question, MetricOut>(
      {.name = "get_metric",
       .title = "Get a metric",
       .description =
           "Use this when you need a number that a metric defines. Returns rows by group "
           "and period, the SQL, and what was computed in words; wrong joins are refused, "
           "not guessed. Use list_metrics instead when you do not know its name. Common "
           "compositions: list_metrics then get_metric; describe_entity then get_metric "
           "with its columns.",
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Moderate,
       .tokens_estimate = 900,
       .set = "semantic",
       .example_json = R"({"name":"revenue"})",
       .rehearsal = "compile_only"},
      services, Run);
}

}  // namespace schemaward::tools
