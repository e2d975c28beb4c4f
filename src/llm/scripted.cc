#include "llm/scripted.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

Script InTurn(std::vector<ScriptedTurn> turns) {
  return [turns = std::move(turns)](const Request& /*request*/, std::size_t n) {
    if (n < turns.size()) return turns[n];
    return ScriptedTurn{"", Error(ErrorKind::InvalidArgument, "the script of the model has ended")};
  };
}

}  // namespace

ScriptedLlm::ScriptedLlm(ModelInfo info, Script script)
    : info_(std::move(info)), script_(std::move(script)) {}

ScriptedLlm::ScriptedLlm(ModelInfo info, std::vector<ScriptedTurn> turns)
    : ScriptedLlm(std::move(info), InTurn(std::move(turns))) {}

Result<std::unique_ptr<ScriptedLlm>> ScriptedLlm::Parse(ModelInfo info, std::string_view text) {
  auto document = json::Parse(text);
  if (!document || !document->value().is_array())
    return Error(ErrorKind::InputUnreadable, "the script of a model is not an array of JSON")
        .Hint("Write an array; each entry is one reply, a string or an object.");
  std::vector<ScriptedTurn> turns;
  for (const json::Value& turn : document->value())
    turns.push_back({turn.is_string() ? turn.get<std::string>() : json::Canonical(turn)});
  return std::make_unique<ScriptedLlm>(std::move(info), std::move(turns));
}

ScriptedTurn ScriptedLlm::Next(const Request& request) {
  MutexLock lock(mutex_);
  if (keeps_) requests_.push_back(request);
  return script_(request, calls_++);
}

Result<Reply> ScriptedLlm::Complete(const Request& request, const OnWords& on_text,
                                    CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_CHECK(CheckRequest(request));
  const std::int64_t prompt = EstimateTokens(request);
  if (prompt + request.output_tokens_max > info_.window_tokens)
    return Error(ErrorKind::ByteCap,
                 fmt::format("the prompt of {} tokens and a reply of {} do not fit the model's "
                             "window of {}",
                             prompt, request.output_tokens_max, info_.window_tokens));
  ScriptedTurn turn = Next(request);
  if (turn.failure) return *std::move(turn.failure);
  if (on_text) on_text(turn.text);
  Reply reply;
  reply.usage = turn.usage.value_or(Usage{
      .input_tokens = prompt, .output_tokens = EstimateTokens(turn.text), .is_estimate = true});
  reply.text = std::move(turn.text);
  reply.stop = turn.stop;
  reply.model = info_.name;
  return reply;
}

std::vector<Request> ScriptedLlm::Requests() const {
  MutexLock lock(mutex_);
  return requests_;
}

void ScriptedLlm::ForgetRequests() {
  MutexLock lock(mutex_);
  keeps_ = false;
  requests_.clear();
}

}  // namespace schemaward::llm
