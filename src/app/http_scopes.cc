#include "app/http_scopes.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/application.h"

namespace schemaward::app {
namespace {

Error Wrong(std::string_view entry) {
  return std::move(
      Error(ErrorKind::InputUnreadable,
            fmt::format("setting \"http.tool_scopes\" has the entry \"{}\", which is no set of "
                        "tools and a scope",
                        entry))
          .Hint("Write a list of SET=SCOPE, as sql=ward.sql. A set is catalog, semantic, sql, "
                "patterns, explore or workspaces."));
}

// `default` is several sets, so it needs no scope of its own.
bool IsSet(const std::string& name) {
  const auto sets = ParseToolSets(name, true);
  return sets && sets->size() == 1 && sets->front() == name;
}

}  // namespace

bool IsScope(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7F && c != '"' && c != '\\';
  });
}

Result<tool::ToolScopes> ReadToolScopes(const Config& config) {
  tool::ToolScopes scopes;
  for (const std::string& entry : config.GetList("http.tool_scopes")) {
    const std::size_t middle = std::min(entry.find('='), entry.size());
    const std::string set = entry.substr(0, middle);
    const std::string scope = entry.substr(std::min(middle + 1, entry.size()));
    if (!IsSet(set) || !IsScope(scope)) return Wrong(entry);
    auto& needed = scopes[set];
    if (std::find(needed.begin(), needed.end(), scope) == needed.end()) needed.push_back(scope);
  }
  return scopes;
}

}  // namespace schemaward::app
