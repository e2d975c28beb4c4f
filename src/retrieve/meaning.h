#pragma once

// Tables by meaning: the vector of a question next to those that the index keeps of tables.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"
#include "llm/embedder.h"
#include "retrieve/search.h"
#include "store/store.h"

namespace schemaward::retrieve {

/// Most tables that meaning alone brings into a search; an embedder finds something near anything.
inline constexpr std::size_t kNearMax = 50;
/// How sure a hit of meaning alone is: LOW, since cosines of different models mean different
/// things.
inline constexpr double kNearConfidence = 0.4;

struct MeaningOptions {
  std::chrono::milliseconds wait_max{3'000};    ///< for the vector of a question
  std::chrono::milliseconds quiet_for{30'000};  ///< after a failure the embedder is not asked
  std::size_t questions_max = 64;               ///< whose vectors are kept
};

/// Makes vectors of questions and finds the tables that are nearest. Thread: any.
class Meaning {
 public:
  explicit Meaning(std::shared_ptr<llm::Embedder> embedder, const MeaningOptions& options = {});
  /// One that asks by `embedder`, whose vectors are those of the other's, and shares what the other
  /// remembers of questions and of failures: what one caller has asked for can be counted.
  Meaning(std::shared_ptr<llm::Embedder> embedder, const Meaning& other);

  /// What vectors are kept under in the store.
  const std::string& model() const { return model_; }
  llm::Embedder& embedder() const { return *embedder_; }

  /// Returns at most kNearMax tables of `sources` (empty: all), nearest first, ties by table id;
  /// those that point away from the question are left out. Every vector of the model is looked at,
  /// one at a time. Errors: IndexNotReady where there are no vectors of the model; as
  /// Embedder::Embed, also while the embedder is left in peace; as store::Store.
  Result<std::vector<NearTable>> Nearest(store::Store& store, const std::string& question,
                                         std::span<const std::int64_t> sources, CallContext& ctx);

 private:
  /// Thread: any.
  struct Memory {
    Mutex mutex;
    std::optional<std::chrono::steady_clock::time_point> quiet_until GUARDED_BY(mutex);
    std::list<std::pair<std::string, std::vector<float>>> kept GUARDED_BY(mutex);  // latest first
  };

  Result<std::vector<float>> VectorOf(const std::string& question, CallContext& ctx);
  std::optional<std::vector<float>> Known(const std::string& question);
  void Keep(const std::string& question, const std::vector<float>& vector);
  Status CheckQuiet(const CallContext& ctx);

  const std::shared_ptr<llm::Embedder> embedder_;  // shared: the index makes vectors by it too
  const MeaningOptions options_;
  const std::string model_;
  const std::shared_ptr<Memory> memory_;  // shared: with those that were made of this one
};

}  // namespace schemaward::retrieve
