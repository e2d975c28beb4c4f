// Fixtures: resources, prompts, completion.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/fixtures.h"

namespace schemaward::mcp {
namespace {

constexpr Revision kFirst = Revision::R20241105;
constexpr Revision kLast = Revision::R20260728;

constexpr std::array<Method, 11> kMethods = {{
    {"tools/list", kFirst, kLast, ListFixtureTools},
    {"tools/call", kFirst, kLast, CallFixtureTool},
    {"resources/list", kFirst, kLast, ListFixtureResources},
    {"resources/templates/list", kFirst, kLast, ListFixtureTemplates},
    {"resources/read", kFirst, kLast, ReadFixtureResource},
    {"resources/subscribe", kFirst, kLatestLegacy, SubscribeFixture},
    {"resources/unsubscribe", kFirst, kLatestLegacy, SubscribeFixture},
    {"prompts/list", kFirst, kLast, ListFixturePrompts},
    {"prompts/get", kFirst, kLast, GetFixturePrompt},
    {"completion/complete", kFirst, kLast, CompleteFixture},
    {"logging/setLevel", kFirst, kLatestLegacy, SetLogLevel},
}};

constexpr std::string_view kResources =
    R"([{"uri":"test://static-text","name":"static-text","description":"A text.","mimeType":"text/plain"},)"
    R"({"uri":"test://static-binary","name":"static-binary","description":"An image.","mimeType":"image/png"},)"
    R"({"uri":"test://watched-resource","name":"watched-resource","description":"A text that may change.","mimeType":"text/plain"}])";

constexpr std::string_view kTemplates =
    R"([{"uriTemplate":"test://template/{id}/data","name":"template","description":"Data by id.","mimeType":"application/json"}])";

constexpr std::string_view kPrompts =
    R"([{"name":"test_simple_prompt","description":"A prompt without arguments."},)"
    R"({"name":"test_prompt_with_arguments","description":"A prompt with two.","arguments":[{"name":"arg1","description":"The first.","required":true},{"name":"arg2","description":"The second.","required":true}]},)"
    R"({"name":"test_prompt_with_embedded_resource","description":"A prompt with a resource.","arguments":[{"name":"resourceUri","description":"The resource.","required":true}]},)"
    R"({"name":"test_input_required_result_prompt","description":"A prompt that asks."},)"
    R"({"name":"test_prompt_with_image","description":"A prompt with an image."}])";

std::string UserText(std::string_view text) {
  return fmt::format(R"({{"role":"user","content":{{"type":"text","text":{}}}}})",
                     json::Quote(text));
}

std::string Contents(std::string_view uri, std::string_view mime_type, std::string_view member,
                     std::string_view value) {
  return fmt::format(R"({{"uri":{},"mimeType":"{}","{}":{}}})", json::Quote(uri), mime_type, member,
                     json::Quote(value));
}

// What stands at `uri`, or nothing.
std::string ContentsOf(std::string_view uri) {
  constexpr std::string_view kBegin = "test://template/";
  constexpr std::string_view kEnd = "/data";
  if (uri == "test://static-text" || uri == "test://watched-resource")
    return Contents(uri, "text/plain", "text", "This is the content of the static text resource.");
  if (uri == "test://static-binary") return Contents(uri, "image/png", "blob", kFixturePng);
  if (uri.size() <= kBegin.size() + kEnd.size() || !uri.starts_with(kBegin) || !uri.ends_with(kEnd))
    return {};
  const std::string_view id = uri.substr(kBegin.size(), uri.size() - kBegin.size() - kEnd.size());
  return Contents(uri, "application/json", "text",
                  fmt::format(R"({{"id":{},"templateTest":true,"data":{}}})", json::Quote(id),
                              json::Quote("Data for ID: " + std::string(id))));
}

std::string MessagesOf(const Call& call, std::string_view name) {
  if (name == "test_input_required_result_prompt") return UserText("The context was given.");
  if (name == "test_simple_prompt") return UserText("This is a simple prompt for testing.");
  if (name == "test_prompt_with_arguments")
    return UserText(fmt::format("Prompt with arguments: arg1='{}', arg2='{}'",
                                FixtureText(call, "arg1", "arguments"),
                                FixtureText(call, "arg2", "arguments")));
  if (name == "test_prompt_with_embedded_resource")
    return fmt::format(R"({{"role":"user","content":{{"type":"resource","resource":{}}}}},{})",
                       Contents(FixtureText(call, "resourceUri", "arguments"), "text/plain", "text",
                                "Embedded resource content for testing."),
                       UserText("Please process the embedded resource above."));
  if (name == "test_prompt_with_image")
    return fmt::format(
        R"({{"role":"user","content":{{"type":"image","data":"{}","mimeType":"image/png"}}}},{})",
        kFixturePng, UserText("Please analyze the image above."));
  return {};
}

}  // namespace

std::span<const Method> FixtureMethods() { return kMethods; }

std::string FixtureCapabilities(Revision revision) {
  return IsModern(revision)
             ? R"("capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})"
             : R"("capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}})";
}

std::string FixtureText(const Call& call, const char* name, const char* inside) {
  const json::Value* object = &call.params();
  for (const char* member : {inside, name}) {
    if (member == nullptr) continue;
    if (!object->is_object()) return {};
    const auto found = object->find(member);
    if (found == object->end()) return {};
    object = &*found;
  }
  return object->is_string() ? object->get<std::string>() : std::string();
}

MethodResult ListFixtureResources(Parts& parts, Call& call) {
  return ResultOf(parts, call.revision,
                  fmt::format(R"("resources":{}{})", kResources, CacheMembers(call.revision)));
}

MethodResult ListFixtureTemplates(Parts& parts, Call& call) {
  return ResultOf(
      parts, call.revision,
      fmt::format(R"("resourceTemplates":{}{})", kTemplates, CacheMembers(call.revision)));
}

MethodResult ReadFixtureResource(Parts& parts, Call& call) {
  const std::string uri = FixtureText(call, "uri");
  const std::string contents = ContentsOf(uri);
  if (contents.empty())
    return rpc::Failure(rpc::Code::InvalidParams, "there is no such resource",
                        fmt::format(R"({{"uri":{}}})", json::Quote(uri)));
  return ResultOf(parts, call.revision,
                  fmt::format(R"("contents":[{}]{})", contents, CacheMembers(call.revision)));
}

// None of them ever changes, so nothing has to be remembered.
MethodResult SubscribeFixture(Parts& parts, Call& call) {
  return ResultOf(parts, call.revision, {});
}

MethodResult ListFixturePrompts(Parts& parts, Call& call) {
  return ResultOf(parts, call.revision,
                  fmt::format(R"("prompts":{}{})", kPrompts, CacheMembers(call.revision)));
}

MethodResult GetFixturePrompt(Parts& parts, Call& call) {
  if (auto asked = AskByResult(parts, call)) return *std::move(asked);
  const std::string messages = MessagesOf(call, FixtureText(call, "name"));
  if (messages.empty()) return rpc::Failure(rpc::Code::InvalidParams, "there is no such prompt");
  return ResultOf(parts, call.revision, fmt::format(R"("messages":[{}])", messages));
}

MethodResult CompleteFixture(Parts& parts, Call& call) {
  return ResultOf(parts, call.revision,
                  R"("completion":{"values":["test"],"total":1,"hasMore":false})");
}

}  // namespace schemaward::mcp
