#include "semantic/check_parts.h"

#include <utility>

#include <fmt/format.h>

namespace schemaward::semantic {

void AddProblem(Problems& problems, ErrorKind kind, std::string_view member,
                std::string_view object, std::string message, std::vector<std::string> near) {
  problems.push_back(
      {kind, std::string(object), std::move(message), std::move(near), std::string(member)});
}

void CheckName(const std::string& name, std::string_view member, Problems& problems) {
  if (IsDefinitionName(name)) return;
  AddProblem(
      problems, ErrorKind::MalformedName, member, name,
      fmt::format("\"{}\" is not a name: letters, digits and _, at most 64, no digit first", name));
}

}  // namespace schemaward::semantic
