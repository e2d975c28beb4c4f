#include "mcp/workflows.h"

#include <algorithm>

namespace schemaward::mcp {
namespace {

std::vector<Workflow> MakeWorkflows() {
  const WorkflowArgument source{"source", "One source by name; all where absent", false,
                                Named::Source};
  return {
      {"what_is_here",
       "What is in this database?",
       "Goes through the sources, their schemas and their tables, and sums them up",
       {source},
       {"list_indexed_schemas", "find_relevant_tables"},
       "Tell me what is in this database.\n"
       "Look at the source $source only.\n"
       "1. Call list_indexed_schemas.\n"
       "2. Call find_relevant_tables with query \"*\"; follow next_cursor while it teaches you "
       "something.\n"
       "3. Say in a few sentences what the data is about, then name the main tables.\n"},
      {"explain_topic",
       "Tell me about a topic",
       "Finds the tables of a topic and explains them",
       {{"topic", "What it is about, in words", true}, source},
       {"find_relevant_tables", "describe_table", "describe_column"},
       "Tell me what the data holds about $topic.\n"
       "Look at the source $source only.\n"
       "1. Call find_relevant_tables with the topic as query.\n"
       "2. Call describe_table for the best one to three hits.\n"
       "3. Call describe_column where a column's meaning has low confidence.\n"
       "4. Explain the tables, and say what is inferred and what is declared.\n"},
      {"relate_tables",
       "How do these tables relate?",
       "Finds the ways to join two tables",
       {{"first_table", "schema.table", true, Named::Table},
        {"second_table", "schema.table", true, Named::Table},
        source},
       {"suggest_joins", "describe_table"},
       "Tell me how the tables $first_table and $second_table relate.\n"
       "Look at the source $source only.\n"
       "1. Call suggest_joins with both tables.\n"
       "2. Call describe_table for each table between them.\n"
       "3. Give the join conditions, and say where rows multiply.\n"},
      {"compute_number",
       "Compute a number",
       "Answers a question by a metric that is defined",
       {{"question", "What is asked, in words", true},
        {"metric", "The metric, where it is known", false, Named::Metric},
        source},
       {"list_metrics", "describe_entity", "get_metric"},
       "Answer this question by a metric that is defined: $question.\n"
       "The metric is $metric.\n"
       "Look at the source $source only.\n"
       "1. Call list_metrics and choose the metric.\n"
       "2. Call describe_entity for the entity that it is bound to.\n"
       "3. Call get_metric with the grain, groups and filters that the question asks for.\n"
       "4. Give the number with its unit and its time range, and say where it is degraded.\n"},
      {"how_others_query",
       "How do others query this?",
       "Shows queries that a table was read by",
       {{"table", "schema.table", true, Named::Table}, source},
       {"get_example_queries"},
       "Show me how others have queried $table.\n"
       "Look at the source $source only.\n"
       "1. Call get_example_queries for it.\n"
       "2. Explain what each query answers.\n"},
  };
}

}  // namespace

const std::vector<Workflow>& Workflows() {
  static const std::vector<Workflow> workflows = MakeWorkflows();
  return workflows;
}

const Workflow* FindWorkflow(const Parts& parts, std::string_view name) {
  const auto is_served = [&](std::string_view tool) {
    return parts.invoker.registry().Find(tool) != nullptr;
  };
  for (const Workflow& workflow : Workflows())
    if (workflow.name == name &&
        std::all_of(workflow.tools.begin(), workflow.tools.end(), is_served))
      return &workflow;
  return nullptr;
}

}  // namespace schemaward::mcp
