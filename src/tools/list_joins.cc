// list_joins: the canonical joins between entities.

#include "tools/definition_list.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

struct Row {
  static constexpr const char* kList = "joins";
  static constexpr const char* kListDoc = "by name; with a query, best first";
  std::string name, description, source_entity, target_entity, role, from_role, through, source,
      problem;
  std::vector<semantic::ColumnPair> on;
  semantic::Cardinality cardinality = semantic::Cardinality::ManyToOne;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f) {
    f("name", name, "join, as resolve_join and via take it");
    f("description", description, "what the relation means", {.omit_empty = true});
    f("source_entity", source_entity, "entity it starts from");
    f("target_entity", target_entity, "entity it leads to");
    f("cardinality", cardinality, "from the first to the second");
    f("role", role, "what the second is to the first", {.omit_empty = true});
    f("from_role", from_role, "what the first is to the second", {.omit_empty = true});
    f("on", on, "column pairs", {.omit_empty = true});
    f("through", through, "bridge table between them", {.omit_empty = true});
    f("source", source, "source name");
    f("problem", problem, "why it cannot be used as it is", {.omit_empty = true});
    f("confidence", confidence, "how far the definition is trusted");
    f("provenance", provenance, "where the definition comes from");
  }
};

Row Show(const Listed& one, const ListIn& /*in*/, const Services& /*s*/) {
  const semantic::ModelJoin& join = one.at->model->joins()[one.index];
  const semantic::Join& definition = join.definition;
  return {.name = definition.name,
          .description = CleanText(definition.description, kConciseComment),
          .source_entity = definition.from,
          .target_entity = definition.to,
          .role = definition.role,
          .from_role = definition.from_role,
          .through = definition.through ? definition.through->table : "",
          .source = one.at->source.name,
          .problem = ProblemOf(join.problems),
          .on = definition.on,
          .cardinality =
              definition.through ? semantic::Cardinality::ManyToMany : definition.cardinality,
          .confidence = ConfidenceOf(definition.trust),
          .provenance = ProvenanceOf(definition.trust)};
}

Result<tool::Outcome<ListOut<Row>>> Run(const Services& s, const ListIn& in, CallContext& ctx) {
  const ListKind kind = {store::DefinitionKind::Join,
                         "list_joins",
                         {"resolve_join", "describe_entity"},
                         {"suggest_joins", "list_entities", "find_relevant_tables"}};
  return RunList<Row>(s, in, ctx, kind, Show);
}

}  // namespace

tool::ToolPtr list_joins(const Services& services) {
  return tool::MakeTool<ListIn, ListOut<Row>>(
      {.name = "list_joins",
       .title = "List joins",
       .description =
           "Use this when you want the canonical joins that are defined. Returns entities, column "
           "pairs, cardinality, roles and trust, by page. Use resolve_join instead when you know "
           "both entities. Common compositions: list_joins then resolve_join; list_joins for an "
           "entity, then get_metric with a join's name in via.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 700,
       .set = "semantic",
       .example_json = "{}"},
      services, Run);
}

}  // namespace schemaward::tools
