#include "llm/client.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "json/access.h"
#include "llm/http_llm.h"
#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

json::Value ParamsOf(const Request& request) {
  json::Value messages = json::Value::array();
  for (const Message& message : request.messages)
    messages.push_back({{"role", message.role == Role::User ? "user" : "assistant"},
                        {"content", {{"type", "text"}, {"text", message.text}}}});
  json::Value params = {{"messages", std::move(messages)},
                        {"includeContext", "none"},
                        {"temperature", request.temperature},
                        {"maxTokens", request.output_tokens_max}};
  if (!request.system.empty()) params["systemPrompt"] = request.system;
  return params;
}

/// The words of a block, or of a list of blocks.
std::string WordsOf(const json::Value& content) {
  if (!content.is_array()) return json::TextOf(content, "text");
  std::string words;
  for (const json::Value& block : content)
    if (json::TextOf(block, "type") == "text") words += json::TextOf(block, "text");
  return words;
}

}  // namespace

ClientLlm::ClientLlm(ModelInfo info, AskClient ask)
    : info_(std::move(info)), ask_(std::move(ask)) {}

Result<Reply> ClientLlm::Complete(const Request& request, const OnWords& on_text,
                                  CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_CHECK(CheckRequest(request));
  if (!ask_)
    return Error(ErrorKind::InvalidArgument, "the client offers no model")
        .Hint("Name a model in the configuration; or use a client that offers sampling.");
  WARD_TRY(const std::string text,
           ask_("sampling/createMessage", json::Canonical(ParamsOf(request)), ctx));
  const auto document = json::Parse(text);
  if (!document || !document->value().is_object())
    return NotOfProtocol("the client's answer is no object");
  const json::Value& said = document->value();
  // Where the answer is part of a call, a client that will not has no failure to send.
  if (!said.contains("content"))
    return Error(ErrorKind::PermissionDenied, "the client did not do what it was asked for");
  Reply reply;
  reply.text = WordsOf(json::Member(said, "content"));
  reply.model = json::TextOf(said, "model");
  if (reply.model.empty()) reply.model = info_.name;
  const std::string stop = json::TextOf(said, "stopReason");
  reply.stop = stop == "maxTokens" ? Stop::Length : Stop::Done;
  reply.usage = {.input_tokens = EstimateTokens(request),
                 .output_tokens = EstimateTokens(reply.text),
                 .is_estimate = true};
  if (on_text && !reply.text.empty()) on_text(reply.text);
  return reply;
}

}  // namespace schemaward::llm
