#pragma once

// Replies of a model written down once and given again: a run that replays without a network.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "llm/model.h"

namespace schemaward::llm {

/// Writes one line for a reply; takes it whole. Errors: what writing gives.
using WriteLine = std::function<Status(const std::string& line)>;

/// Asks `inner` and writes each reply down. A line is one JSON object: request (the SHA-256 of its
/// canonical form), text, stop, model, and the counts of tokens; neither the prompt nor a key.
/// Thread: any; lines are written one at a time.
class RecordingLlm final : public Llm {
 public:
  RecordingLlm(std::shared_ptr<Llm> inner, WriteLine write);
  const ModelInfo& info() const override { return inner_->info(); }
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;

 private:
  const std::shared_ptr<Llm> inner_;  // shared: one model serves several runs
  const WriteLine write_;
  Mutex mutex_;
};

/// Gives recorded replies to the requests that they were given to; to equal requests in the order
/// in which they were recorded. Thread: any.
class RecordedLlm final : public Llm {
 public:
  /// Errors: InputUnreadable, with the number of the line.
  static Result<std::unique_ptr<RecordedLlm>> Parse(ModelInfo info, std::string_view lines);
  const ModelInfo& info() const override { return info_; }
  /// Errors: InvalidArgument for a request that was not recorded, or oftener than it was.
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;

 private:
  explicit RecordedLlm(ModelInfo info);
  const ModelInfo info_;
  Mutex mutex_;
  std::map<std::string, std::deque<Reply>> replies_ GUARDED_BY(mutex_);  // by hash
};

/// Returns the hash of a request: of all that a model sees of it.
std::string HashOf(const Request& request);

}  // namespace schemaward::llm
