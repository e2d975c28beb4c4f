#include "tool/registry.h"

#include <algorithm>

#include "base/text_distance.h"

namespace schemaward::tool {

Registry::Registry(std::vector<ToolPtr> tools, std::vector<std::string> sets)
    : tools_(std::move(tools)) {
  std::vector<std::string> names;
  for (const ToolPtr& tool : tools_)
    if (std::find(sets.begin(), sets.end(), tool->spec().set) != sets.end()) {
      served_.push_back(tool.get());
      names.push_back(tool->spec().name);
    }
  for (const ToolPtr& tool : tools_)
    if (Find(tool->spec().name) != nullptr) tool->ServeBeside(names);
}

const Tool* Registry::Find(std::string_view name) const {
  const auto found = std::find_if(served_.begin(), served_.end(),
                                  [&](const Tool* tool) { return tool->spec().name == name; });
  return found == served_.end() ? nullptr : *found;
}

std::vector<std::string> Registry::Nearest(std::string_view name) const {
  std::vector<std::string> names;
  for (const Tool* tool : served_) names.push_back(tool->spec().name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(name, a) < EditDistance(name, b);
  });
  return names;
}

}  // namespace schemaward::tool
