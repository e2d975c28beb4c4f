#pragma once

// A model that says what it was told to say: for tests, benchmarks and runs without a key.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "llm/model.h"

namespace schemaward::llm {

/// One turn of a script.
struct ScriptedTurn {
  std::string text;
  std::optional<Error> failure{};  ///< given in place of the text
  Stop stop = Stop::Done;
  std::optional<Usage> usage{};  ///< else it is estimated
};

/// Decides each reply from the request, the n-th call being n from 0.
using Script = std::function<ScriptedTurn(const Request& request, std::size_t n)>;

/// Refuses what a provider refuses: malformed requests, prompts above the window. Thread: any; the
/// script is called by one thread at a time.
class ScriptedLlm final : public Llm {
 public:
  ScriptedLlm(ModelInfo info, Script script);
  /// Says `turns` one after another; past the last, InvalidArgument.
  ScriptedLlm(ModelInfo info, std::vector<ScriptedTurn> turns);

  /// Reads a script: a JSON array of texts, or of objects that are sent as they stand. Errors:
  /// InputUnreadable.
  static Result<std::unique_ptr<ScriptedLlm>> Parse(ModelInfo info, std::string_view json);

  const ModelInfo& info() const override { return info_; }
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;
  /// The requests so far.
  std::vector<Request> Requests() const EXCLUDES(mutex_);
  /// Keeps no requests from now on: for long runs.
  void ForgetRequests() EXCLUDES(mutex_);

 private:
  ScriptedTurn Next(const Request& request) EXCLUDES(mutex_);

  const ModelInfo info_;
  const Script script_;
  mutable Mutex mutex_;
  std::vector<Request> requests_ GUARDED_BY(mutex_);
  std::size_t calls_ GUARDED_BY(mutex_) = 0;
  bool keeps_ GUARDED_BY(mutex_) = true;
};

}  // namespace schemaward::llm
