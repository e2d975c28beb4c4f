#include "llm/recorded.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "json/fields.h"
#include "json/read.h"
#include "json/value.h"
#include "json/write.h"

template <>
struct schemaward::json::EnumNames<schemaward::llm::Stop> {
  static constexpr std::array<std::string_view, 3> kNames = {"done", "length", "refused"};
};

namespace schemaward::llm {
namespace {

struct Line {
  std::string request, text, model;
  Stop stop = Stop::Done;
  Usage usage;
  void Bind(json::Fields& f) {
    f("request", request, "hash of the request", {.required = true});
    f("text", text, "the reply", {.required = true});
    f("stop", stop, "why it ends");
    f("model", model, "as the provider names it");
    f("input_tokens", usage.input_tokens, "of the prompt");
    f("output_tokens", usage.output_tokens, "of the reply");
    f("cache_read_tokens", usage.cache_read_tokens, "of the prompt, from the provider's cache");
    f("cache_write_tokens", usage.cache_write_tokens, "of the prompt, put into it");
    f("is_estimate", usage.is_estimate, "counted by us");
  }
};

}  // namespace

std::string HashOf(const Request& request) {
  std::string text = json::Quote(request.system);
  for (const Message& message : request.messages)
    text += (message.role == Role::User ? "U" : "A") + json::Quote(message.text);
  text += fmt::format("{} {}", request.output_tokens_max, request.temperature);
  return Sha256Hex(text);
}

RecordingLlm::RecordingLlm(std::shared_ptr<Llm> inner, WriteLine write)
    : inner_(std::move(inner)), write_(std::move(write)) {}

Result<Reply> RecordingLlm::Complete(const Request& request, const OnWords& on_text,
                                     CallContext& ctx) {
  WARD_TRY(auto reply, inner_->Complete(request, on_text, ctx));
  const Line line{HashOf(request), reply.text, reply.model, reply.stop, reply.usage};
  MutexLock lock(mutex_);
  WARD_CHECK(write_(json::Write(line)));
  return reply;
}

RecordedLlm::RecordedLlm(ModelInfo info) : info_(std::move(info)) {}

Result<std::unique_ptr<RecordedLlm>> RecordedLlm::Parse(ModelInfo info, std::string_view lines) {
  std::unique_ptr<RecordedLlm> model(new RecordedLlm(std::move(info)));
  MutexLock lock(model->mutex_);
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::string_view text = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), text.size() + 1));
    if (text.empty()) continue;
    const auto document = json::Parse(text);
    Line line;
    if (!document || !json::Read(document->value(), line).ok())
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("line {} of the recording is not a reply of a model", number));
    model->replies_[line.request].push_back(
        Reply{std::move(line.text), line.usage, line.stop, std::move(line.model)});
  }
  return model;
}

Result<Reply> RecordedLlm::Complete(const Request& request, const OnWords& on_text,
                                    CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_CHECK(CheckRequest(request));
  Reply reply;
  {
    MutexLock lock(mutex_);
    const auto found = replies_.find(HashOf(request));
    if (found == replies_.end() || found->second.empty())
      return Error(ErrorKind::InvalidArgument, "the recording has no reply to this request")
          .Hint("Record the run again: its prompts have changed.");
    reply = std::move(found->second.front());
    found->second.pop_front();
  }
  if (on_text) on_text(reply.text);
  return reply;
}

}  // namespace schemaward::llm
