#include "tools/warehouse.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/contains.h"
#include "catalog/catalog.h"
#include "explore/limits.h"
#include "json/access.h"
#include "json/value.h"
#include "retrieve/search.h"
#include "store/samples.h"
#include "tools/names.h"
#include "tools/personal.h"
#include "tools/sql_text.h"
#include "tools/visible.h"

namespace schemaward::tools {
namespace {

constexpr std::int64_t kRowsAsked = 1'000;  // the most that execute_query gives

Scope ScopeOf(const store::Source& source) { return Scope{{source}}; }

bool IsTime(const std::string& type) {
  const std::string lower = LowerAscii(type);
  return lower.find("time") != std::string::npos || lower.find("date") != std::string::npos;
}

explore::ColumnView ViewOf(const privacy::Policy& policy, const catalog::Table& table,
                           const catalog::Column& column) {
  explore::ColumnView view{column.name, column.type, column.nullable};
  const auto add = [&](const std::string& note) {
    view.note += (view.note.empty() ? "" : ", ") + note;
  };
  if (table.primary_key && Contains(table.primary_key->columns, column.name)) add("key");
  for (const catalog::ForeignKey& key : table.foreign_keys)
    if (Contains(key.columns, column.name))
      add("-> " + catalog::QualifiedName(key.target_schema, key.target_table));
  if (IsTime(column.type)) add("time");
  view.goes_first = !view.note.empty();
  if (policy.RuleOf(table, column).IsBlocked()) add("personal, withheld");
  return view;
}

// Columns of samples as rows, without those that the policy does not let be read.
void AddSamples(const privacy::Policy& policy, const catalog::Table& table,
                const std::vector<store::ColumnSample>& samples, explore::TableView& view) {
  for (const store::ColumnSample& sample : samples) {
    const std::size_t at = catalog::FindColumn(table, sample.column);
    if (at >= table.columns.size() || !policy.MayReadValues(table, table.columns[at])) continue;
    view.sample_columns.push_back(sample.column);
    const std::size_t rows = std::min<std::size_t>(sample.values.size(), explore::kSampleRowsMax);
    if (view.samples.size() < rows) view.samples.resize(rows);
    for (std::size_t r = 0; r < view.samples.size(); ++r) {
      view.samples[r].resize(view.sample_columns.size());
      if (r < rows) view.samples[r].back() = sample.values[r];
    }
  }
}

// Decimals and large whole numbers are texts on the wire.
bool IsNumberType(const std::string& type) {
  const std::string lower = LowerAscii(type);
  for (const char* word : {"numeric", "decimal", "int", "serial"})
    if (lower.find(word) != std::string::npos) return lower.find("interval") == std::string::npos;
  return false;
}

bool IsNumber(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

explore::Cell CellOf(const json::Value& value, const std::string& type) {
  if (value.is_null()) return std::monostate();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return json::Canonical(value);
  std::string text = value.get<std::string>();
  if (IsNumberType(type) && IsNumber(text)) return explore::Decimal{std::move(text)};
  return text;
}

ErrorKind KindOf(const std::string& kind, const std::string& reason) {
  for (const ErrorRow& row : AllErrorRows())
    if (row.kind == kind && row.reason == reason) return row.id;
  return ErrorKind::Internal;
}

// The error that an answer of the charter family holds.
Error ErrorOf(const json::Value& answer, const std::string& text) {
  const json::Value& said = json::Member(answer, "error");
  if (!said.is_object()) return Error(ErrorKind::InvalidArgument, text.substr(0, text.find('\n')));
  Error error(KindOf(json::TextOf(said, "kind"), json::TextOf(said, "reason")),
              json::TextOf(said, "message"));
  error.Detail(json::TextOf(said, "detail"));
  error.Hint(json::TextOf(said, "hint"));
  const json::Value& recovery = json::Member(said, "recovery");
  error.Near(json::TextsOf(json::Member(recovery, "fuzzy_matches")));
  const json::Value& rewrite = json::Member(recovery, "suggested_rewrite");
  if (rewrite.is_object())
    error.recovery().rewrite = Rewrite{json::TextOf(rewrite, "rewritten"), ""};
  return error;
}

explore::QueryResult ResultOf(const json::Value& data) {
  explore::QueryResult result;
  std::vector<std::string> types;
  const auto masked = json::TextsOf(json::Member(data, "masked"));
  for (const json::Value* column : json::ItemsOf(json::Member(data, "columns"))) {
    const std::string name = json::TextOf(*column, "name");
    result.columns.push_back({name, Contains(masked, name)});
    types.push_back(json::TextOf(*column, "type"));
  }
  for (const json::Value& row : json::Member(data, "rows")) {
    auto& cells = result.rows.emplace_back();
    for (std::size_t c = 0; c < row.size() && c < types.size(); ++c)
      cells.push_back(CellOf(row[c], types[c]));
  }
  result.truncated = json::IsTrue(json::Member(data, "truncated"));
  result.statement = json::TextOf(data, "statement");
  return result;
}

}  // namespace

IndexWarehouse::IndexWarehouse(Services services, const tool::Invoker& invoker,
                               store::Source source, explore::SampleLimits limits,
                               std::shared_ptr<retrieve::Meaning> meaning)
    : services_(std::move(services)),
      invoker_(invoker),
      source_(std::move(source)),
      limits_(limits),
      meaning_(std::move(meaning)) {}

Status IndexWarehouse::Prepare(CallContext& ctx) {
  const auto run = [&](const std::string& sql) { return Query(sql, ctx); };
  WARD_TRY(samples_, ReadRunSamples(services_, source_, run, limits_, ctx));
  return Ok();
}

Result<std::vector<explore::CatalogEntry>> IndexWarehouse::Catalog(CallContext& ctx) {
  std::vector<store::TableEntry> entries;
  WARD_CHECK(
      services_.store.VisitTables(std::span(&source_.id, 1), [&](const store::TableEntry& entry) {
        if (services_.MaySee(entry.schema, entry.name)) entries.push_back(entry);
        return true;
      }));
  std::vector<explore::CatalogEntry> catalog;
  for (const store::TableEntry& entry : entries) {
    WARD_CHECK(ctx.Check());
    WARD_TRY(const auto table, services_.store.GetTable(entry.id));
    if (!table) continue;  // an index has removed it meanwhile
    catalog.push_back({catalog::QualifiedName(*table), table->schema,
                       static_cast<std::int64_t>(table->columns.size()), table->row_estimate});
  }
  std::sort(catalog.begin(), catalog.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return catalog;
}

Result<explore::ResolvedName> IndexWarehouse::Resolve(const std::string& name,
                                                      CallContext& /*ctx*/) {
  const auto found = FindTable(services_, ScopeOf(source_), name);
  if (found) return explore::ResolvedName{found->qualified_name, {}, false};
  const Error& error = found.error();
  const ErrorKind kind = error.kind();
  const bool is_name = kind == ErrorKind::UnknownTable || kind == ErrorKind::AmbiguousName ||
                       kind == ErrorKind::MalformedName || kind == ErrorKind::AllowlistViolation ||
                       kind == ErrorKind::PolicyBlocked;
  if (!is_name) return error;
  return explore::ResolvedName{"", error.recovery().fuzzy_matches,
                               kind == ErrorKind::AmbiguousName};
}

Result<explore::TableView> IndexWarehouse::View(const std::string& name,
                                                const Principal& caller) const {
  WARD_TRY(const FoundTable found, FindTable(services_, ScopeOf(source_), name));
  WARD_TRY(const catalog::Table plain, Describe(services_, found));
  const privacy::Policy policy = services_.PolicyFor(source_);
  const catalog::Table table = WithHiddenNames(policy, plain);
  explore::TableView view;
  view.name = name;
  view.rows = table.row_estimate;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    view.columns.push_back(ViewOf(policy, plain, plain.columns[c]));
    view.columns.back().name = table.columns[c].name;
  }
  if (!AreRowsOfCaller(services_, source_, plain.schema, plain.name, caller)) {
    WARD_TRY(const auto samples, store::ReadSamples(services_.store, found.entry.id));
    AddSamples(policy, plain, samples, view);
  }
  if (const auto read = samples_.find(name); read != samples_.end() && view.samples.empty()) {
    view.sample_columns = read->second.columns;
    view.samples = read->second.rows;
    view.no_samples = read->second.none;
  }
  return view;
}

Result<std::vector<explore::TableView>> IndexWarehouse::Lookup(
    const std::vector<std::string>& names, CallContext& ctx) {
  std::vector<explore::TableView> views;
  for (const std::string& name : names) {
    WARD_CHECK(ctx.Check());
    WARD_TRY(auto view, View(name, ctx.principal));
    views.push_back(std::move(view));
  }
  return views;
}

Result<std::vector<explore::TableHit>> IndexWarehouse::Search(const std::string& text,
                                                              std::int64_t hits_max,
                                                              CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  // Hits that the caller may not know of are left out, so more are asked for.
  constexpr std::size_t kSpare = 3;
  WARD_TRY(const auto answer,
           services_.searcher.Search(services_.store,
                                     {.query = text,
                                      .limit = kSpare * static_cast<std::size_t>(hits_max),
                                      .sources = std::span(&source_.id, 1),
                                      .ctx = &ctx,
                                      .meaning = meaning_.get()}));
  std::vector<explore::TableHit> hits;
  for (const retrieve::Hit& hit : answer.hits) {
    if (static_cast<std::int64_t>(hits.size()) >= hits_max) break;
    WARD_TRY(const auto table, services_.store.GetTable(hit.table_id));
    if (!table || !services_.MaySee(table->schema, table->name)) continue;
    hits.push_back({hit.name, table->row_estimate, WithoutNeighbours(hit.reason)});
  }
  return hits;
}

Result<explore::QueryResult> IndexWarehouse::Query(const std::string& sql, CallContext& ctx) {
  const json::Value args = {{"sql", sql}, {"source", source_.name}, {"limit", kRowsAsked}};
  const auto begun = ctx.clock.Now();
  CallContext call = ctx;  // the time limit of this call is not the run's
  const tool::Answer answer = invoker_.Invoke("execute_query", args, call);
  WARD_CHECK(ctx.Check());
  const auto document = json::Parse(answer.structured.empty() ? "{}" : answer.structured);
  if (!document) return Error(ErrorKind::Internal, "the answer of a query cannot be read");
  if (answer.is_error) return ErrorOf(document->value(), answer.text);
  explore::QueryResult result = ResultOf(json::Member(document->value(), "data"));
  result.time_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(ctx.clock.Now() - begun).count();
  return result;
}

}  // namespace schemaward::tools
