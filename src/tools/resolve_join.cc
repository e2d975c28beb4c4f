// resolve_join: the canonical path of joins between two entities, or what keeps it from being one.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/nearest.h"
#include "tools/join_answer.h"
#include "tools/join_candidates.h"
#include "tools/join_paths.h"
#include "tools/models.h"
#include "tools/shapes.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using semantic::Model;
using semantic::Path;
using Out = ResolvedJoinOut;

constexpr std::size_t kNearMax = 3;

struct In {
  std::string entity_a, entity_b;
  std::optional<std::string> name, source;
  void Bind(json::Fields& f) {
    f("entity_a", entity_a, "entity or role", {.required = true, .length_max = kNameMax});
    f("entity_b", entity_b, "entity or role", {.required = true, .length_max = kNameMax});
    f("name", name, "join that the path must pass, where several fit; more with commas",
      {.length_max = kNameMax});
    f("source", source, "source name; needed only where two share an entity's name",
      {.length_max = kNameMax});
  }
};

Error SuggestName(Error error, const In& in, std::vector<std::string> names) {
  In next = in;
  next.name = names.front();
  error.Near(std::move(names));
  error.Suggest("resolve_join", json::WriteArguments(next));
  return error;
}

// A join that links the two and does not fit the index any more.
const semantic::ModelJoin* DriftedJoin(const Ends& ends) {
  const std::string& a = ends.a.entity->definition.name;
  const std::string& b = ends.b.entity->definition.name;
  for (const semantic::ModelJoin& join : ends.model().joins()) {
    const semantic::Join& one = join.definition;
    const bool links = (one.from == a && one.to == b) || (one.from == b && one.to == a);
    if (links && !join.problems.empty()) return &join;
  }
  return nullptr;
}

Error Drifted(const std::string& what, const semantic::Problem& problem, const FoundEntity& entity,
              const In& in) {
  Error error(ErrorKind::SchemaDrift, fmt::format("{}: {}", what, problem.message));
  error.Near(problem.near);
  error.Suggest("describe_entity", EntityArguments(entity.entity->definition.name, in.source));
  return error;
}

// What one join links to `entity`: the other entity and the join's name, where both still stand.
std::vector<std::pair<std::string, std::string>> Neighbours(const Model& model,
                                                            const std::string& entity) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const semantic::ModelJoin& join : model.joins()) {
    const semantic::Join& one = join.definition;
    if (!join.problems.empty() || one.from == one.to) continue;
    if (one.from == entity) found.emplace_back(one.to, one.name);
    if (one.to == entity) found.emplace_back(one.from, one.name);
  }
  return found;
}

// The call for the end that some join links to another: to what is named most like the end that it
// does not reach. Where neither end has a join, the first that there is; nothing where none is.
std::optional<In> NearestThatLinks(const Ends& ends, const In& in) {
  const std::string& a = ends.a.entity->definition.name;
  const std::string& b = ends.b.entity->definition.name;
  for (const bool from_a : {true, false}) {
    const auto linked = Neighbours(ends.model(), from_a ? a : b);
    if (linked.empty()) continue;
    std::vector<std::string> names;
    for (const auto& [entity, join] : linked) names.push_back(entity);
    const auto near = text::FindNearestNames(from_a ? b : a, names, 1);
    const auto& best = near.empty() ? names.front() : near.front();
    const auto at = std::find(names.begin(), names.end(), best) - names.begin();
    In next = in;
    next.entity_a = from_a ? a : best;
    next.entity_b = from_a ? best : b;
    next.name = linked[static_cast<std::size_t>(at)].second;
    return next;
  }
  for (const semantic::ModelJoin& join : ends.model().joins()) {
    if (!join.problems.empty() || join.definition.from == join.definition.to) continue;
    In next = in;
    next.entity_a = join.definition.from;
    next.entity_b = join.definition.to;
    next.name = join.definition.name;
    return next;
  }
  return std::nullopt;
}

// No path: what the index's keys say, where they link the tables; else what is defined.
Result<Error> NoPath(const Services& s, const Scope& scope, const Ends& ends, const In& in,
                     CallContext& ctx) {
  for (const FoundEntity* end : {&ends.a, &ends.b})
    if (!end->entity->problems.empty())
      return Drifted(fmt::format("entity \"{}\"", end->entity->definition.name),
                     end->entity->problems.front(), *end, in);
  if (const semantic::ModelJoin* join = DriftedJoin(ends))
    return Drifted(fmt::format("join \"{}\"", join->definition.name), join->problems.front(),
                   ends.a, in);
  const std::string& a = ends.a.entity->definition.name;
  Error error(ErrorKind::NoCanonicalJoin, fmt::format("no canonical joins link \"{}\" and \"{}\"",
                                                      a, ends.b.entity->definition.name));
  const auto left = LookUpTable(s, scope, ends.a.entity->source_table);
  const auto right = LookUpTable(s, scope, ends.b.entity->source_table);
  if (left && *left && right && *right && (*left)->entry.id != (*right)->entry.id) {
    WARD_TRY(const JoinSearch search,
             FindJoinPaths(s, (*left)->source, (*left)->entry.id, (*right)->entry.id,
                           static_cast<std::int64_t>(semantic::kHopsMax), 1, ctx));
    if (!search.paths.empty()) {
      error.Hint("The foreign keys of the index link their tables.");
      error.Suggest("suggest_joins", "{\"tables\":[" + json::Write((*left)->qualified_name) + "," +
                                         json::Write((*right)->qualified_name) + "]}");
      return error;
    }
  }
  if (const auto next = NearestThatLinks(ends, in)) {
    error.Hint("The next call shows one that a join does link; list_joins has them all.");
    error.Suggest("resolve_join", json::WriteArguments(*next));
  } else {
    error.Suggest("describe_entity", EntityArguments(a, in.source));
  }
  return error;
}

// A name in `name` that no path passes.
Error WrongName(const Ends& ends, const In& in, const std::string& wrong,
                const std::vector<Path>& paths) {
  const bool exists = ends.model().FindJoin(wrong) != nullptr;
  const bool is_only = paths.size() == 1 && paths.front().legs.size() == 1;
  const std::string a = ends.a.entity->definition.name, b = ends.b.entity->definition.name;
  Error error = exists || is_only
                    ? Error(ErrorKind::JoinNameMismatch,
                            exists ? fmt::format("join \"{}\" is on no path between \"{}\" and "
                                                 "\"{}\"",
                                                 wrong, a, b)
                                   : fmt::format("the join between \"{}\" and \"{}\" is not named "
                                                 "\"{}\"",
                                                 a, b, CleanText(wrong, 100)))
                    : Error(ErrorKind::UnknownJoinName,
                            fmt::format("no join is named \"{}\"", CleanText(wrong, 100)));
  return SuggestName(
      std::move(error), in,
      text::FindNearestNames(wrong, TellingNames(ends.model(), paths, {}), kNearMax));
}

// The paths that pass every join of `via`, whose names come to be the definitions' own.
Result<std::vector<Path>> PathsThrough(const Ends& ends, const In& in,
                                       const std::vector<Path>& paths,
                                       std::vector<std::string>& via) {
  const Model& model = ends.model();
  for (std::string& name : via) {
    const semantic::ModelJoin* join = model.FindJoin(name);
    if (join == nullptr) return WrongName(ends, in, name, paths);
    name = join->definition.name;
  }
  std::vector<Path> through = FindCandidates(ends, via);
  for (const std::string& name : via) {
    const bool passes = std::any_of(through.begin(), through.end(), [&](const Path& path) {
      const auto names = path.JoinNames(model);
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    if (!passes) return WrongName(ends, in, name, paths);
  }
  return through;
}

Error Ambiguous(const Ends& ends, const In& in, const std::vector<Path>& paths,
                const std::vector<std::string>& via) {
  const Model& model = ends.model();
  const bool is_parallel = semantic::IsParallel(paths);
  Error error(is_parallel ? ErrorKind::AmbiguousJoin : ErrorKind::AmbiguousPath,
              fmt::format("{} {} link \"{}\" and \"{}\"", paths.size(),
                          is_parallel ? "joins" : "paths of joins", ends.a.entity->definition.name,
                          ends.b.entity->definition.name));
  std::string detail;
  for (const Path& path : paths)
    detail +=
        fmt::format("{}{}", detail.empty() ? "" : "; ", fmt::join(path.JoinNames(model), " then "));
  error.Detail("They are: " + CleanText(detail, kDetailedComment) + ".");
  return SuggestName(std::move(error), in, TellingNames(model, paths, via));
}

Result<tool::Outcome<Out>> Resolve(const Services& s, const Scope& scope, const Ends& ends,
                                   const In& in, CallContext& ctx) {
  std::vector<std::string> via = NamesIn(in.name.value_or(""));
  std::vector<Path> paths = FindCandidates(ends, {});
  if (paths.empty()) {
    WARD_TRY(Error error, NoPath(s, scope, ends, in, ctx));
    return error;
  }
  if (!via.empty()) {
    WARD_TRY(paths, PathsThrough(ends, in, paths, via));
  }
  if (paths.size() == 1) return ShowPath(ends, paths.front());
  return Ambiguous(ends, in, paths, via);
}

Result<tool::Outcome<Out>> RunOnce(const Services& s, const Scope& scope, const Models& models,
                                   const In& in, CallContext& ctx, bool may_mend);

// A wrong entity is replaced by the nearest; the call that then works carries every correction.
// [R-REC-2]
Error Mend(const Services& s, const Scope& scope, const Models& models, const In& in,
           Result<FoundEntity>& a, Result<FoundEntity>& b, CallContext& ctx, bool may_mend) {
  In next = in;
  std::optional<Error> first;
  for (const bool is_a : {true, false}) {
    Result<FoundEntity>& end = is_a ? a : b;
    if (end) continue;
    std::string& name = is_a ? next.entity_a : next.entity_b;
    Error error = std::move(end).error();
    if (error.kind() != ErrorKind::AmbiguousName && error.row().status != FailStatus::Refused)
      if (auto sister = SisterOfEntity(s, scope, models, name, in.source))
        error = *std::move(sister);
    if (!error.recovery().fuzzy_matches.empty()) name = error.recovery().fuzzy_matches.front();
    if (!first) first = std::move(error);
  }
  if (first->recovery().fuzzy_matches.empty() || !may_mend) {
    if (!first->recovery().call) first->Suggest("find_relevant_tables", R"({"query":"*"})");
    return *std::move(first);
  }
  const auto mended = RunOnce(s, scope, models, next, ctx, false);
  if (mended)
    first->Suggest("resolve_join", json::WriteArguments(next));
  else if (mended.error().recovery().call)
    first->recovery().call = mended.error().recovery().call;
  else
    first->Suggest("find_relevant_entities",
                   QueryArguments(in.entity_a + " " + in.entity_b, in.source));
  return *std::move(first);
}

Result<tool::Outcome<Out>> RunOnce(const Services& s, const Scope& scope, const Models& models,
                                   const In& in, CallContext& ctx, bool may_mend) {
  auto a = FindEntity(models, in.entity_a);
  auto b = FindEntity(models, in.entity_b);
  // Where several sources have one of them, it is that of the other's source.
  if (!a && b && a.error().kind() == ErrorKind::AmbiguousName)
    a = FindEntity(models, b->at->source.name + ':' + in.entity_a);
  if (a && !b && b.error().kind() == ErrorKind::AmbiguousName)
    b = FindEntity(models, a->at->source.name + ':' + in.entity_b);
  if (!a || !b) return Mend(s, scope, models, in, a, b, ctx, may_mend);
  if (a->at != b->at) {
    Error error(ErrorKind::NoCanonicalJoin,
                fmt::format("\"{}\" and \"{}\" are of two sources, which no join links",
                            in.entity_a, in.entity_b));
    error.Suggest("describe_entity", EntityArguments(in.entity_a, in.source));
    return error;
  }
  return Resolve(s, scope, {*a, *b}, in, ctx);
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  auto scope = ResolveScope(s, in.source);
  if (!scope) return MendSource(std::move(scope).error(), "resolve_join", in);
  WARD_TRY(const Models models, ModelsOf(s, *scope));
  return RunOnce(s, *scope, models, in, ctx, true);
}

}  // namespace

tool::ToolPtr resolve_join(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "resolve_join",
       .title = "Resolve a join",
       .description =
           "Use this when you must join two entities the agreed way. Returns the path of canonical "
           "joins, up to 6 legs, with column pairs, cardinality and SQL; several are refused with "
           "their names. Use suggest_joins instead when you have tables, not entities. Common "
           "compositions: list_joins then resolve_join; resolve_join then get_metric with via.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 500,
       .set = "semantic",
       .example_json = R"({"entity_a":"order","entity_b":"customer"})"},
      services, Run);
}

}  // namespace schemaward::tools
