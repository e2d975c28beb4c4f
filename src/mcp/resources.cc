// resources/list, resources/templates/list, resources/read. A resource is the answer of a tool:
// read by its call, under the caller's policy, and recorded as one; or a page that is built in.

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/error_pages.h"
#include "mcp/later.h"
#include "mcp/resource_uri.h"

namespace schemaward::mcp {
namespace {

constexpr std::size_t kPageNames = 100;    // of one page of resources/list
constexpr int kNotFoundLegacy = -32002;    // Source: MCP before 2026-07-28, resources
constexpr std::int64_t kMetricsMax = 200;  // definitions that a metric is looked for among
constexpr std::string_view kOverview = "README.md";

int NotFoundCode(Revision revision) {
  return IsModern(revision) ? static_cast<int>(rpc::Code::InvalidParams) : kNotFoundLegacy;
}

rpc::Failure NoSuchResource(Revision revision, const std::string& uri) {
  rpc::Failure failure(rpc::Code::InvalidParams, "there is no such resource",
                       fmt::format(R"({{"uri":{}}})", json::Quote(uri)));
  failure.code = NotFoundCode(revision);
  return failure;
}

bool IsServed(const Parts& parts, const ResourceKind& kind) {
  return kind.tool.empty() || parts.invoker.registry().Find(kind.tool) != nullptr;
}

// One entry of a list. `key`: uri or uriTemplate.
std::string EntryOf(const ResourceKind& kind, Revision revision, std::string_view key,
                    const std::string& uri, std::string_view name) {
  std::string title;
  if (HasTitles(revision)) title = fmt::format(R"("title":{},)", json::Quote(kind.title));
  return fmt::format(R"({{"{}":{},"name":{},{}"description":{},"mimeType":"{}"}})", key,
                     json::Quote(uri), json::Quote(name), title, json::Quote(kind.description),
                     kind.mime_type);
}

const ResourceKind* KindThatEndsIn(Named last) {
  for (const ResourceKind& kind : ResourceKinds())
    if (!kind.parts.empty() && kind.parts.back().kind == last) return &kind;
  return nullptr;
}

// What a list goes through, one kind after the other; a cursor is the letter of a kind and the
// cursor of its names.
struct Stage {
  char letter;
  Named kind;
};
constexpr std::array<Stage, 3> kStages = {
    {{'t', Named::Table}, {'e', Named::Entity}, {'m', Named::Metric}}};

// The resources that are there whatever the sources hold.
std::string FixedEntries(const Parts& parts, Revision revision) {
  std::string out;
  const auto add = [&](const std::string& entry) { out += (out.empty() ? "" : ",") + entry; };
  for (const ResourceKind& kind : ResourceKinds())
    if (kind.parts.empty() && IsServed(parts, kind))
      add(EntryOf(kind, revision, "uri", TemplateOf(kind), kind.name));
  const ResourceKind& page = *KindThatEndsIn(Named::ErrorKind);
  for (const std::string_view error : ErrorKinds())
    add(EntryOf(page, revision, "uri", UriOf(page, {std::string(error)}), error));
  return out;
}

MethodResult ListPage(Parts& parts, const Call& call, CallContext& ctx) {
  const std::string cursor = TextIn(call.params(), "cursor");
  std::size_t stage = 0;
  while (!cursor.empty() && stage < kStages.size() && kStages[stage].letter != cursor.front())
    ++stage;
  if (stage == kStages.size())
    return rpc::Failure(rpc::Code::InvalidParams, "params.cursor was not given out by this server");
  std::string entries = cursor.empty() ? FixedEntries(parts, call.revision) : std::string();
  Wanted wanted;
  wanted.limit = kPageNames;
  if (!cursor.empty()) wanted.cursor = cursor.substr(1);
  auto looked = LookUpNames(parts, kStages[stage].kind, wanted, ctx);
  const auto* failure = std::get_if<rpc::Failure>(&looked);
  if (failure != nullptr && !wanted.cursor.empty()) return *failure;
  // A list that is refused, or not ready, holds nothing; what else there is is listed all the same.
  const Names names = failure != nullptr ? Names() : std::get<Names>(std::move(looked));
  const ResourceKind& kind = *KindThatEndsIn(kStages[stage].kind);
  for (const Name& name : names.names) {
    if (!entries.empty()) entries += ',';
    entries += EntryOf(kind, call.revision, "uri", UriOf(kind, {name.source, name.name}),
                       name.qualified_name);
  }
  std::string next;
  if (!names.next_cursor.empty())
    next = kStages[stage].letter + names.next_cursor;
  else if (stage + 1 < kStages.size())
    next = kStages[stage + 1].letter;
  if (!next.empty()) next = R"(,"nextCursor":)" + json::Quote(next);
  return ResultOf(
      parts, call.revision,
      fmt::format(R"("resources":[{}]{}{})", entries, next, CacheMembers(call.revision)));
}

std::string Contents(const std::string& uri, std::string_view mime_type, std::string_view text) {
  return fmt::format(R"("contents":[{{"uri":{},"mimeType":"{}","text":{}}}])", json::Quote(uri),
                     mime_type, json::Quote(text));
}

std::string PageOf(const ResourceName& resource) {
  const std::string file =
      resource.names.empty() ? std::string(kOverview) : resource.names.back() + ".md";
  for (const EmbeddedText& page : ErrorPages())
    if (page.name == file) return std::string(page.text);
  return {};
}

// The definition of that very name among those that a list has found; empty where it is not there.
std::string DefinitionIn(const tool::Answer& answer, const std::string& source,
                         const std::string& name) {
  const auto parsed = json::Parse(answer.structured);
  if (!parsed || !parsed->value().is_object()) return {};
  const auto data = parsed->value().find("data");
  if (data == parsed->value().end() || !data->is_object()) return {};
  const auto rows = data->find("metrics");
  if (rows == data->end() || !rows->is_array()) return {};
  for (const json::Value& row : *rows)
    if (TextIn(row, "name") == name && TextIn(row, "source") == source) return json::Canonical(row);
  return {};
}

MethodResult ReadNamed(const Parts& parts, const Call& call, const std::string& uri,
                       const ResourceName& resource, CallContext& ctx) {
  const ResourceKind& kind = *resource.kind;
  json::Value args = json::Value::object();
  if (!resource.names.empty()) {
    args["source"] = resource.names.front();
    args[std::string(kind.name_argument)] = resource.names.back();
  }
  const bool is_metric = !kind.parts.empty() && kind.parts.back().kind == Named::Metric;
  if (is_metric) args["limit"] = kMetricsMax;
  const tool::Answer answer = parts.invoker.Invoke(kind.tool, args, ctx);
  if (!answer.scopes_needed.empty()) call.reply.LacksScopes(answer.scopes_needed);
  if (answer.is_error)
    return FailureOfAnswer(answer, NotFoundCode(call.revision),
                           fmt::format(R"({{"uri":{}}})", json::Quote(uri)));
  const std::string text = is_metric
                               ? DefinitionIn(answer, resource.names.front(), resource.names.back())
                               : answer.structured;
  if (text.empty()) return NoSuchResource(call.revision, uri);
  return ResultOf(parts, call.revision,
                  Contents(uri, kind.mime_type, text) + CacheMembers(call.revision));
}

}  // namespace

MethodResult ListResources(Parts& parts, Call& call) { return RunLater(parts, call, ListPage); }

MethodResult ListResourceTemplates(Parts& parts, Call& call) {
  std::string entries;
  for (const ResourceKind& kind : ResourceKinds()) {
    if (kind.parts.empty() || !IsServed(parts, kind)) continue;
    if (!entries.empty()) entries += ',';
    entries += EntryOf(kind, call.revision, "uriTemplate", TemplateOf(kind), kind.name);
  }
  return ResultOf(
      parts, call.revision,
      fmt::format(R"("resourceTemplates":[{}]{})", entries, CacheMembers(call.revision)));
}

MethodResult ReadResource(Parts& parts, Call& call) {
  if (TextIn(call.params(), "uri").empty())
    return rpc::Failure(rpc::Code::InvalidParams, "resources/read needs params.uri");
  return RunLater(parts, call, [](Parts& all, const Call& read, CallContext& ctx) {
    return ReadAt(all, read, TextIn(read.params(), "uri"), ctx);
  });
}

MethodResult ReadAt(const Parts& parts, const Call& call, const std::string& uri,
                    CallContext& ctx) {
  const auto resource = ReadUri(uri);
  if (!resource || !IsServed(parts, *resource->kind)) return NoSuchResource(call.revision, uri);
  if (!resource->kind->tool.empty()) return ReadNamed(parts, call, uri, *resource, ctx);
  const std::string page = PageOf(*resource);
  if (page.empty()) return NoSuchResource(call.revision, uri);
  return ResultOf(parts, call.revision,
                  Contents(uri, resource->kind->mime_type, page) + CacheMembers(call.revision));
}

}  // namespace schemaward::mcp
