#pragma once

// What a model is sent: the system prompt with the catalog, and as much of the run as fits.

#include <cstdint>
#include <string>
#include <vector>

#include "base/template_text.h"
#include "explore/state.h"
#include "explore/warehouse.h"
#include "llm/model.h"

namespace schemaward::explore {

/// A catalog as text.
struct CatalogText {
  std::string text;
  std::int64_t tokens = 0;  ///< estimated
  std::int64_t tables_listed = 0;
  std::int64_t tables_left_out = 0;
};

/// Returns a line for each table where they fit `tokens_max`, else a line for each schema with its
/// number of tables, as many as fit, with what was left out said, and search named where `limits`
/// let it be used. Sorted by name. Thread: any; pure.
CatalogText RenderCatalog(const std::vector<CatalogEntry>& catalog, std::int64_t tokens_max,
                          const Limits& limits = {});

/// What does not change between the turns of a run.
struct PromptBase {
  std::string system;  ///< rules, actions with their budgets, the catalog
  std::string start;   ///< the first message: the question and the steps allowed
  CatalogText catalog;
  std::int64_t tokens = 0;  ///< of system and start, estimated
};

/// Words that a domain pack puts around a run.
struct PromptFrame {
  /// The system prompt, with the holes ACTIONS, SCHEMA_INFO, QUESTION and DIALECT, which are filled
  /// here; empty: our own words.
  TemplateText text;
  HoleTexts texts{};         ///< for its other holes
  std::string background{};  ///< stands before it
};

/// Returns the base of a run. `dialect`: the engine's name as models know it. The catalog takes at
/// most kCatalogWindowPercent of the window. Errors: ByteCap when the rules and the question alone
/// do not leave room for a run in the window; InvalidArgument for a question that is empty or
/// longer than kQuestionBytesMax. Thread: any; pure.
Result<PromptBase> MakePromptBase(const std::string& question, const std::string& dialect,
                                  const std::vector<CatalogEntry>& catalog, const Limits& limits,
                                  const llm::ModelInfo& model, const PromptFrame& frame = {});

/// An unparsable reply to the present prompt and what the model was told.
struct FailedReply {
  std::string text;
  std::string nudge;
};

/// Returns the next request: the latest steps in full, older ones in one line each, the oldest left
/// out with their number said, so that prompt and reply fit the window. What is shortened grows in
/// strides, so that most requests begin with the bytes of the one before. Deterministic. Errors:
/// ByteCap when not even the last step fits. Thread: any; pure.
Result<llm::Request> MakeRequest(const PromptBase& base, const State& state,
                                 const std::vector<FailedReply>& failed,
                                 const llm::ModelInfo& model);

/// Sets what the step costs in a prompt, so that it is not counted anew for each.
void Measure(Step& step);

/// The most tokens a prompt may have beside a reply: the window less a tenth, since tokens are
/// estimated. Negative where the reply alone does not fit.
std::int64_t PromptTokensMax(const llm::ModelInfo& model, const Limits& limits);

}  // namespace schemaward::explore
