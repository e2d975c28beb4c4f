#include "explore/run_record.h"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/access.h"

namespace schemaward::explore {
namespace {

constexpr std::array<std::pair<StepKind, std::string_view>, 5> kKinds = {{
    {StepKind::Query, "query_data"},
    {StepKind::Lookup, "lookup_schema"},
    {StepKind::Search, "search_tables"},
    {StepKind::Complete, "complete"},
    {StepKind::CompleteRejected, "complete_rejected"},
}};

const std::vector<ActionKind>& AllActions() {
  static const std::vector<ActionKind> all = {ActionKind::QueryData, ActionKind::LookupSchema,
                                              ActionKind::SearchTables, ActionKind::Complete};
  return all;
}

json::Value UsageJson(const llm::Usage& usage) {
  return {{"input", usage.input_tokens},
          {"output", usage.output_tokens},
          {"cache_read", usage.cache_read_tokens},
          {"cache_write", usage.cache_write_tokens},
          {"estimate", usage.is_estimate}};
}

json::Value SpentJson(const llm::Spent& spent) {
  return {{"usage", UsageJson(spent.usage)},
          {"calls", spent.calls},
          {"failed_calls", spent.failed_calls},
          {"cost_nano_usd", spent.cost}};
}

std::int64_t Number(const json::Value& object, std::string_view name) {
  return json::IntegerOf(json::Member(object, name)).value_or(0);
}

llm::Usage UsageOf(const json::Value& object) {
  llm::Usage usage;
  usage.input_tokens = Number(object, "input");
  usage.output_tokens = Number(object, "output");
  usage.cache_read_tokens = Number(object, "cache_read");
  usage.cache_write_tokens = Number(object, "cache_write");
  usage.is_estimate = json::IsTrue(json::Member(object, "estimate"));
  return usage;
}

// The members that SpentJson writes.
llm::Spent SpentOf(const json::Value& object) {
  llm::Spent spent;
  spent.usage = UsageOf(json::Member(object, "usage"));
  spent.calls = Number(object, "calls");
  spent.failed_calls = Number(object, "failed_calls");
  spent.cost = Number(object, "cost_nano_usd");
  return spent;
}

json::Value BudgetJson(const Budget& budget) {
  return {{"on", budget.is_on}, {"calls_max", budget.calls_max}};
}

Budget BudgetOf(const json::Value& object) {
  return {json::IsTrue(json::Member(object, "on")), Number(object, "calls_max")};
}

json::Value CountersJson(const Counters& counters) {
  return {{"schema_lookup_calls", counters.schema_lookup_calls},
          {"schema_search_calls", counters.schema_search_calls},
          {"queries", counters.queries},
          {"queries_successful", counters.queries_successful},
          {"queries_failed", counters.queries_failed},
          {"queries_repaired", counters.queries_repaired},
          {"repairs", counters.repairs},
          {"unparsable_replies", counters.unparsable_replies},
          {"completes_rejected", counters.completes_rejected}};
}

Counters ReadCounters(const json::Value& object) {
  Counters counters;
  counters.schema_lookup_calls = Number(object, "schema_lookup_calls");
  counters.schema_search_calls = Number(object, "schema_search_calls");
  counters.queries = Number(object, "queries");
  counters.queries_successful = Number(object, "queries_successful");
  counters.queries_failed = Number(object, "queries_failed");
  counters.queries_repaired = Number(object, "queries_repaired");
  counters.repairs = Number(object, "repairs");
  counters.unparsable_replies = Number(object, "unparsable_replies");
  counters.completes_rejected = Number(object, "completes_rejected");
  return counters;
}

json::Value RepairsJson(const std::vector<RepairAttempt>& repairs) {
  json::Value list = json::Value::array();
  for (const RepairAttempt& repair : repairs)
    list.push_back({{"before", repair.before},
                    {"after", repair.after},
                    {"error", repair.error},
                    {"fault", repair.fault},
                    {"usage", UsageJson(repair.usage)}});
  return list;
}

std::vector<RepairAttempt> RepairsOf(const json::Value& list) {
  std::vector<RepairAttempt> repairs;
  for (const json::Value& object : list)
    repairs.push_back({json::TextOf(object, "before"), json::TextOf(object, "after"),
                       json::TextOf(object, "error"), json::TextOf(object, "fault"),
                       UsageOf(json::Member(object, "usage"))});
  return repairs;
}

void ReadLimits(const json::Value& body, Limits& limits) {
  limits.steps_max = Number(body, "steps_max");
  limits.steps_min = Number(body, "steps_min");
  limits.output_tokens_max = Number(body, "output_tokens_max");
  limits.lookups = BudgetOf(json::Member(body, "lookups"));
  limits.searches = BudgetOf(json::Member(body, "searches"));
}

}  // namespace

std::string_view NameOf(StepKind kind) {
  for (const auto& [value, name] : kKinds)
    if (value == kind) return name;
  return {};
}

llm::NanoUsd CostOf(const RunRecord& run) { return run.spent.cost + run.embedder.cost; }

void Count(const Step& step, Counters& counters) {
  counters.unparsable_replies += step.replies - 1;
  if (step.kind == StepKind::Lookup) ++counters.schema_lookup_calls;
  if (step.kind == StepKind::Search) ++counters.schema_search_calls;
  if (step.kind == StepKind::CompleteRejected) ++counters.completes_rejected;
  if (step.kind != StepKind::Query) return;
  ++counters.queries;
  ++(step.error.empty() ? counters.queries_successful : counters.queries_failed);
  CountRepairs(step, counters);
}

void CountRepairs(const Step& step, Counters& counters) {
  counters.repairs += static_cast<std::int64_t>(step.repairs.size());
  if (step.error.empty() && !step.repairs.empty()) ++counters.queries_repaired;
}

Counters CountersOf(const std::vector<Step>& steps) {
  Counters counters;
  for (const Step& step : steps) Count(step, counters);
  return counters;
}

State StateOf(const RunRecord& run, std::vector<Step> steps) {
  State state;
  state.limits = run.limits;
  state.lookups_used = run.lookups_used;
  state.searches_used = run.searches_used;
  state.counters = CountersOf(steps);
  for (const Step& step : steps)
    if (step.kind == StepKind::Lookup) state.seen.insert(step.tables.begin(), step.tables.end());
  state.steps = std::move(steps);
  return state;
}

std::string BodyOf(const RunRecord& run) {
  const json::Value body = {
      {"driver", run.driver == Driver::Agent ? "agent" : "model"},
      {"dialect", run.dialect},
      {"question", run.question},
      {"model", run.model},
      {"window_tokens", run.window_tokens},
      {"steps_max", run.limits.steps_max},
      {"steps_min", run.limits.steps_min},
      {"output_tokens_max", run.limits.output_tokens_max},
      {"lookups", BudgetJson(run.limits.lookups)},
      {"searches", BudgetJson(run.limits.searches)},
      {"cost_max_nano_usd", run.cost_max ? json::Value(*run.cost_max) : json::Value()},
      {"pack", run.pack},
      {"category", run.category},
      {"verifies", run.verifies},
      {"system", run.system},
      {"start", run.start}};
  return json::Canonical(body);
}

std::string ProgressOf(const RunRecord& run) {
  json::Value progress = {{"counters", CountersJson(run.counters)},
                          {"embedder", SpentJson(run.embedder)},
                          {"summary", run.summary},
                          {"claims_checked", run.claims_checked},
                          {"analysis", ToValue(run.analysis)},
                          {"error_kind", run.error_kind},
                          {"error_text", run.error_text}};
  progress.update(SpentJson(run.spent));
  return json::Canonical(progress);
}

Status ReadBody(std::string_view json, RunRecord& run) {
  const auto document = json::Parse(json);
  if (!document) return Error(ErrorKind::InputUnreadable, "a run of the store cannot be read");
  const json::Value& body = document->value();
  run.driver = json::TextOf(body, "driver") == "agent" ? Driver::Agent : Driver::Model;
  run.dialect = json::TextOf(body, "dialect");
  run.question = json::TextOf(body, "question");
  run.model = json::TextOf(body, "model");
  run.window_tokens = Number(body, "window_tokens");
  ReadLimits(body, run.limits);
  run.cost_max = json::IntegerOf(json::Member(body, "cost_max_nano_usd"));
  run.pack = json::TextOf(body, "pack");
  run.category = json::TextOf(body, "category");
  run.verifies = json::IsTrue(json::Member(body, "verifies"));
  run.system = json::TextOf(body, "system");
  run.start = json::TextOf(body, "start");
  return Ok();
}

Status ReadProgress(std::string_view json, RunRecord& run) {
  const auto document = json::Parse(json);
  if (!document) return Error(ErrorKind::InputUnreadable, "a run of the store cannot be read");
  const json::Value& progress = document->value();
  run.counters = ReadCounters(json::Member(progress, "counters"));
  run.spent = SpentOf(progress);
  run.embedder = SpentOf(json::Member(progress, "embedder"));
  run.summary = json::TextOf(progress, "summary");
  run.claims_checked = Number(progress, "claims_checked");
  run.analysis = AnalysisOf(json::Member(progress, "analysis"));
  run.error_kind = json::TextOf(progress, "error_kind");
  run.error_text = json::TextOf(progress, "error_text");
  return Ok();
}

std::string StepToJson(const Step& step) {
  const json::Value object = {{"step", step.number},
                              {"kind", NameOf(step.kind)},
                              {"action", ToJson(step.action)},
                              {"thinking", step.action.thinking},
                              {"error", step.error},
                              {"observation", step.observation},
                              {"short_form", step.short_form},
                              {"statement", step.statement},
                              {"rows", step.rows},
                              {"time_ms", step.time_ms},
                              {"tables", step.tables},
                              {"repairs", RepairsJson(step.repairs)},
                              {"usage", UsageJson(step.usage)},
                              {"replies", step.replies},
                              {"charged", step.is_charged}};
  return json::Canonical(object);
}

Result<Step> StepFromJson(std::string_view json) {
  const auto document = json::Parse(json);
  const Error unreadable(ErrorKind::InputUnreadable, "a step of the store cannot be read");
  if (!document) return unreadable;
  const json::Value& object = document->value();
  ParsedAction parsed = ParseAction(json::TextOf(object, "action"), AllActions());
  if (!parsed.action) return unreadable;
  Step step;
  step.action = *std::move(parsed.action);
  step.action.thinking = json::TextOf(object, "thinking");
  step.number = Number(object, "step");
  const std::string kind = json::TextOf(object, "kind");
  for (const auto& [value, name] : kKinds)
    if (name == kind) step.kind = value;
  step.error = json::TextOf(object, "error");
  step.observation = json::TextOf(object, "observation");
  step.short_form = json::TextOf(object, "short_form");
  step.statement = json::TextOf(object, "statement");
  step.rows = Number(object, "rows");
  step.time_ms = Number(object, "time_ms");
  step.tables = json::TextsOf(json::Member(object, "tables"));
  step.repairs = RepairsOf(json::Member(object, "repairs"));
  step.usage = UsageOf(json::Member(object, "usage"));
  step.replies = static_cast<int>(Number(object, "replies"));
  step.is_charged = json::IsTrue(json::Member(object, "charged"));
  return step;
}

}  // namespace schemaward::explore
