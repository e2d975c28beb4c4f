#pragma once

// What a verifier is asked.

#include <string>
#include <vector>

#include "llm/model.h"
#include "verify/insight.h"

namespace schemaward::verify {

/// What is known when a round begins.
struct RoundPrompt {
  std::string grounding;  ///< cited statements and looked-up columns
  std::string tables;     ///< nearest tables, or the catalog; may be empty
  std::string notice;     ///< what came of the round before; may be empty
  int rounds_left = 0;    ///< this one included; 0: the forced one
  bool may_look_up = true;
};

/// Returns one prompt; the system part is the same in all rounds of a file. Thread: any; pure.
llm::Request MakeRoundRequest(const Insight& insight, const std::string& dialect,
                              const RoundPrompt& round, const llm::ModelInfo& model);

}  // namespace schemaward::verify
