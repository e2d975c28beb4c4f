#include "tools/join_answer.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "sql/dialect.h"
#include "sql/render.h"
#include "tools/shapes.h"
#include "tools/trust.h"

namespace schemaward::tools {
namespace {

using semantic::Leg;
using semantic::Model;
using semantic::Path;

constexpr std::int64_t kRows = 100;  // of the skeleton

semantic::Cardinality CardinalityOf(bool to_one, bool from_unique) {
  if (to_one)
    return from_unique ? semantic::Cardinality::OneToOne : semantic::Cardinality::ManyToOne;
  return from_unique ? semantic::Cardinality::OneToMany : semantic::Cardinality::ManyToMany;
}

JoinLegOut ShowLeg(const Model& model, const Leg& leg) {
  const semantic::Join& join = model.joins()[leg.join].definition;
  const semantic::Node& from = model.nodes()[leg.from];
  const semantic::Node& to = model.nodes()[leg.to];
  JoinLegOut out;
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

}  // namespace

void JoinPairOut::Bind(json::Fields& f) {
  f("source_column", source_column, "column of the first");
  f("target_column", target_column, "column of the second");
}

void JoinLegOut::Bind(json::Fields& f) {
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

void ResolvedJoinOut::Bind(json::Fields& f) {
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

Result<tool::Outcome<ResolvedJoinOut>> ShowPath(const Ends& ends, const Path& path) {
  const Model& model = ends.model();
  ResolvedJoinOut out;
  out.join_names = path.JoinNames(model);
  out.name = JoinedNames(out.join_names);
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
  tool::Outcome<ResolvedJoinOut> outcome(std::move(out));
  TakeWeakest(trusts, outcome);
  outcome.follow_up_hints = {"describe_entity", "get_metric"};
  outcome.tables = {ends.a.entity->source_table, ends.b.entity->source_table};
  return outcome;
}

}  // namespace schemaward::tools
