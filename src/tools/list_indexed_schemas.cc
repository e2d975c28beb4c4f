// list_indexed_schemas: the sources and their schemas, with counts and how fresh the index is.

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "catalog/is_view.h"
#include "tools/shapes.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

constexpr std::int64_t kLimitMax = 200;
constexpr std::size_t kMissingMax = 10;  // objects that could not be read, named per source

struct In {
  std::optional<std::string> source;
  std::int64_t limit = 50;
  std::optional<std::string> cursor;
  void Bind(json::Fields& f) {
    f("source", source, "one source by name; all where absent", {.length_max = kNameMax});
    f("limit", limit, "most schemas to return", {.minimum = 1, .maximum = kLimitMax});
    f("cursor", cursor, "next_cursor of the answer before", {.length_max = kCursorMax});
  }
};

struct SchemaOut {
  std::string source, engine, schema;
  std::int64_t tables = 0, views = 0;
  std::optional<std::string> indexed_at;
  std::string state;
  std::string note;
  std::vector<catalog::Missing> missing;
  std::int64_t missing_total = 0;
  void Bind(json::Fields& f) {
    f("source", source, "source name");
    f("engine", engine, "engine and version");
    f("schema", schema, "schema name; empty while the source has no index");
    f("tables", tables, "number of tables");
    f("views", views, "number of views, materialized ones too");
    f("indexed_at", indexed_at, "when it was indexed, UTC; null while it never was");
    f("state", state, "ready, building or not_indexed");
    f("note", note, "what keeps the index from being fresh", {.omit_empty = true});
    f("missing", missing, "objects of the source that could not be read; in its first row",
      {.omit_empty = true});
    f("missing_total", missing_total, "how many objects of the source could not be read");
  }
};

struct Out {
  std::vector<SchemaOut> schemas;
  std::int64_t total = 0;
  bool truncated = false;
  std::optional<std::string> next_cursor;
  void Bind(json::Fields& f) {
    f("schemas", schemas, "one row per schema, sorted by source and schema");
    f("total", total, "number of schemas in all");
    f("truncated", truncated, "more follow at next_cursor");
    f("next_cursor", next_cursor, "pass as cursor for the next page");
  }
};

std::string EngineOf(const store::Source& source) {
  return source.engine_version.empty() ? source.engine
                                       : source.engine + ' ' + source.engine_version;
}

// A source without schemas to show: why it is not ready.
SchemaOut Unready(const store::Source& source, const BuildState& state) {
  SchemaOut row;
  row.source = source.name;
  row.engine = EngineOf(source);
  row.state = state.building ? "building" : "not_indexed";
  if (state.building && state.total > 0)
    row.note = fmt::format("{} of {} tables are done", state.done, state.total);
  if (state.last_error) row.note = state.last_error->message();
  return row;
}

// Schemas of which the caller may know a table, with how many it may know of.
Result<std::vector<store::SchemaCount>> CountVisible(const Services& s,
                                                     const store::Source& source) {
  if (!s.caller.IsLimited()) return s.store.CountSchemas(source.id);
  std::map<std::string, store::SchemaCount> counts;
  WARD_CHECK(s.store.VisitTables(std::span(&source.id, 1), [&](const store::TableEntry& entry) {
    if (!s.MaySee(entry.schema, entry.name)) return true;
    store::SchemaCount& count = counts[entry.schema];
    count.schema = entry.schema;
    ++(catalog::IsView(entry.kind) ? count.views : count.tables);
    return true;
  }));
  std::vector<store::SchemaCount> sorted;
  for (auto& [name, count] : counts) sorted.push_back(std::move(count));
  return sorted;
}

Status AddSource(const Services& s, const store::Source& source, std::vector<SchemaOut>& rows) {
  const BuildState state = s.watch.State(source);
  if (source.generation == 0) {
    rows.push_back(Unready(source, state));
    return Ok();
  }
  WARD_TRY(const auto counts, CountVisible(s, source));
  for (const store::SchemaCount& count : counts) {
    SchemaOut row{.source = source.name,
                  .engine = EngineOf(source),
                  .schema = count.schema,
                  .tables = count.tables,
                  .views = count.views,
                  .indexed_at = ToIsoUtc(source.indexed_at_us),
                  .state = "ready",
                  .note = {},
                  .missing = {},
                  .missing_total = static_cast<std::int64_t>(source.missing.size())};
    if (state.last_error) row.note = state.last_error->message();
    // What is missing is the source's, and stands in its first row.
    const bool is_first = rows.empty() || rows.back().source != source.name;
    const std::size_t shown = is_first ? std::min(source.missing.size(), kMissingMax) : 0;
    if (s.caller.IsLimited()) {  // they are named as the source names them
      row.missing_total = 0;
      rows.push_back(std::move(row));
      continue;
    }
    row.missing.assign(source.missing.begin(),
                       source.missing.begin() + static_cast<std::ptrdiff_t>(shown));
    rows.push_back(std::move(row));
  }
  return Ok();
}

Result<std::vector<store::Source>> SourcesOf(const Services& s, const In& in) {
  WARD_TRY(auto sources, s.store.ListSources());
  std::erase_if(sources, [&](const store::Source& source) {
    return !s.served.empty() &&
           std::find(s.served.begin(), s.served.end(), source.name) == s.served.end();
  });
  if (!in.source || in.source->empty()) return sources;
  const bool known = std::any_of(sources.begin(), sources.end(),
                                 [&](const store::Source& x) { return x.name == *in.source; });
  if (!known && !sources.empty()) {
    auto scope = ResolveScope(s, in.source);
    if (!scope) return MendSource(std::move(scope).error(), "list_indexed_schemas", in);
  }
  std::erase_if(sources, [&](const store::Source& source) { return source.name != *in.source; });
  return sources;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(const auto sources, SourcesOf(s, in));
  std::vector<SchemaOut> rows;
  std::int64_t generation = 0;
  bool partial = false;
  for (const store::Source& source : sources) {
    WARD_CHECK(AddSource(s, source, rows));
    generation += source.generation;
    partial |= !source.missing.empty();
  }
  In start = in;
  start.cursor.reset();
  WARD_TRY(const Page page, Page::Open(s, ctx, "list_indexed_schemas", json::WriteArguments(start),
                                       in.cursor, generation));
  Out out;
  out.total = static_cast<std::int64_t>(rows.size());
  const std::size_t begin = std::min(page.offset(), rows.size());
  const std::size_t end = std::min(begin + static_cast<std::size_t>(in.limit), rows.size());
  out.schemas.assign(std::make_move_iterator(rows.begin() + static_cast<std::ptrdiff_t>(begin)),
                     std::make_move_iterator(rows.begin() + static_cast<std::ptrdiff_t>(end)));
  out.truncated = end < rows.size();
  if (out.truncated) out.next_cursor = page.Seal(fmt::format("{}", end));
  tool::Outcome<Out> outcome(std::move(out));
  outcome.confidence.reset();
  outcome.status = outcome.data.schemas.empty() ? tool::Status::Empty
                   : partial                    ? tool::Status::Partial
                                                : tool::Status::Success;
  outcome.follow_up_hints = {"find_relevant_tables", "list_metrics"};
  return outcome;
}

}  // namespace

tool::ToolPtr list_indexed_schemas(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "list_indexed_schemas",
       .title = "List indexed schemas",
       .description =
           "Use this when you need to know which databases and schemas exist. Returns sources, "
           "engines, schemas with table and view "
           "counts, and how fresh the index is. Use find_relevant_tables instead when you look for "
           "tables on a topic. Common "
           "composition: list_indexed_schemas then find_relevant_tables with query \"*\".",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 200,
       .set = "catalog",
       .example_json = "{}"},
      services, Run);
}

}  // namespace schemaward::tools
