#pragma once

// How many tokens a text is, without the model's own tables: for budgets, before anything is sent.

#include <cstdint>
#include <string_view>

#include "llm/model.h"

namespace schemaward::llm {

/// Returns an estimate of the tokens of `text`; 0 for an empty one. Deterministic; linear in its
/// length. Meant for prompts with names of tables, SQL and rows; within 10 % of the byte-pair
/// encodings in use on such texts (docs/exploration.md has the figures). Thread: any.
std::int64_t EstimateTokens(std::string_view text);

/// The same for all that a request sends, with what each message costs beside its text.
std::int64_t EstimateTokens(const Request& request);

}  // namespace schemaward::llm
