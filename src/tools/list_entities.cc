// list_entities: what the sources are about, one row an entity.

#include "tools/definition_list.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

struct Row {
  static constexpr const char* kList = "entities";
  static constexpr const char* kListDoc = "by name; with a query, best first";
  std::string name, description, qualified_table, source;
  std::vector<std::string> synonyms, identity;
  std::string default_time_dimension, problem;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f) {
    f("name", name, "entity, as describe_entity takes it");
    f("description", description, "what one of them is", {.omit_empty = true});
    f("synonyms", synonyms, "other words for it", {.omit_empty = true});
    f("qualified_table", qualified_table, "its table or view");
    f("source", source, "source name");
    f("identity", identity, "columns that tell one from another");
    f("default_time_dimension", default_time_dimension, "its usual column of time",
      {.omit_empty = true});
    f("problem", problem, "why it cannot be used as it is", {.omit_empty = true});
    f("confidence", confidence, "how far the definition is trusted");
    f("provenance", provenance, "where the definition comes from");
  }
};

Row Show(const Listed& one, const ListIn& /*in*/, const Services& /*s*/) {
  const semantic::ModelEntity& entity = one.at->model->entities()[one.index];
  const semantic::Entity& definition = entity.definition;
  return {.name = definition.name,
          .description = CleanText(definition.description, kConciseComment),
          .qualified_table = entity.source_table.empty() ? definition.table : entity.source_table,
          .source = one.at->source.name,
          .synonyms = CleanWords(definition.synonyms),
          .identity = definition.identity,
          .default_time_dimension = definition.default_time_dimension,
          .problem = ProblemOf(entity.problems),
          .confidence = ConfidenceOf(definition.trust),
          .provenance = ProvenanceOf(definition.trust)};
}

Result<tool::Outcome<ListOut<Row>>> Run(const Services& s, const ListIn& in, CallContext& ctx) {
  const ListKind kind = {store::DefinitionKind::Entity,
                         "list_entities",
                         {"describe_entity", "resolve_join", "list_metrics"},
                         {"find_relevant_tables", "list_indexed_schemas"}};
  return RunList<Row>(s, in, ctx, kind, Show);
}

}  // namespace

tool::ToolPtr list_entities(const Services& services) {
  return tool::MakeTool<ListIn, ListOut<Row>>(
      {.name = "list_entities",
       .title = "List entities",
       .description =
           "Use this when you want all entities that the data is about. Returns names, tables, "
           "identity, trust and drift, by page. Use find_relevant_entities instead when you have a "
           "question. Common compositions: list_entities then describe_entity; list_entities then "
           "resolve_join for two of them.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 600,
       .set = "semantic",
       .example_json = "{}"},
      services, Run);
}

}  // namespace schemaward::tools
