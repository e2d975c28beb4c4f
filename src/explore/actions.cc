#include "explore/actions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/contains.h"
#include "base/cut.h"
#include "explore/digest.h"
#include "explore/text.h"

namespace schemaward::explore {
namespace {

std::string BudgetLine(std::string_view what, std::int64_t used, const Budget& budget) {
  return fmt::format("{} calls used: {} of {}, {} left.\n", what, used, budget.calls_max,
                     budget.calls_max - used);
}

void Fail(Step& step, std::string error, const std::string& told) {
  step.error = std::move(error);
  step.short_form = "failed: " + CutText(step.error, 200);
  step.observation = CutText(told, kObservationBytesMax);
}

bool EndsTheCall(const Error& error, const CallContext& ctx) {
  return error.kind() == ErrorKind::Cancelled || !ctx.Check();
}

// True where the budget lets no call through; then the step says why.
bool IsRefused(Step& step, std::string_view what, std::int64_t used, const Budget& budget) {
  if (!budget.is_on) {
    Fail(step, fmt::format("{} is switched off", what),
         fmt::format("{} is not available in this run. Use the catalog above.", what));
    return true;
  }
  if (used < budget.calls_max) return false;
  Fail(step, fmt::format("the budget of {} is used up ({} of {})", what, used, budget.calls_max),
       fmt::format("No {} calls are left: {} of {} are used. Go on with what you have seen.", what,
                   used, budget.calls_max));
  return true;
}

/// The names of one lookup, sorted out.
struct Wanted {
  std::vector<std::string> fresh;    ///< canonical, to be fetched
  std::vector<std::string> dropped;  ///< canonical, past the most of one call
  std::vector<std::string> seen;     ///< shown before
  std::vector<std::string> missing;  ///< lines about names that mean no table
  std::size_t unread = 0;            ///< names past the most that one call may give
};

constexpr std::size_t kAskedMax = 200;  // names that are read of one lookup
constexpr std::size_t kNotedMax = 30;   // names that a note lists

std::string MissingLine(const std::string& asked, const ResolvedName& found) {
  std::string line = CutText(asked, 2 * kCellBytesMax);
  if (found.near.empty()) return line;
  std::vector<std::string> near = found.near;
  near.resize(std::min(near.size(), kNearNamesMax));
  return line + (found.is_ambiguous ? " (several: " : " (nearest: ") + Listed(near) + ")";
}

Result<Wanted> SortOut(const State& state, const std::vector<std::string>& asked,
                       Warehouse& warehouse, CallContext& ctx) {
  Wanted wanted;
  wanted.unread = asked.size() - std::min(asked.size(), kAskedMax);
  for (std::size_t i = 0; i < asked.size() && i < kAskedMax; ++i) {
    WARD_TRY(const ResolvedName found, warehouse.Resolve(asked[i], ctx));
    if (found.name.empty()) {
      const std::string line = MissingLine(asked[i], found);
      if (!Contains(wanted.missing, line)) wanted.missing.push_back(line);
    } else if (state.seen.contains(found.name)) {
      if (!Contains(wanted.seen, found.name)) wanted.seen.push_back(found.name);
    } else if (!Contains(wanted.fresh, found.name) && !Contains(wanted.dropped, found.name)) {
      const bool fits = wanted.fresh.size() < static_cast<std::size_t>(kLookupTablesMax);
      (fits ? wanted.fresh : wanted.dropped).push_back(found.name);
    }
  }
  return wanted;
}

// All columns, or those that go first and as many others as fit, in the table's order.
std::vector<const ColumnView*> ShownColumns(const TableView& table) {
  std::size_t others = kColumnsShownMax;
  for (const ColumnView& column : table.columns)
    if (column.goes_first && others > 0) --others;
  std::vector<const ColumnView*> shown;
  for (const ColumnView& column : table.columns) {
    if (shown.size() == kColumnsShownMax) break;
    if (!column.goes_first && others == 0) continue;
    if (!column.goes_first) --others;
    shown.push_back(&column);
  }
  return shown;
}

std::string RenderTable(const TableView& table, bool with_samples) {
  std::string text = fmt::format("Table {} ({} rows)\n", table.name, ShowRows(table.rows));
  const auto shown = ShownColumns(table);
  for (const ColumnView* column : shown)
    text += fmt::format("- {} {} {}{}\n", column->name, column->type,
                        column->nullable ? "NULL" : "NOT NULL",
                        column->note.empty() ? "" : " [" + column->note + "]");
  if (shown.size() < table.columns.size())
    text += fmt::format("- and {} columns more, not shown\n", table.columns.size() - shown.size());
  if (!with_samples) return text;
  if (table.samples.empty())
    return text + (table.no_samples.empty() ? "No sample rows are kept.\n"
                                            : "No sample rows: " + table.no_samples + ".\n");
  text += "Sample rows:\n";
  for (std::size_t r = 0; r < table.samples.size() && r < kSampleRowsMax; ++r) {
    std::string line;
    for (std::size_t c = 0; c < table.sample_columns.size() && c < table.samples[r].size(); ++c)
      line += fmt::format("{}{}={}", line.empty() ? "" : ", ", table.sample_columns[c],
                          table.samples[r][c] ? ShowValue(*table.samples[r][c]) : "NULL");
    text += line + "\n";
  }
  return text;
}

std::string Noted(const std::vector<std::string>& names) {
  if (names.size() <= kNotedMax) return Listed(names);
  return fmt::format("{} and {} more", Listed({names.begin(), names.begin() + kNotedMax}),
                     names.size() - kNotedMax);
}

// The names that were not read go first, since the rest may be cut.
std::string Notes(const Wanted& wanted) {
  std::string text;
  if (wanted.unread > 0)
    text += fmt::format("Not read: {} names past the first {}\n", wanted.unread, kAskedMax);
  if (!wanted.dropped.empty())
    text += fmt::format("Only {} tables are shown in one call. Not shown: {}\n", kLookupTablesMax,
                        Noted(wanted.dropped));
  if (!wanted.missing.empty()) text += "Not found: " + Noted(wanted.missing) + "\n";
  if (!wanted.seen.empty()) text += "Shown before, use that: " + Noted(wanted.seen) + "\n";
  return text.size() <= kObservationBytesMax ? text : CutText(text, kObservationBytesMax) + "\n";
}

Status Lookup(State& state, Step& step, Warehouse& warehouse, CallContext& ctx) {
  ++state.counters.schema_lookup_calls;
  if (IsRefused(step, "lookup_schema", state.lookups_used, state.limits.lookups)) return Ok();
  std::vector<std::string> asked;
  for (const std::string& name : step.action.tables)
    if (std::string bare = BareName(name); !bare.empty()) asked.push_back(std::move(bare));
  if (asked.empty()) {
    Fail(step, "lookup_schema names no table",
         "Name at least one table: {\"lookup_schema\": [\"schema.table\"]}");
    return Ok();
  }
  auto wanted = SortOut(state, asked, warehouse, ctx);
  if (wanted && wanted->fresh.empty() && wanted->missing.empty() && wanted->unread == 0) {
    step.short_form = "shown before";
    step.observation = "All of these were shown before; use that: " + Noted(wanted->seen);
    return Ok();
  }
  ++state.lookups_used;
  step.is_charged = true;
  const std::string budget = BudgetLine("lookup_schema", state.lookups_used, state.limits.lookups);
  auto tables = wanted ? warehouse.Lookup(wanted->fresh, ctx)
                       : Result<std::vector<TableView>>(wanted.error());
  if (!tables) {
    if (EndsTheCall(tables.error(), ctx)) return std::move(tables).error();
    Fail(step, tables.error().message(),
         "The lookup failed: " + TellError(tables.error()) + "\nGo on, or try again.\n" + budget);
    return Ok();
  }
  for (const TableView& table : *tables) {
    state.seen.insert(table.name);
    step.tables.push_back(table.name);
  }
  step.observation = RenderTables(*tables, true) + Notes(*wanted) + budget;
  step.short_form = step.tables.empty() ? "nothing found" : "columns of " + Listed(step.tables);
  return Ok();
}

Status Search(State& state, Step& step, Warehouse& warehouse, CallContext& ctx) {
  ++state.counters.schema_search_calls;
  if (IsRefused(step, "search_tables", state.searches_used, state.limits.searches)) return Ok();
  const std::string text = CutText(BareName(step.action.search), kQuestionBytesMax);
  if (text.empty()) {
    Fail(step, "search_tables has no words",
         "Say what to search for: {\"search_tables\": \"abandoned carts\"}");
    return Ok();
  }
  const std::int64_t asked = step.action.hits_wanted;
  const std::int64_t hits_max = asked <= 0 ? kSearchHitsDefault : std::min(asked, kSearchHitsMax);
  ++state.searches_used;
  step.is_charged = true;
  const std::string budget =
      BudgetLine("search_tables", state.searches_used, state.limits.searches);
  auto hits = warehouse.Search(text, hits_max, ctx);
  if (!hits) {
    if (EndsTheCall(hits.error(), ctx)) return std::move(hits).error();
    Fail(step, hits.error().message(),
         "The search failed: " + TellError(hits.error()) + "\n" + budget);
    return Ok();
  }
  std::string told = fmt::format("Tables for \"{}\":\n", ShowValue(text));
  for (const TableHit& hit : *hits) {
    step.tables.push_back(hit.name);
    told += fmt::format("{}. {} ({} rows): {}\n", step.tables.size(), hit.name, ShowRows(hit.rows),
                        ShowValue(hit.reason));
  }
  told += hits->empty() ? "None. Try other words, or the catalog.\n"
                        : "Columns: call lookup_schema with the names you need.\n";
  step.observation = CutText(told, kObservationBytesMax) + "\n" + budget;
  step.short_form = step.tables.empty() ? "none" : CutText(Listed(step.tables), 3 * kCellBytesMax);
  return Ok();
}

Status RunQuery(State& state, Step& step, Warehouse& warehouse, CallContext& ctx) {
  ++state.counters.queries;
  auto result = warehouse.Query(step.action.query, ctx);
  if (!result) {
    if (EndsTheCall(result.error(), ctx)) return std::move(result).error();
    ++state.counters.queries_failed;
    Fail(step, result.error().message(),
         "The query did not run: " + TellError(result.error()) +
             "\nMend it, or ask something else.");
    return Ok();
  }
  ++state.counters.queries_successful;
  step.statement = result->statement;
  step.rows = static_cast<std::int64_t>(result->rows.size());
  step.time_ms = result->time_ms;
  step.observation = Digest(*result);
  step.short_form = ShortDigest(*result);
  return Ok();
}

void Complete(State& state, Step& step) {
  if (step.number >= state.limits.steps_min) {
    step.kind = StepKind::Complete;
    step.short_form = "the end";
    return;
  }
  step.kind = StepKind::CompleteRejected;
  ++state.counters.completes_rejected;
  Fail(step, "it is too early to complete",
       fmt::format("This is step {}; the run goes on for at least {} steps and may go on for {}. "
                   "Look at what you have not yet looked at.",
                   step.number, state.limits.steps_min, state.limits.steps_max));
}

}  // namespace

std::string TellError(const Error& error) {
  std::string text = error.message();
  for (const std::string& more : {error.detail(), error.hint()})
    if (!more.empty()) text += ". " + more;
  if (!error.recovery().fuzzy_matches.empty())
    text += "\nNearest names: " + Listed(error.recovery().fuzzy_matches);
  if (error.recovery().rewrite)
    text += "\nA statement that passes: " + error.recovery().rewrite->rewritten;
  return text;
}

std::string RenderTables(const std::vector<TableView>& tables, bool with_samples) {
  constexpr std::size_t kTablesBytesMax = 4 * kObservationBytesMax;
  const std::size_t share = kTablesBytesMax / std::max<std::size_t>(tables.size(), 1);
  std::string text;
  for (const TableView& table : tables) {
    const std::string one = RenderTable(table, with_samples);
    text += one.size() <= share ? one : CutText(one, share) + "\n(cut here)\n";
  }
  return text;
}

Result<Step> CarryOut(State& state, const Action& action, Warehouse& warehouse, CallContext& ctx) {
  Step step;
  step.number = static_cast<std::int64_t>(state.steps.size()) + 1;
  step.action = action;
  switch (action.kind) {
    case ActionKind::QueryData:
      step.kind = StepKind::Query;
      WARD_CHECK(RunQuery(state, step, warehouse, ctx));
      break;
    case ActionKind::LookupSchema:
      step.kind = StepKind::Lookup;
      WARD_CHECK(Lookup(state, step, warehouse, ctx));
      break;
    case ActionKind::SearchTables:
      step.kind = StepKind::Search;
      WARD_CHECK(Search(state, step, warehouse, ctx));
      break;
    case ActionKind::Complete:
      Complete(state, step);
      break;
  }
  return step;
}

}  // namespace schemaward::explore
