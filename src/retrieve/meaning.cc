#include "retrieve/meaning.h"

#include <algorithm>
#include <array>
#include <utility>

#include "store/vectors.h"

namespace schemaward::retrieve {
namespace {

// Sums side by side: one sum would wait for each addition before the next. The order of additions
// is fixed, so that the same vectors give the same order of tables everywhere.
float Product(std::span<const float> a, std::span<const float> b) {
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= a.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  float sum = 0;
  for (const float one : sums) sum += one;
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool IsNearer(const NearTable& a, const NearTable& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.table_id < b.table_id;
}

/// The nearest so far; the farthest of them on top.
class NearestSoFar {
 public:
  void Offer(const NearTable& one) {
    if (one.cosine <= 0) return;
    if (heap_.size() == kNearMax) {
      if (!IsNearer(one, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), IsNearer);
      heap_.pop_back();
    }
    heap_.push_back(one);
    std::push_heap(heap_.begin(), heap_.end(), IsNearer);
  }
  std::vector<NearTable> Take() {
    std::sort(heap_.begin(), heap_.end(), IsNearer);
    return std::move(heap_);
  }

 private:
  std::vector<NearTable> heap_;
};

}  // namespace

Meaning::Meaning(std::shared_ptr<llm::Embedder> embedder, const MeaningOptions& options)
    : embedder_(std::move(embedder)),
      options_(options),
      model_(llm::IdOf(embedder_->info())),
      memory_(std::make_shared<Memory>()) {}

Meaning::Meaning(std::shared_ptr<llm::Embedder> embedder, const Meaning& other)
    : embedder_(std::move(embedder)),
      options_(other.options_),
      model_(other.model_),
      memory_(other.memory_) {}

Result<std::vector<NearTable>> Meaning::Nearest(store::Store& store, const std::string& question,
                                                std::span<const std::int64_t> sources,
                                                CallContext& ctx) {
  WARD_TRY(const bool any, store::HasVectors(store, model_, sources));
  if (!any)
    return Error(ErrorKind::IndexNotReady, "no table has a vector of the embedder yet")
        .Hint("Run `schemaward index` with the embedder configured.");
  WARD_TRY(const auto wanted, VectorOf(question, ctx));
  NearestSoFar nearest;
  WARD_CHECK(store::VisitVectors(store, model_, sources,
                                 [&](std::int64_t table_id, std::span<const float> numbers) {
                                   if (numbers.size() == wanted.size())
                                     nearest.Offer({table_id, Product(wanted, numbers)});
                                   return true;
                                 }));
  return nearest.Take();
}

// A call waits for the embedder a bounded time of its own, and what is left of the call's.
Result<std::vector<float>> Meaning::VectorOf(const std::string& question, CallContext& ctx) {
  if (auto known = Known(question)) return *std::move(known);
  WARD_CHECK(CheckQuiet(ctx));
  CallContext short_ctx = ctx;
  short_ctx.deadline = Deadline::After(ctx.clock, ctx.deadline.Left(ctx.clock, options_.wait_max));
  const std::vector<std::string> texts = {question};
  auto made = embedder_->Embed(texts, short_ctx);
  if (made) {
    Keep(question, made->vectors.front());
    return std::move(made->vectors.front());
  }
  WARD_CHECK(ctx.Check());  // the caller's own end is no fault of the embedder's
  const MutexLock lock(memory_->mutex);
  memory_->quiet_until = ctx.clock.Now() + options_.quiet_for;
  ctx.Warn("search by keywords alone: " + made.error().ToLogText());
  return std::move(made).error();
}

Status Meaning::CheckQuiet(const CallContext& ctx) {
  const MutexLock lock(memory_->mutex);
  if (memory_->quiet_until && ctx.clock.Now() < *memory_->quiet_until)
    return Error(ErrorKind::SourceUnreachable, "the embedder did not answer a short while ago");
  memory_->quiet_until.reset();
  return Ok();
}

std::optional<std::vector<float>> Meaning::Known(const std::string& question) {
  const MutexLock lock(memory_->mutex);
  const auto found = std::find_if(memory_->kept.begin(), memory_->kept.end(),
                                  [&](const auto& one) { return one.first == question; });
  if (found == memory_->kept.end()) return std::nullopt;
  memory_->kept.splice(memory_->kept.begin(), memory_->kept, found);
  return memory_->kept.front().second;
}

void Meaning::Keep(const std::string& question, const std::vector<float>& vector) {
  const MutexLock lock(memory_->mutex);
  memory_->kept.emplace_front(question, vector);
  if (memory_->kept.size() > options_.questions_max) memory_->kept.pop_back();
}

}  // namespace schemaward::retrieve
