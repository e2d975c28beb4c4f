#include "mcp/resource_uri.h"

#include <algorithm>
#include <cassert>

#include <nlohmann/json.hpp>

#include "net/url.h"

namespace schemaward::mcp {
namespace {

constexpr std::string_view kScheme = "schemaward://";
constexpr std::size_t kUriBytesMax = 4'096;
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMarkdown = "text/markdown";

std::vector<ResourceKind> MakeKinds() {
  const UriPart source{"source", Named::Source};
  return {
      {"schemas",
       "schemas",
       "Indexed schemas",
       "Sources and schemas, with counts and freshness",
       kJson,
       {},
       "list_indexed_schemas",
       ""},
      {"entities",
       "entities",
       "Entities",
       "What the sources are about",
       kJson,
       {},
       "list_entities",
       ""},
      {"metrics",
       "metrics",
       "Metrics",
       "The numbers that are defined",
       kJson,
       {},
       "list_metrics",
       ""},
      {"errors",
       "errors",
       "Errors",
       "Every kind of error, its causes and what to do",
       kMarkdown,
       {},
       "",
       ""},
      {"schemas",
       "schemas of a source",
       "Schemas of a source",
       "The schemas of one source, with counts and freshness",
       kJson,
       {source},
       "list_indexed_schemas",
       "source"},
      {"tables",
       "table",
       "Table",
       "Columns, keys and statistics of one table",
       kJson,
       {source, {"table", Named::Table}},
       "describe_table",
       "qualified_name"},
      {"entities",
       "entity",
       "Entity",
       "One entity: identity, columns, joins and metrics",
       kJson,
       {source, {"entity", Named::Entity}},
       "describe_entity",
       "name"},
      {"metrics",
       "metric",
       "Metric",
       "The definition of one metric",
       kJson,
       {source, {"metric", Named::Metric}},
       "list_metrics",
       "query"},
      {"errors",
       "error",
       "Error",
       "One kind of error, its causes and what to do",
       kMarkdown,
       {{"kind", Named::ErrorKind}},
       "",
       ""},
  };
}

}  // namespace

const std::vector<ResourceKind>& ResourceKinds() {
  static const std::vector<ResourceKind> kinds = MakeKinds();
  return kinds;
}

std::string TemplateOf(const ResourceKind& kind) {
  std::string text = std::string(kScheme) + std::string(kind.word);
  for (const UriPart& part : kind.parts) text += "/{" + std::string(part.variable) + '}';
  return text;
}

std::string UriOf(const ResourceKind& kind, const std::vector<std::string>& names) {
  assert(names.size() == kind.parts.size() && "a URI has a name for each part");
  std::string text = std::string(kScheme) + std::string(kind.word);
  for (const std::string& name : names) text += '/' + net::UrlEncode(name);
  return text;
}

std::optional<ResourceName> ReadUri(std::string_view uri) {
  if (!uri.starts_with(kScheme) || uri.size() > kUriBytesMax) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= uri.size();) {
    const std::size_t end = std::min(uri.find('/', begin), uri.size());
    words.push_back(net::UrlDecode(uri.substr(begin, end - begin)));
    // A name that is no UTF-8 names nothing.
    const auto kept = json::Parse(json::Quote(words.back()));
    if (words.back().empty() || !kept || kept->value() != json::Value(words.back()))
      return std::nullopt;
    begin = end + 1;
  }
  for (const ResourceKind& kind : ResourceKinds())
    if (words.front() == kind.word && words.size() == kind.parts.size() + 1)
      return ResourceName{&kind, {words.begin() + 1, words.end()}};
  return std::nullopt;
}

}  // namespace schemaward::mcp
