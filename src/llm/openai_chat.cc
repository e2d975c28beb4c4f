// The chat protocol of OpenAI as the servers speak it that took it over.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "json/access.h"
#include "llm/http_llm.h"

namespace schemaward::llm {
namespace {

std::int64_t Count(const json::Value& usage, std::initializer_list<std::string_view> path) {
  return std::max<std::int64_t>(json::IntegerOf(json::Member(usage, path)).value_or(0), 0);
}

Stop StopOf(const std::string& reason) {
  if (reason == "length") return Stop::Length;
  return reason == "content_filter" ? Stop::Refused : Stop::Done;
}

// OpenAI's own models that think take no temperature.
bool TakesTemperature(const ModelInfo& model) {
  if (model.provider != "openai") return true;
  return !model.name.starts_with("o") && !model.name.starts_with("gpt-5");
}

void TakeUsage(const json::Value& usage, StreamState& state) {
  if (!usage.is_object()) return;
  state.reply.usage = {
      .input_tokens = Count(usage, {"prompt_tokens"}),
      .output_tokens = Count(usage, {"completion_tokens"}),
      .cache_read_tokens = Count(usage, {"prompt_tokens_details", "cached_tokens"})};
  state.has_usage = true;
}

class OpenAiChat final : public Protocol {
 public:
  std::string_view Path() const override { return "/chat/completions"; }

  std::vector<std::pair<std::string, std::string>> Headers(const std::string& key) const override {
    std::vector<std::pair<std::string, std::string>> headers = {
        {"content-type", "application/json"}};
    if (!key.empty()) headers.emplace_back("authorization", "Bearer " + key);
    return headers;
  }

  std::string Body(const ModelInfo& model, const Request& request) const override {
    json::Value messages = json::Value::array();
    if (!request.system.empty())
      messages.push_back({{"role", "system"}, {"content", request.system}});
    for (const Message& message : request.messages)
      messages.push_back(
          {{"role", message.role == Role::User ? "user" : "assistant"}, {"content", message.text}});
    json::Value body = {{"model", model.name},
                        {"messages", std::move(messages)},
                        {"stream", true},
                        {"stream_options", {{"include_usage", true}}}};
    // The old name is the one that every other server knows.
    body[model.provider == "openai" ? "max_completion_tokens" : "max_tokens"] =
        request.output_tokens_max;
    if (TakesTemperature(model)) body["temperature"] = request.temperature;
    return json::Canonical(body);
  }

  Status Take(std::string_view data, StreamState& state, std::string& text) const override {
    if (data == "[DONE]") {
      state.is_whole = true;
      return Ok();
    }
    const auto document = json::Parse(data);
    if (!document) return NotOfProtocol("an event is not JSON");
    const json::Value& chunk = document->value();
    if (json::Member(chunk, "error").is_object())
      return ErrorOfStream(json::Member(chunk, "error"));
    TakeUsage(json::Member(chunk, "usage"), state);
    if (state.reply.model.empty()) state.reply.model = json::TextOf(chunk, "model");
    const json::Value& choices = json::Member(chunk, "choices");
    if (!choices.is_array() || choices.empty()) return Ok();
    text = json::TextOf(json::Member(choices[0], {"delta", "content"}));
    const std::string reason = json::TextOf(choices[0], "finish_reason");
    if (reason.empty()) return Ok();
    state.reply.stop = StopOf(reason);
    state.is_whole = true;  // some servers say no [DONE]
    return Ok();
  }
};

}  // namespace

std::unique_ptr<Llm> MakeOpenAiChat(ProviderOptions options, HttpPost post) {
  return MakeHttpLlm(std::move(options), std::move(post), std::make_unique<OpenAiChat>());
}

}  // namespace schemaward::llm
