#include "llm/http_llm.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/access.h"
#include "llm/retry.h"
#include "llm/sse.h"
#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

constexpr std::size_t kSaidBytesMax = 600;  // of a provider's own words that go to the log

std::string Masked(std::string text, const std::string& key) {
  if (text.size() > kSaidBytesMax) text.resize(kSaidBytesMax);
  if (key.empty()) return text;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
    text.replace(at, key.size(), "***");
  // A key that the cut above went through.
  constexpr std::size_t kPartMin = 6;
  for (std::size_t length = std::min(key.size(), text.size()); length >= kPartMin; --length)
    if (text.ends_with(std::string_view(key).substr(0, length)))
      text.replace(text.size() - length, length, "***");
  return text;
}

bool SaysTooLong(const std::string& body) {
  for (const char* words : {"context_length_exceeded", "prompt is too long", "context length"})
    if (body.find(words) != std::string::npos) return true;
  return false;
}

Error ErrorOfStatus(const HttpSaid& said, const ModelInfo& model) {
  const std::string name = fmt::format("model \"{}\" of {}", model.name, model.provider);
  switch (said.status) {
    case 401:
    case 403:
      return Error(ErrorKind::SourceAuthFailed, name + " refused the key");
    case 402:
      return Error(ErrorKind::MoneyCap, name + " says that the account has no money left");
    case 404:
      return Error(ErrorKind::InvalidArgument, name + " is not at this address");
    case 413:
      return Error(ErrorKind::ByteCap, name + " says that the request is too large");
    case 429:
      return Error(ErrorKind::RateLimited, name + " takes no more requests for now");
    default:
      break;
  }
  if (IsRetryableStatus(said.status))
    return Error(ErrorKind::SourceUnreachable,
                 fmt::format("{} could not answer (HTTP {})", name, said.status));
  if (SaysTooLong(said.body))
    return Error(ErrorKind::ByteCap, name + " says that the prompt is above its window");
  return Error(ErrorKind::InvalidArgument,
               fmt::format("{} did not take the request (HTTP {})", name, said.status));
}

class HttpLlm final : public Llm {
 public:
  HttpLlm(ProviderOptions options, HttpPost post, std::unique_ptr<Protocol> protocol)
      : options_(std::move(options)), post_(std::move(post)), protocol_(std::move(protocol)) {}

  const ModelInfo& info() const override { return options_.model; }

  Result<Reply> Complete(const Request& request, const OnWords& on_text,
                         CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    WARD_CHECK(CheckRequest(request));
    StreamState state;
    SseReader reader([&](std::string_view data) -> Status {
      std::string text;
      WARD_CHECK(protocol_->Take(data, state, text));
      if (on_text && !text.empty()) on_text(text);
      state.reply.text += text;
      return Ok();
    });
    const HttpAsk ask{options_.base_url + std::string(protocol_->Path()),
                      protocol_->Headers(options_.key), protocol_->Body(options_.model, request),
                      options_.time_max};
    auto said = post_(
        ask, [&](std::string_view piece) { return reader.Feed(piece); }, ctx);
    if (!said) return std::move(said).error();
    if (said->status < 200 || said->status > 299)
      return ErrorOfAnswer(*said, options_.model, options_.key);
    return Finish(request, std::move(state));
  }

 private:
  Result<Reply> Finish(const Request& request, StreamState state) const {
    if (!state.is_whole) return NotOfProtocol("its answer ended before its end was said");
    Reply& reply = state.reply;
    if (reply.model.empty()) reply.model = options_.model.name;
    if (!state.has_usage)
      reply.usage = {.input_tokens = EstimateTokens(request),
                     .output_tokens = EstimateTokens(reply.text),
                     .is_estimate = true};
    return std::move(reply);
  }

  const ProviderOptions options_;
  const HttpPost post_;
  const std::unique_ptr<Protocol> protocol_;
};

}  // namespace

Error ErrorOfAnswer(const HttpSaid& said, const ModelInfo& model, const std::string& key) {
  Error error = ErrorOfStatus(said, model);
  error.Private(Masked(said.body, key));
  if (said.retry_after_ms) error.RetryAfter(*said.retry_after_ms);
  return error;
}

Error NotOfProtocol(std::string_view what) {
  return Error(ErrorKind::SourceUnreachable,
               fmt::format("a model did not answer as its protocol says: {}", what));
}

Error ErrorOfStream(const json::Value& error) {
  const std::string type = json::TextOf(error, "type") + " " + json::TextOf(error, "code");
  const bool is_limit = type.find("rate_limit") != std::string::npos;
  const bool is_wrong = type.find("invalid_request") != std::string::npos;
  const ErrorKind kind = is_limit   ? ErrorKind::RateLimited
                         : is_wrong ? ErrorKind::InvalidArgument
                                    : ErrorKind::SourceUnreachable;
  return std::move(Error(kind, "a model broke off its answer with a failure").Private(type));
}

std::unique_ptr<Llm> MakeHttpLlm(ProviderOptions options, HttpPost post,
                                 std::unique_ptr<Protocol> protocol) {
  return std::make_unique<HttpLlm>(std::move(options), std::move(post), std::move(protocol));
}

}  // namespace schemaward::llm
