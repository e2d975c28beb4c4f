#pragma once

// Embedders: texts in; vectors and tokens out. Texts of like meaning have vectors of like
// direction.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"
#include "llm/model.h"
#include "llm/provider.h"
#include "llm/retry.h"

namespace schemaward::llm {

/// Most texts in one request, most bytes of one text, and most numbers of one vector.
inline constexpr std::size_t kEmbedTextsMax = 64;
inline constexpr std::size_t kEmbedTextBytesMax = 8'000;
inline constexpr std::size_t kDimensionsMax = 8'192;

struct EmbedderInfo {
  std::string provider;         ///< openai | ollama | ... | scripted
  std::string name;             ///< as the provider knows it
  std::int64_t dimensions = 0;  ///< that are asked for; 0: the model's own
};

struct Embedded {
  std::vector<std::vector<float>> vectors;  ///< one per text, of length 1, all of one dimension
  Usage usage;
};

/// Thread: any.
class Embedder {
 public:
  virtual ~Embedder() = default;
  virtual const EmbedderInfo& info() const = 0;
  /// Returns a vector for each text. Requires: at most kEmbedTextsMax texts; longer ones than
  /// kEmbedTextBytesMax are cut. Errors: as Llm::Complete.
  virtual Result<Embedded> Embed(std::span<const std::string> texts, CallContext& ctx) = 0;
};

/// Returns "provider:name", with "@dimensions" where they are asked for: what vectors are kept
/// under, since those of different models cannot be compared.
std::string IdOf(const EmbedderInfo& info);

struct EmbedderOptions {
  EmbedderInfo info;
  std::string base_url;  ///< without a slash at its end
  std::string key;       ///< empty for servers that ask for none
  std::chrono::milliseconds time_max{60'000};
};

/// The embeddings of OpenAI and of the servers that speak as it does: POST base_url/embeddings.
std::unique_ptr<Embedder> MakeOpenAiEmbedder(EmbedderOptions options, HttpPost post);
/// Ollama's own: POST /api/embed.
std::unique_ptr<Embedder> MakeOllamaEmbedder(EmbedderOptions options, HttpPost post);

/// Returns the embedder that "provider:name" names. Errors: as MakeModel; InvalidArgument for a
/// provider that has no embeddings.
Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view model,
                                               const ModelSettings& settings,
                                               std::int64_t dimensions,
                                               const Environment& environment, HttpPost post);

/// Asks `inner` again as RetryingLlm does. Thread: one at a time.
class RetryingEmbedder final : public Embedder {
 public:
  RetryingEmbedder(std::shared_ptr<Embedder> inner, const RetryPolicy& policy, Pause pause,
                   Random random);
  const EmbedderInfo& info() const override { return inner_->info(); }
  Result<Embedded> Embed(std::span<const std::string> texts, CallContext& ctx) override;

 private:
  const std::shared_ptr<Embedder> inner_;  // shared: one embedder serves search and index
  const RetryPolicy policy_;
  const Pause pause_;
  const Random random_;
};

/// Gives the vectors that a function makes: for tests. Thread: any; the function is called by one
/// thread at a time.
class ScriptedEmbedder final : public Embedder {
 public:
  using Script = std::function<Result<std::vector<float>>(const std::string& text)>;
  ScriptedEmbedder(EmbedderInfo info, Script script)
      : info_(std::move(info)), script_(std::move(script)) {}
  const EmbedderInfo& info() const override { return info_; }
  Result<Embedded> Embed(std::span<const std::string> texts, CallContext& ctx) override;
  /// The texts so far.
  std::vector<std::string> Texts() const EXCLUDES(mutex_);

 private:
  const EmbedderInfo info_;
  const Script script_;
  mutable Mutex mutex_;
  std::vector<std::string> texts_ GUARDED_BY(mutex_);
};

/// Makes the vector's length 1. Errors: SourceUnreachable for one that has no direction, holds what
/// is no number, or has none or too many of them.
Status Normalize(std::vector<float>& vector);

}  // namespace schemaward::llm
