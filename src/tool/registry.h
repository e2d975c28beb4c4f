#pragma once

// The tools that are served, in their fixed order.

#include <string>
#include <string_view>
#include <vector>

#include "tool/tool.h"

namespace schemaward::tool {

/// Thread: any; immutable once built. Owns its tools.
class Registry {
 public:
  Registry(std::vector<ToolPtr> tools, std::vector<std::string> sets);

  /// Every tool of the served sets, in order.
  const std::vector<const Tool*>& served() const { return served_; }
  /// Every tool there is: `call` reaches them all.
  const std::vector<ToolPtr>& all() const { return tools_; }
  /// The served tool of that name, or null.
  const Tool* Find(std::string_view name) const;
  /// Names of served tools, nearest to `name` first.
  std::vector<std::string> Nearest(std::string_view name) const;

 private:
  std::vector<ToolPtr> tools_;
  std::vector<const Tool*> served_;
};

/// Returns whether a call may last so long that a client had rather hold a task: it waits for a
/// model, or reads a source slowly, and for no word of a user.
bool MayBeTask(const ToolSpec& spec);

/// Returns the tool's definition as tools/list gives it: name, title, description, inputSchema,
/// outputSchema, annotations and _meta. With `with_output_schema` false (clients before 2025-06-18)
/// title and outputSchema are left out; `with_execution` says which may run as a task. [R-META-1]
std::string DefinitionJson(const Tool& tool, bool with_output_schema, bool with_execution = false);

}  // namespace schemaward::tool
