#include "llm/model.h"

namespace schemaward::llm {

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  cache_read_tokens += other.cache_read_tokens;
  cache_write_tokens += other.cache_write_tokens;
  is_estimate = is_estimate || other.is_estimate;
  return *this;
}

Status CheckRequest(const Request& request) {
  const auto wrong = [](std::string_view what) { return Error(ErrorKind::InvalidArgument, what); };
  if (request.messages.empty() || request.messages.size() % 2 == 0)
    return wrong("a request to a model must begin and end with the user's message");
  if (request.output_tokens_max < 1)
    return wrong("a request to a model must allow at least one token of output");
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    const Role expected = i % 2 == 0 ? Role::User : Role::Assistant;
    if (request.messages[i].role != expected)
      return wrong("the messages to a model must alternate between user and assistant");
    if (request.messages[i].text.empty()) return wrong("a message to a model is empty");
  }
  return Ok();
}

}  // namespace schemaward::llm
