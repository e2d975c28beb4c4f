// resolve_join: the canonical path of joins between two entities, or what keeps it from being one.

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semantic/paths.h"
#include "sql/dialect.h"
#include "sql/render.h"
#include "text/nearest.h"
#include "tools/join_paths.h"
#include "tools/models.h"
#include "tools/shapes.h"
#include "tools/tools.h"
#include "tools/trust.h"

namespace schemaward::tools {
namespace {

using semantic::Leg;
using semantic::Model;
using semantic::Path;

constexpr std::size_t kNearMax = 3;
constexpr std::size_t kNamesMax = 6;  // joins that one call names
constexpr std::int64_t kRows = 100;   // of the skeleton

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

struct PairOut {
  std::string source_column, target_column;
  void Bind(json::Fields& f) {
    f("source_column", source_column, "column of the first");
    f("target_column", target_column, "column of the second");
  }
};

struct LegOut {
  std::string name, description, source_entity, target_entity, source_table, target_table, role,
      direction;
  std::vector<PairOut> on;
  semantic::Cardinality cardinality = semantic::Cardinality::ManyToOne;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f) {
    f("name", name, "join, as via of get_metric takes it");
    f("description", description, "what the relation means", {.omit_empty = true});
    f("source_entity", source_entity, "entity it starts from; absent for a bridge table",
      {.omit_empty = true});
    f("source_table", source_table, "its table");
    f("target_entity", target_entity, "entity it leads to; absent for a bridge table",
      {.omit_empty = true});
    f("target_table", target_table, "its table");
    f("on", on, "column pairs");
    f("cardinality", cardinality, "from the first to the second; a leg to many repeats rows");
    f("direction", direction, "forward as the join is defined, or reverse");
    f("role", role, "what the second is to the first", {.omit_empty = true});
    f("confidence", confidence, "how far the definition is trusted");
    f("provenance", provenance, "where the definition comes from");
  }
};

struct Out {
  std::string name, source_entity, target_entity, source, sql_skeleton, indexed_at;
  std::vector<std::string> join_names;
  std::vector<LegOut> joins;
  std::int64_t hops = 0;
  semantic::Cardinality cardinality = semantic::Cardinality::ManyToOne;
  void Bind(json::Fields& f) {
    f("name", name, "the join, or the joins with commas: tells this path from others");
    f("source_entity", source_entity, "first entity");
    f("target_entity", target_entity, "last entity");
    f("source", source, "source name");
    f("hops", hops, "number of legs");
    f("cardinality", cardinality, "of the whole path");
    f("join_names", join_names, "joins in order, as via of get_metric takes them");
    f("joins", joins, "the legs in order");
    f("sql_skeleton", sql_skeleton, "a query that makes the joins");
    f("indexed_at", indexed_at, "when the source was indexed, UTC");
  }
};

/// Both ends of what is asked.
struct Ends {
  FoundEntity a, b;
  const SourceModel& at() const { return *a.at; }
  const Model& model() const { return *a.at->model; }
};

std::vector<std::string> NamesIn(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ',' && text[i] != ' ') {
      name += text[i];
    } else if (!name.empty()) {
      if (names.size() < kNamesMax) names.push_back(name);
      name.clear();
    }
  }
  return names;
}

std::string Joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// The same leg the other way. [every leg has one: model.cc adds both]
const Leg* Counterpart(const Model& model, const Leg& leg) {
  for (const Leg& other : model.LegsFrom(leg.to)) {
    if (other.join != leg.join || other.to != leg.from || other.on.size() != leg.on.size())
      continue;
    const bool mirrors =
        std::equal(leg.on.begin(), leg.on.end(), other.on.begin(),
                   [](const auto& x, const auto& y) { return x.from == y.to && x.to == y.from; });
    if (mirrors) return &other;
  }
  return nullptr;
}

std::optional<Path> Reversed(const Model& model, const Path& path) {
  Path reversed;
  for (auto leg = path.legs.rbegin(); leg != path.legs.rend(); ++leg) {
    const Leg* other = Counterpart(model, **leg);
    if (other == nullptr) return std::nullopt;
    reversed.legs.push_back(other);
  }
  return reversed;
}

// Joins of an entity with itself, each as it is defined.
std::vector<Path> SelfJoins(const Ends& ends, const std::vector<std::string>& via) {
  const Model& model = ends.model();
  const std::size_t node = model.NodeOf(*ends.a.entity);
  std::vector<Path> paths;
  std::set<std::size_t> seen;
  for (const Leg& leg : model.LegsFrom(node)) {
    const semantic::Join& join = model.joins()[leg.join].definition;
    if (leg.to != node || leg.on != join.on || !seen.insert(leg.join).second) continue;
    if (!via.empty() && std::find(via.begin(), via.end(), join.name) == via.end()) continue;
    paths.emplace_back().legs.push_back(&leg);
  }
  return paths;
}

// Every path that could be meant. One that repeats no rows is better than a shorter one that does,
// whichever end it starts from.
std::vector<Path> FindCandidates(const Ends& ends, const std::vector<std::string>& via) {
  const Model& model = ends.model();
  if (ends.a.entity == ends.b.entity) return SelfJoins(ends, via);
  semantic::PathQuery query{.from = model.NodeOf(*ends.a.entity),
                            .to = model.NodeOf(*ends.b.entity),
                            .role = ends.b.role,
                            .via = via,
                            .must_use_via = !via.empty()};
  std::vector<Path> paths = semantic::FindPaths(model, query);
  const bool is_to_one = !paths.empty() && paths.front().to_one();
  if (is_to_one && ends.a.role.empty()) return paths;
  std::swap(query.from, query.to);
  query.role = ends.a.role;
  const std::vector<Path> back = semantic::FindPaths(model, query);
  const bool is_better = ends.a.role.empty() ? !back.empty() && back.front().to_one()
                                             : ends.b.role.empty() && !back.empty();
  if (!is_better) return paths;
  paths.clear();
  for (const Path& path : back)
    if (auto reversed = Reversed(model, path)) paths.push_back(*std::move(reversed));
  return paths;
}

// What each path is called, so that the name tells it from the others.
std::vector<std::string> TellingNames(const Model& model, const std::vector<Path>& paths,
                                      const std::vector<std::string>& via) {
  std::vector<std::string> all;
  for (const Path& path : paths) {
    std::vector<Path> others;
    for (const Path& other : paths)
      if (&other != &path) others.push_back(other);
    std::vector<std::string> names = via;
    for (std::string& name :
         others.empty() ? path.JoinNames(model) : semantic::TellingJoins(model, path, others))
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    all.push_back(Joined(names));
  }
  return all;
}

Error SuggestName(Error error, const In& in, std::vector<std::string> names) {
  In next = in;
  next.name = names.front();
  error.Near(std::move(names));
  error.Suggest("resolve_join", json::WriteArguments(next));
  return error;
}

semantic::Cardinality CardinalityOf(bool to_one, bool from_unique) {
  if (to_one)
    return from_unique ? semantic::Cardinality::OneToOne : semantic::Cardinality::ManyToOne;
  return from_unique ? semantic::Cardinality::OneToMany : semantic::Cardinality::ManyToMany;
}

LegOut ShowLeg(const Model& model, const Leg& leg) {
  const semantic::Join& join = model.joins()[leg.join].definition;
  const semantic::Node& from = model.nodes()[leg.from];
  const semantic::Node& to = model.nodes()[leg.to];
  LegOut out;
  out.name = join.name;
  out.description = CleanText(join.description, kConciseComment);
  if (from.entity) out.source_entity = from.name;
  if (to.entity) out.target_entity = to.name;
  out.source_table = catalog::QualifiedName(from.table);
  out.target_table = catalog::QualifiedName(to.table);
  for (const semantic::ColumnPair& pair : leg.on) out.on.push_back({pair.from, pair.to});
  out.cardinality = CardinalityOf(leg.to_one, leg.from_unique);
  const bool is_forward =
      join.through ? (from.entity && from.name == join.from) || (to.entity && to.name == join.to)
                   : from.name == join.from && leg.on == join.on;
  out.direction = is_forward ? "forward" : "reverse";
  out.role = leg.role;
  out.confidence = ConfidenceOf(join.trust);
  out.provenance = ProvenanceOf(join.trust);
  return out;
}

sql::ExpressionPtr OnClause(const Leg& leg, const std::string& left, const std::string& right) {
  sql::ExpressionPtr on;
  for (const semantic::ColumnPair& pair : leg.on) {
    auto equal =
        sql::MakeBinary("=", sql::MakeColumn(left, pair.from), sql::MakeColumn(right, pair.to));
    on = on == nullptr ? std::move(equal) : sql::MakeBinary("and", std::move(on), std::move(equal));
  }
  return on;
}

Result<std::string> SkeletonOf(const Model& model, const Path& path, const sql::Dialect& dialect) {
  sql::Select select;
  std::set<std::string> used, shown;
  const auto alias = [&](const std::string& name) {
    std::string unique = name;
    for (int n = 2; !used.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
    return unique;
  };
  const auto show = [&](const std::string& table, const std::string& column) {
    const std::string name = fmt::format("{}_{}", table, column);
    if (shown.insert(name).second) select.columns.push_back({sql::MakeColumn(table, column), name});
  };
  const semantic::Node& first = model.nodes()[path.legs.front()->from];
  std::string left = alias(first.name);
  select.from = sql::TableRef{first.table.schema, first.table.name, left};
  for (const Leg* leg : path.legs) {
    const semantic::Node& next = model.nodes()[leg->to];
    const std::string right = alias(leg->role.empty() ? next.name : leg->role);
    for (const semantic::ColumnPair& pair : leg->on) show(left, pair.from);
    select.joins.push_back({sql::JoinKind::Inner,
                            sql::TableRef{next.table.schema, next.table.name, right},
                            OnClause(*leg, left, right)});
    left = right;
  }
  for (const semantic::ColumnPair& pair : path.legs.back()->on) show(left, pair.to);
  select.limit = kRows;
  WARD_TRY(sql::Rendered rendered, sql::Render(select, dialect));
  return std::move(rendered.text);
}

Result<tool::Outcome<Out>> Answer(const Ends& ends, const Path& path) {
  const Model& model = ends.model();
  Out out;
  out.join_names = path.JoinNames(model);
  out.name = Joined(out.join_names);
  out.source_entity = ends.a.entity->definition.name;
  out.target_entity = ends.b.entity->definition.name;
  out.source = ends.at().source.name;
  out.hops = static_cast<std::int64_t>(path.legs.size());
  bool from_unique = true;
  std::vector<const semantic::Trust*> trusts;
  for (const Leg* leg : path.legs) {
    out.joins.push_back(ShowLeg(model, *leg));
    from_unique = from_unique && leg->from_unique;
    trusts.push_back(&model.joins()[leg->join].definition.trust);
  }
  out.cardinality = CardinalityOf(path.to_one(), from_unique);
  WARD_TRY(out.sql_skeleton, SkeletonOf(model, path, DialectOf(ends.at().source)));
  out.indexed_at = ToIsoUtc(ends.at().source.indexed_at_us);
  tool::Outcome<Out> outcome(std::move(out));
  TakeWeakest(trusts, outcome);
  outcome.follow_up_hints = {"describe_entity", "get_metric"};
  outcome.tables = {ends.a.entity->source_table, ends.b.entity->source_table};
  return outcome;
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

bool HasJoin(const Model& model, const std::string& entity) {
  return std::any_of(model.joins().begin(), model.joins().end(), [&](const auto& join) {
    return join.definition.from == entity || join.definition.to == entity;
  });
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
  if (HasJoin(ends.model(), a)) {
    std::string args = "{\"entity\":" + json::Write(a);
    if (in.source) args += ",\"source\":" + json::Write(*in.source);
    error.Suggest("list_joins", args + "}");
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

Result<tool::Outcome<Out>> Resolve(const Services& s, const Scope& scope, const Ends& ends,
                                   const In& in, CallContext& ctx) {
  const Model& model = ends.model();
  std::vector<std::string> via = NamesIn(in.name.value_or(""));
  std::vector<Path> paths = FindCandidates(ends, {});
  if (paths.empty()) {
    WARD_TRY(Error error, NoPath(s, scope, ends, in, ctx));
    return error;
  }
  if (!via.empty()) {
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
    paths = std::move(through);
  }
  if (paths.size() == 1) return Answer(ends, paths.front());
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
