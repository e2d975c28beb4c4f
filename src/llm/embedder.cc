#include "llm/embedder.h"

#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "llm/http_llm.h"

namespace schemaward::llm {

std::string IdOf(const EmbedderInfo& info) {
  std::string id = info.provider + ":" + info.name;
  if (info.dimensions > 0) id += fmt::format("@{}", info.dimensions);
  return id;
}

Status Normalize(std::vector<float>& vector) {
  if (vector.empty() || vector.size() > kDimensionsMax)
    return NotOfProtocol("a vector has no numbers, or too many");
  double square = 0;
  for (const float number : vector)
    square += static_cast<double>(number) * static_cast<double>(number);
  if (!std::isfinite(square) || square <= 0) return NotOfProtocol("a vector has no direction");
  const double length = std::sqrt(square);
  for (float& number : vector) number = static_cast<float>(static_cast<double>(number) / length);
  return Ok();
}

RetryingEmbedder::RetryingEmbedder(std::shared_ptr<Embedder> inner, const RetryPolicy& policy,
                                   Pause pause, Random random)
    : inner_(std::move(inner)),
      policy_(policy),
      pause_(std::move(pause)),
      random_(std::move(random)) {}

Result<Embedded> RetryingEmbedder::Embed(std::span<const std::string> texts, CallContext& ctx) {
  for (int tries = 1;; ++tries) {
    auto made = inner_->Embed(texts, ctx);
    if (made) return made;
    const Error& error = made.error();
    if (!error.row().retryable || error.kind() == ErrorKind::Cancelled ||
        error.kind() == ErrorKind::MoneyCap || !ctx.Check())
      return made;
    std::optional<std::chrono::milliseconds> asked;
    if (const auto ms = error.retry_after_ms()) asked = std::chrono::milliseconds(*ms);
    const auto delay = DelayBefore(policy_, tries, asked, random_());
    if (!delay) return made;
    WARD_CHECK(pause_(*delay, ctx));
  }
}

Result<Embedded> ScriptedEmbedder::Embed(std::span<const std::string> texts, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  assert(texts.size() <= kEmbedTextsMax && "a request holds a bounded number of texts");
  const MutexLock lock(mutex_);
  Embedded made;
  for (const std::string& text : texts) {
    texts_.push_back(text);
    WARD_TRY(std::vector<float> vector, script_(text));
    WARD_CHECK(Normalize(vector));
    made.vectors.push_back(std::move(vector));
  }
  return made;
}

std::vector<std::string> ScriptedEmbedder::Texts() const {
  const MutexLock lock(mutex_);
  return texts_;
}

}  // namespace schemaward::llm
