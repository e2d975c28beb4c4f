// The Messages protocol of Anthropic, version 2023-06-01.

#include <nlohmann/json.hpp>

#include "json/access.h"
#include "llm/http_llm.h"

namespace schemaward::llm {
namespace {

json::Value Block(const std::string& text, bool is_cached) {
  json::Value block = {{"type", "text"}, {"text", text}};
  if (is_cached) block["cache_control"] = {{"type", "ephemeral"}};
  return block;
}

std::int64_t Count(const json::Value& usage, std::string_view name) {
  return std::max<std::int64_t>(json::IntegerOf(json::Member(usage, name)).value_or(0), 0);
}

Stop StopOf(const std::string& reason) {
  if (reason == "max_tokens" || reason == "model_context_window_exceeded") return Stop::Length;
  return reason == "refusal" ? Stop::Refused : Stop::Done;
}

// input_tokens of the wire leaves out what the cache read and wrote.
void TakePromptUsage(const json::Value& usage, StreamState& state) {
  Usage& used = state.reply.usage;
  used.cache_read_tokens = Count(usage, "cache_read_input_tokens");
  used.cache_write_tokens = Count(usage, "cache_creation_input_tokens");
  used.input_tokens =
      Count(usage, "input_tokens") + used.cache_read_tokens + used.cache_write_tokens;
  state.has_usage = usage.is_object();
}

class Anthropic final : public Protocol {
 public:
  std::string_view Path() const override { return "/v1/messages"; }

  std::vector<std::pair<std::string, std::string>> Headers(const std::string& key) const override {
    return {{"content-type", "application/json"},
            {"anthropic-version", "2023-06-01"},
            {"x-api-key", key}};
  }

  std::string Body(const ModelInfo& model, const Request& request) const override {
    const bool is_cached = request.cached_messages >= 0;
    json::Value messages = json::Value::array();
    std::int64_t number = 0;
    for (const Message& message : request.messages) {
      const bool is_marked = is_cached && ++number == request.cached_messages;
      messages.push_back({{"role", message.role == Role::User ? "user" : "assistant"},
                          {"content", json::Value::array({Block(message.text, is_marked)})}});
    }
    json::Value body = {{"model", model.name},
                        {"max_tokens", request.output_tokens_max},
                        {"temperature", request.temperature},
                        {"messages", std::move(messages)},
                        {"stream", true}};
    if (!request.system.empty())
      body["system"] = json::Value::array({Block(request.system, is_cached)});
    return json::Canonical(body);
  }

  Status Take(std::string_view data, StreamState& state, std::string& text) const override {
    const auto document = json::Parse(data);
    if (!document) return NotOfProtocol("an event is not JSON");
    const json::Value& event = document->value();
    const std::string type = json::TextOf(event, "type");
    if (type == "message_start") {
      state.reply.model = json::TextOf(json::Member(event, {"message", "model"}));
      TakePromptUsage(json::Member(event, {"message", "usage"}), state);
    } else if (type == "content_block_delta") {
      if (json::TextOf(json::Member(event, {"delta", "type"})) == "text_delta")
        text = json::TextOf(json::Member(event, {"delta", "text"}));
    } else if (type == "message_delta") {
      state.reply.stop = StopOf(json::TextOf(json::Member(event, {"delta", "stop_reason"})));
      state.reply.usage.output_tokens = Count(json::Member(event, "usage"), "output_tokens");
    } else if (type == "message_stop") {
      state.is_whole = true;
    } else if (type == "error") {
      return ErrorOfStream(json::Member(event, "error"));
    }
    return Ok();
  }
};

}  // namespace

std::unique_ptr<Llm> MakeAnthropic(ProviderOptions options, HttpPost post) {
  return MakeHttpLlm(std::move(options), std::move(post), std::make_unique<Anthropic>());
}

}  // namespace schemaward::llm
