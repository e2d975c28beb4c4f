#pragma once

// The canonical workflows, as prompts that a person chooses in a client.

#include <string>
#include <string_view>
#include <vector>

#include "mcp/lookup.h"

namespace schemaward::mcp {

struct WorkflowArgument {
  std::string_view name, description;
  bool required = false;
  Named kind = Named::Text;  ///< what its values are names of
};

/// Lifetime: static.
struct Workflow {
  std::string_view name, title, description;
  std::vector<WorkflowArgument> arguments;
  std::vector<std::string_view> tools;  ///< that it names; it is offered where all are served
  std::string_view text;  ///< $name stands for an argument; a line with one that is absent is left
                          ///< out
};

/// Every workflow, in the order of the list. Lifetime: static.
const std::vector<Workflow>& Workflows();

/// Returns the workflow of that name where it is offered, else null.
const Workflow* FindWorkflow(const Parts& parts, std::string_view name);

}  // namespace schemaward::mcp
