#pragma once

// The tools. One file each; the list is in CMakeLists.txt, and its order is the order of
// tools/list.

#include <vector>

#include "tool/tool.h"
#include "tools/services.h"

namespace schemaward::tools {

/// Every tool there is. Lifetime: `services` outlives them.
std::vector<tool::ToolPtr> All(const Services& services);

// A tool's name is its wire name.
// NOLINTBEGIN(readability-identifier-naming)
tool::ToolPtr list_indexed_schemas(const Services& services);
tool::ToolPtr find_relevant_tables(const Services& services);
tool::ToolPtr describe_table(const Services& services);
tool::ToolPtr describe_column(const Services& services);
tool::ToolPtr suggest_joins(const Services& services);
tool::ToolPtr get_example_queries(const Services& services);
tool::ToolPtr list_metrics(const Services& services);
tool::ToolPtr get_metric(const Services& services);
tool::ToolPtr list_entities(const Services& services);
tool::ToolPtr find_relevant_entities(const Services& services);
tool::ToolPtr describe_entity(const Services& services);
tool::ToolPtr list_joins(const Services& services);
tool::ToolPtr resolve_join(const Services& services);
tool::ToolPtr validate_query(const Services& services);
tool::ToolPtr execute_query(const Services& services);
tool::ToolPtr search_patterns(const Services& services);
tool::ToolPtr get_pattern(const Services& services);
tool::ToolPtr list_analysis_rules(const Services& services);
tool::ToolPtr analyze_code(const Services& services);
tool::ToolPtr review_code(const Services& services);
tool::ToolPtr start_exploration(const Services& services);
tool::ToolPtr get_exploration(const Services& services);
tool::ToolPtr search_tables(const Services& services);
tool::ToolPtr lookup_schema(const Services& services);
tool::ToolPtr verify_claim(const Services& services);
tool::ToolPtr run_sql(const Services& services);
tool::ToolPtr get_organizations(const Services& services);
tool::ToolPtr set_organization(const Services& services);
tool::ToolPtr organization_info(const Services& services);
tool::ToolPtr get_regions(const Services& services);
tool::ToolPtr get_virtual_workspaces(const Services& services);
tool::ToolPtr workspace_groups_info(const Services& services);
tool::ToolPtr workspaces_info(const Services& services);
tool::ToolPtr get_user_id(const Services& services);
tool::ToolPtr resume_workspace(const Services& services);
tool::ToolPtr create_starter_workspace(const Services& services);
tool::ToolPtr terminate_starter_workspace(const Services& services);
// NOLINTEND(readability-identifier-naming)

}  // namespace schemaward::tools
