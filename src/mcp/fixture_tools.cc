// Fixtures: tools.

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/fixtures.h"

namespace schemaward::mcp {
namespace {

constexpr std::string_view kNoArguments = R"({"type":"object"})";
constexpr std::string_view kWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

std::string Text(std::string_view text) {
  return fmt::format(R"({{"type":"text","text":{}}})", json::Quote(text));
}

std::string Content(std::string_view blocks) {
  return fmt::format(R"("content":[{}],"isError":false)", blocks);
}

std::string Media(std::string_view type, std::string_view data, std::string_view mime_type) {
  return fmt::format(R"({{"type":"{}","data":"{}","mimeType":"{}"}})", type, data, mime_type);
}

std::string Resource(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return fmt::format(R"({{"type":"resource","resource":{{"uri":"{}","mimeType":"{}","text":{}}}}})",
                     uri, mime_type, json::Quote(text));
}

std::string Failed(std::string_view why) {
  return fmt::format(R"("content":[{}],"isError":true)", Text(why));
}

void Notify(const Call& call, std::string_view method, const std::string& params) {
  call.reply.Notify(rpc::EncodeNotification(method, params));
}

std::string Progress(const Call& call, CallContext&) {
  const json::Value& params = call.params();
  const auto meta = params.find("_meta");
  const bool has_token =
      meta != params.end() && meta->is_object() && meta->contains("progressToken");
  const std::string token = has_token ? rpc::IdOf((*meta)["progressToken"]) : std::string();
  for (const int done : {0, 50, 100})
    if (!token.empty())
      Notify(call, "notifications/progress",
             fmt::format(R"({{"progressToken":{},"progress":{},"total":100}})", token, done));
  return Content(Text("Done."));
}

std::string Log(const Call& call, CallContext&) {
  for (const std::string_view text :
       {"Tool execution started", "Tool processing data", "Tool execution completed"})
    if (!IsModern(call.revision))
      Notify(call, "notifications/message",
             fmt::format(R"({{"level":"info","logger":"fixtures","data":{}}})", json::Quote(text)));
  return Content(Text("Done."));
}

// Asks the client and says what it answered.
std::string Ask(const Call& call, CallContext& ctx, std::string_view method,
                const std::string& params, std::string_view words) {
  if (IsModern(call.revision) || !call.reply.peer().CanSend())
    return Failed("the client cannot be asked");
  const auto answer = call.session->asks().Ask(
      method, params, [&](std::string_view message) { call.reply.Notify(message); }, ctx);
  return answer ? Content(Text(fmt::format("{}{}", words, *answer)))
                : Failed(answer.error().message());
}

std::string Sample(const Call& call, CallContext& ctx) {
  const std::string text = Text(FixtureText(call, "prompt", "arguments"));
  return Ask(
      call, ctx, "sampling/createMessage",
      fmt::format(R"({{"messages":[{{"role":"user","content":{}}}],"maxTokens":100}})", text),
      "LLM response: ");
}

std::string Elicit(const Call& call, CallContext& ctx, std::string_view message,
                   std::string_view schema, std::string_view words) {
  return Ask(call, ctx, "elicitation/create",
             fmt::format(R"({{"message":{},"requestedSchema":{}}})", json::Quote(message), schema),
             words);
}

std::string ElicitUser(const Call& call, CallContext& ctx) {
  return Elicit(
      call, ctx, FixtureText(call, "message", "arguments"),
      R"({"type":"object","properties":{"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}},"required":["username","email"]})",
      "User response: ");
}

std::string ElicitDefaults(const Call& call, CallContext& ctx) {
  return Elicit(
      call, ctx, "Please confirm.",
      R"({"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}},"required":[]})",
      "Elicitation completed: ");
}

std::string ElicitEnums(const Call& call, CallContext& ctx) {
  constexpr std::string_view kTitled =
      R"([{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}])";
  const std::string schema = fmt::format(
      R"({{"type":"object","properties":{{"untitledSingle":{{"type":"string","enum":["option1","option2","option3"]}},"titledSingle":{{"type":"string","oneOf":{0}}},"legacyEnum":{{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]}},"untitledMulti":{{"type":"array","items":{{"type":"string","enum":["option1","option2","option3"]}}}},"titledMulti":{{"type":"array","items":{{"anyOf":{0}}}}}}},"required":[]}})",
      kTitled);
  return Elicit(call, ctx, "Please choose.", schema, "Elicitation completed: ");
}

struct Fixture {
  std::string_view name;
  std::string_view schema;
  std::string (*run)(const Call& call, CallContext& ctx);  // returns the result's members
};

constexpr Fixture kFixtures[] = {
    {"test_simple_text", kNoArguments,
     [](const Call&, CallContext&) {
       return Content(Text("This is a simple text response for testing."));
     }},
    {"test_image_content", kNoArguments,
     [](const Call&, CallContext&) { return Content(Media("image", kFixturePng, "image/png")); }},
    {"test_audio_content", kNoArguments,
     [](const Call&, CallContext&) { return Content(Media("audio", kWav, "audio/wav")); }},
    {"test_embedded_resource", kNoArguments,
     [](const Call&, CallContext&) {
       return Content(Resource("test://embedded-resource", "text/plain",
                               "This is an embedded resource content."));
     }},
    {"test_multiple_content_types", kNoArguments,
     [](const Call&, CallContext&) {
       return Content(Text("Multiple content types test:") + "," +
                      Media("image", kFixturePng, "image/png") + "," +
                      Resource("test://mixed-content-resource", "application/json",
                               R"({"test":"data","value":123})"));
     }},
    {"test_error_handling", kNoArguments,
     [](const Call&, CallContext&) {
       return Failed("This tool intentionally returns an error for testing");
     }},
    {"test_tool_with_progress", kNoArguments, Progress},
    {"test_tool_with_logging", kNoArguments, Log},
    {"test_logging_tool", kNoArguments, Log},
    {"test_sampling",
     R"({"type":"object","properties":{"prompt":{"type":"string","description":"The prompt."}},"required":["prompt"]})",
     Sample},
    {"test_elicitation",
     R"({"type":"object","properties":{"message":{"type":"string","description":"The message."}},"required":["message"]})",
     ElicitUser},
    {"test_elicitation_sep1034_defaults", kNoArguments, ElicitDefaults},
    {"test_elicitation_sep1330_enums", kNoArguments, ElicitEnums},
    {"greet",
     R"({"type":"object","properties":{"name":{"type":"string","description":"Whom to greet."}}})",
     [](const Call& call, CallContext&) {
       return Content(Text(fmt::format("Hello, {}!", FixtureText(call, "name", "arguments"))));
     }},
    {"test_missing_capability", kNoArguments,
     [](const Call&, CallContext&) { return Content(Text("The client can sample.")); }},
};

bool DeclaresSampling(const Call& call) {
  if (!IsModern(call.revision)) return true;  // asked there, and answers itself
  const json::Value& meta = call.params()["_meta"];
  return meta["io.modelcontextprotocol/clientCapabilities"].contains("sampling");
}

// Runs a fixture on the pool, since it may wait for the client.
void Run(Parts& parts, const Call& call, const Fixture& fixture, const std::stop_token& stop) {
  CallContext ctx(parts.clock);
  ctx.request_id = call.request.id;
  ctx.stop = stop;
  const std::string members = fixture.run(call, ctx);
  if (call.session->Finish(call.request.id))
    call.reply.Send(rpc::EncodeResult(call.request.id, ResultOf(parts, call.revision, members)));
  else
    call.reply.Drop();
  call.session->Left();
}

}  // namespace

MethodResult ListFixtureTools(Parts& parts, Call& call) {
  std::string list;
  for (const Fixture& fixture : kFixtures)
    list += fmt::format(
        R"({}{{"name":"{}","description":"A fixture of the conformance suite.","inputSchema":{}}})",
        list.empty() ? "" : ",", fixture.name, fixture.schema);
  return ResultOf(parts, call.revision,
                  fmt::format(R"("tools":[{}{}{}]{})", list, AskingToolsJson(), TaskFixturesJson(),
                              CacheMembers(call.revision)));
}

MethodResult CallFixtureTool(Parts& parts, Call& call) {
  const std::string name = FixtureText(call, "name");
  if (auto asked = AskByResult(parts, call)) return *std::move(asked);
  if (IsTaskFixture(name)) return CallTaskFixture(parts, call);
  if (IsAskingTool(name))
    return ResultOf(parts, call.revision, Content(Text("All was given; state-ok.")));
  const auto* const found = std::find_if(std::begin(kFixtures), std::end(kFixtures),
                                         [&](const Fixture& f) { return f.name == name; });
  if (found == std::end(kFixtures))
    return rpc::Failure(rpc::Code::InvalidParams, "there is no such tool");
  if (name == "test_missing_capability" && !DeclaresSampling(call))
    return rpc::Failure(rpc::Code::MissingClientCapability, "the client must be able to sample",
                        R"({"requiredCapabilities":{"sampling":{}}})");
  auto stop = call.session->Begin(call.request.id);
  if (!stop) return rpc::Failure(rpc::Code::InvalidRequest, "a request with this id still runs");
  const auto held = std::make_shared<Call>(std::move(call));  // shared, since a task is copyable
  const Status queued = parts.pool.Submit(
      [&parts, held, found, stop = *std::move(stop)] { Run(parts, *held, *found, stop); });
  if (queued) return Later{};
  held->session->Finish(held->request.id);
  held->session->Left();
  held->reply.Send(rpc::EncodeFailure(held->request.id, rpc::FailureOf(queued.error())));
  return Later{};
}

}  // namespace schemaward::mcp
