#pragma once

// Asking a model for what a program reads.

#include <functional>
#include <string_view>

#include "llm/model.h"

namespace schemaward::llm {

/// Asks until `read` takes a reply, at most `tries_max` times; a reply that it refuses is shown to
/// the model again with the wish for one JSON object. Adds to `used` what each reply took. Errors:
/// as Llm::Complete; that of `read` for the last reply. Thread: the model's.
Status AskForJson(Llm& model, Request request, int tries_max,
                  const std::function<Status(std::string_view reply)>& read, Usage& used,
                  CallContext& ctx);

/// True where a run of many requests has nothing to hope for after `error`: it is of the model, not
/// of one reply that was unreadable or one prompt that was too long.
bool EndsRuns(const Error& error);

}  // namespace schemaward::llm
