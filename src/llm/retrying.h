#pragma once

// A model that is asked again where that may help.

#include <memory>

#include "llm/model.h"
#include "llm/retry.h"

namespace schemaward::llm {

/// Asks `inner` again after an error whose kind is retryable, as the policy says. The error of the
/// last try is given. Thread: one at a time, since the chance is its owner's.
class RetryingLlm final : public Llm {
 public:
  RetryingLlm(std::shared_ptr<Llm> inner, const RetryPolicy& policy, Pause pause, Random random);
  const ModelInfo& info() const override { return inner_->info(); }
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;

 private:
  const std::shared_ptr<Llm> inner_;  // shared: one model serves several runs
  const RetryPolicy policy_;
  const Pause pause_;
  const Random random_;
};

}  // namespace schemaward::llm
