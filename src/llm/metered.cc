#include "llm/metered.h"

#include <string_view>
#include <utility>

#include "base/cut.h"
#include "llm/tokens.h"

namespace schemaward::llm {

MeteredLlm::MeteredLlm(std::shared_ptr<Llm> inner, const MeterOptions& options)
    : inner_(std::move(inner)), meter_(options) {}

Result<Reply> MeteredLlm::Complete(const Request& request, const OnWords& on_text,
                                   CallContext& ctx) {
  const std::int64_t sent = EstimateTokens(request);
  WARD_TRY(const NanoUsd reserved,
           meter_.Reserve({.input_tokens = sent, .output_tokens = request.output_tokens_max}));
  std::string heard;
  const auto hear = [&](std::string_view text) {
    heard += text;
    if (on_text) on_text(text);
  };
  auto reply = inner_->Complete(request, hear, ctx);
  Usage used;
  if (reply)
    used = reply->usage;
  else if (!heard.empty())
    used = {.input_tokens = sent, .output_tokens = EstimateTokens(heard), .is_estimate = true};
  meter_.Settle(reserved, used, !reply);
  return reply;
}

MeteredEmbedder::MeteredEmbedder(std::shared_ptr<Embedder> inner, const MeterOptions& options)
    : inner_(std::move(inner)), meter_(options) {}

Result<Embedded> MeteredEmbedder::Embed(std::span<const std::string> texts, CallContext& ctx) {
  Usage worst;
  for (const std::string& text : texts)
    worst.input_tokens += EstimateTokens(HeadOf(text, kEmbedTextBytesMax));
  WARD_TRY(const NanoUsd reserved, meter_.Reserve(worst));
  auto made = inner_->Embed(texts, ctx);
  meter_.Settle(reserved, made ? made->usage : Usage(), !made);
  return made;
}

}  // namespace schemaward::llm
