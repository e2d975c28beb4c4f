#include "llm/ask.h"

#include <utility>

namespace schemaward::llm {

Status AskForJson(Llm& model, Request request, int tries_max,
                  const std::function<Status(std::string_view reply)>& read, Usage& used,
                  CallContext& ctx) {
  for (int tries = 1;; ++tries) {
    WARD_TRY(const Reply reply, model.Complete(request, {}, ctx));
    used += reply.usage;
    Status taken = read(reply.text);
    if (taken || tries >= tries_max) return taken;
    request.messages.push_back({Role::Assistant, reply.text.empty() ? "(nothing)" : reply.text});
    request.messages.push_back(
        {Role::User, "That was not one JSON object as described. Reply with it alone."});
  }
}

bool EndsRuns(const Error& error) {
  return error.kind() != ErrorKind::InputUnreadable && error.kind() != ErrorKind::ByteCap;
}

}  // namespace schemaward::llm
