#include "tools/name_lists.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "tools/models.h"
#include "tools/shapes.h"

namespace schemaward::tools {
namespace {

constexpr std::int64_t kNamesMax = 200;  // of one page

struct In {
  std::string prefix;
  std::optional<std::string> source;
  std::int64_t limit = kNamesMax;
  std::optional<std::string> cursor;
  void Bind(json::Fields& f) {
    f("prefix", prefix, "how the names begin, whatever their case", {.length_max = kNameMax});
    f("source", source, "one source by name; all where absent", {.length_max = kNameMax});
    f("limit", limit, "most names to return", {.minimum = 1, .maximum = kNamesMax});
    f("cursor", cursor, "next_cursor of the answer before", {.length_max = kCursorMax});
  }
};

struct NameOut {
  std::string source, name, qualified_name;
  void Bind(json::Fields& f) {
    f("source", source, "source name");
    f("name", name, "name within its source");
    f("qualified_name", qualified_name, "name as tools take it without a source");
  }
};

struct Out {
  std::vector<NameOut> names;
  std::int64_t total = 0;
  bool truncated = false;
  std::optional<std::string> next_cursor;
  void Bind(json::Fields& f) {
    f("names", names, "sorted by source and name");
    f("total", total, "number of names in all");
    f("truncated", truncated, "more follow at next_cursor");
    f("next_cursor", next_cursor, "pass as cursor for the next page");
  }
};

/// One of the names that fit.
struct Found {
  std::size_t source = 0;  ///< into Scope::sources
  std::string name;
  store::TableEntry entry{};  ///< of a table
};

bool Begins(std::string_view name, const std::string& lower_prefix) {
  return LowerAscii(name.substr(0, lower_prefix.size())) == lower_prefix;
}

// Tables by schema.table and by their short name.
Result<std::vector<Found>> FindTables(const Services& s, const Scope& scope,
                                      const std::string& prefix) {
  std::vector<Found> found;
  WARD_CHECK(s.store.VisitTables(scope.ids(), [&](const store::TableEntry& entry) {
    if (!s.MaySee(entry.schema, entry.name)) return true;
    std::string name = catalog::QualifiedName(entry.schema, entry.name);
    if (!Begins(name, prefix) && !Begins(entry.name, prefix)) return true;
    const auto source =
        static_cast<std::size_t>(scope.Find(entry.source_id) - scope.sources.data());
    found.push_back({source, std::move(name), entry});
    return true;
  }));
  return found;
}

// Who may not use the tool that tells of a thing is not given its name either.
Status MayBeTold(const Services& s, const char* tool, const char* set) {
  if (s.caller.AllowsTool(tool, set)) return Ok();
  return privacy::DeniedRefusal("tool", tool);
}

/// Lists what `names_of` names in each model, of which the caller may know.
template <class NamesOf>
std::vector<Found> FindDefinitions(const Models& models, const Scope& scope,
                                   const std::string& prefix, const NamesOf& names_of) {
  std::vector<Found> found;
  for (const SourceModel& at : models)
    for (const std::string& name : names_of(*at.model))
      if (Begins(name, prefix))
        found.push_back(
            {static_cast<std::size_t>(scope.Find(at.source.id) - scope.sources.data()), name});
  return found;
}

std::vector<std::string> EntityNames(const semantic::Model& model) {
  std::vector<std::string> names;
  for (const semantic::ModelEntity& entity : model.entities())
    names.push_back(entity.definition.name);
  return names;
}

std::vector<std::string> MetricNames(const semantic::Model& model) {
  std::vector<std::string> names;
  for (const semantic::ModelMetric& metric : model.metrics())
    names.push_back(metric.definition.name);
  return names;
}

/// Returns the page of `found` that the call asks for. `qualify`: from one of them to its name as
/// tools take it without a source.
template <class Qualify>
Result<tool::Outcome<Out>> PageOf(const Services& s, const In& in, CallContext& ctx,
                                  const char* tool, const Scope& scope, std::vector<Found> found,
                                  std::int64_t version, const Qualify& qualify) {
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.source, a.name) < std::tie(b.source, b.name);
  });
  In start = in;
  start.cursor.reset();
  WARD_TRY(const Page page,
           Page::Open(s, ctx, tool, json::WriteArguments(start), in.cursor, version));
  Out out;
  out.total = static_cast<std::int64_t>(found.size());
  const std::size_t begin = std::min(page.offset(), found.size());
  const std::size_t end = std::min(begin + static_cast<std::size_t>(in.limit), found.size());
  for (std::size_t i = begin; i < end; ++i) {
    WARD_TRY(std::string qualified, qualify(found[i]));
    out.names.push_back({scope.sources[found[i].source].name, found[i].name, std::move(qualified)});
  }
  out.truncated = end < found.size();
  if (out.truncated) out.next_cursor = page.Seal(fmt::format("{}", end));
  tool::Outcome<Out> outcome(std::move(out));
  outcome.confidence.reset();
  if (outcome.data.names.empty()) outcome.status = tool::Status::Empty;
  return outcome;
}

Result<tool::Outcome<Out>> RunTables(const Services& s, const In& in, CallContext& ctx) {
  WARD_CHECK(MayBeTold(s, "describe_table", "catalog"));
  WARD_TRY(const Scope scope, ResolveScope(s, in.source));
  WARD_TRY(auto found, FindTables(s, scope, LowerAscii(in.prefix)));
  return PageOf(s, in, ctx, "list_table_names", scope, std::move(found), scope.generation(),
                [&](const Found& one) { return NameOf(s, scope, one.entry); });
}

/// As RunList, with names alone.
Result<tool::Outcome<Out>> RunDefinitions(
    const Services& s, const In& in, CallContext& ctx, const char* tool,
    std::vector<std::string> (*names_of)(const semantic::Model&)) {
  WARD_TRY(const Scope scope, ResolveScope(s, in.source));
  WARD_TRY(const Models models, ModelsOf(s, scope));
  std::map<std::string, int> holders;  // sources that have a definition of the name
  for (const SourceModel& at : models)
    for (const std::string& name : names_of(*at.model)) ++holders[name];
  const auto qualify = [&](const Found& one) {
    const std::string& source = scope.sources[one.source].name;
    return Result<std::string>(holders[one.name] > 1 ? source + ':' + one.name : one.name);
  };
  return PageOf(s, in, ctx, tool, scope,
                FindDefinitions(models, scope, LowerAscii(in.prefix), names_of), VersionOf(models),
                qualify);
}

Result<tool::Outcome<Out>> RunEntities(const Services& s, const In& in, CallContext& ctx) {
  WARD_CHECK(MayBeTold(s, "describe_entity", "semantic"));
  return RunDefinitions(s, in, ctx, "list_entity_names", EntityNames);
}

Result<tool::Outcome<Out>> RunMetrics(const Services& s, const In& in, CallContext& ctx) {
  WARD_CHECK(MayBeTold(s, "list_metrics", "semantic"));
  return RunDefinitions(s, in, ctx, "list_metric_names", MetricNames);
}

tool::ToolSpec SpecOf(const char* name, const char* set) {
  return {.name = name,
          .title = "List names",
          .description = "Use this when a client lists or completes names.",
          .effect = tool::Effect::ReadsIndex,
          .set = set,
          .example_json = "{}"};
}

}  // namespace

std::vector<tool::ToolPtr> NameLists(const Services& services) {
  std::vector<tool::ToolPtr> lists;
  lists.push_back(
      tool::MakeTool<In, Out>(SpecOf("list_table_names", "catalog"), services, RunTables));
  lists.push_back(
      tool::MakeTool<In, Out>(SpecOf("list_entity_names", "semantic"), services, RunEntities));
  lists.push_back(
      tool::MakeTool<In, Out>(SpecOf("list_metric_names", "semantic"), services, RunMetrics));
  return lists;
}

}  // namespace schemaward::tools
