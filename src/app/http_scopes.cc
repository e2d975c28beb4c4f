#include "app/http_scopes.h"

#include <algorithm>
#include <optional>

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
                "patterns, explore or workspaces; where any of several scopes is enough, write "
                "sql=ward.sql|ward.admin."));
}

// `default` is several sets, so it needs no scope of its own.
bool IsSet(const std::string& name) {
  const auto sets = ParseToolSets(name, true);
  return sets && sets->size() == 1 && sets->front() == name;
}

// Returns the scopes of "a|b"; nothing where one of them cannot be a scope.
std::optional<tool::ScopeChoice> ReadChoice(std::string_view text) {
  tool::ScopeChoice choice;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    const std::string_view scope = text.substr(begin, end - begin);
    if (!IsScope(scope)) return std::nullopt;
    choice.emplace_back(scope);
    begin = end + 1;
  }
  return choice;
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
    const auto choice = ReadChoice(entry.substr(std::min(middle + 1, entry.size())));
    if (!IsSet(set) || !choice) return Wrong(entry);
    auto& needed = scopes[set];
    if (std::find(needed.begin(), needed.end(), *choice) == needed.end()) needed.push_back(*choice);
  }
  return scopes;
}

}  // namespace schemaward::app
