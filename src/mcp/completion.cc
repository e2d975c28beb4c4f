// completion/complete: names for the arguments of prompts and the parts of resource templates.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/later.h"
#include "mcp/resource_uri.h"
#include "mcp/workflows.h"

namespace schemaward::mcp {
namespace {

constexpr std::size_t kValuesMax = 100;  // Source: MCP, completion
constexpr std::size_t kPrefixMax = 400;  // bytes; no name is longer

const json::Value& Member(const json::Value& object, const char* name) {
  static const json::Value nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

/// What is to be completed.
struct Completed {
  Named kind = Named::Text;
  bool in_uri = false;  ///< of a template, whose names are those within their source
};

std::optional<Completed> InPrompt(const Parts& parts, const std::string& prompt,
                                  const std::string& argument) {
  const Workflow* workflow = FindWorkflow(parts, prompt);
  if (workflow == nullptr) return std::nullopt;
  for (const WorkflowArgument& one : workflow->arguments)
    if (one.name == argument) return Completed{one.kind, false};
  return std::nullopt;
}

std::optional<Completed> InTemplate(const std::string& uri, const std::string& argument) {
  for (const ResourceKind& kind : ResourceKinds())
    for (const UriPart& part : kind.parts)
      if (TemplateOf(kind) == uri && part.variable == argument) return Completed{part.kind, true};
  return std::nullopt;
}

std::string CompletionJson(const Names& names, bool in_uri) {
  std::string values;
  for (const Name& name : names.names)
    values += (values.empty() ? "" : ",") + json::Quote(in_uri ? name.name : name.qualified_name);
  return fmt::format(R"("completion":{{"values":[{}],"total":{},"hasMore":{}}})", values,
                     names.total, names.total > static_cast<std::int64_t>(names.names.size()));
}

// A name that cannot be looked up has no completions: a person who types is told nothing of it.
MethodResult Answer(Parts& parts, const Call& call, Completed what, CallContext& ctx) {
  const json::Value& argument = Member(call.params(), "argument");
  const json::Value& context = Member(Member(call.params(), "context"), "arguments");
  const Wanted wanted{.prefix = TextIn(argument, "value"),
                      .source = what.kind == Named::Source ? "" : TextIn(context, "source"),
                      .limit = kValuesMax,
                      .cursor = {}};
  const auto looked = LookUpNames(parts, what.kind, wanted, ctx);
  const auto* names = std::get_if<Names>(&looked);
  return ResultOf(parts, call.revision,
                  CompletionJson(names != nullptr ? *names : Names(), what.in_uri));
}

}  // namespace

MethodResult Complete(Parts& parts, Call& call) {
  const json::Value& ref = Member(call.params(), "ref");
  const json::Value& argument = Member(call.params(), "argument");
  const json::Value& value = Member(argument, "value");
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kPrefixMax)
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.argument must have a name and a value of at most 400 bytes");
  const std::string type = TextIn(ref, "type"), name = TextIn(argument, "name");
  std::optional<Completed> what;
  if (type == "ref/prompt") what = InPrompt(parts, TextIn(ref, "name"), name);
  if (type == "ref/resource") what = InTemplate(TextIn(ref, "uri"), name);
  if (!what)
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.ref and params.argument name nothing that can be completed");
  return RunLater(parts, call, [what = *what](Parts& all, const Call& own, CallContext& ctx) {
    return Answer(all, own, what, ctx);
  });
}

}  // namespace schemaward::mcp
