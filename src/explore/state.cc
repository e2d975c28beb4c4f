#include "explore/state.h"

#include <fmt/format.h>

namespace schemaward::explore {

std::vector<ActionKind> AllowedActions(const Limits& limits) {
  std::vector<ActionKind> allowed = {ActionKind::QueryData};
  if (limits.lookups.is_on) allowed.push_back(ActionKind::LookupSchema);
  if (limits.searches.is_on) allowed.push_back(ActionKind::SearchTables);
  allowed.push_back(ActionKind::Complete);
  return allowed;
}

Status CheckLimits(const Limits& limits) {
  const auto wrong = [](const std::string& what) {
    return Error(ErrorKind::InvalidArgument, what);
  };
  if (limits.steps_max < 1 || limits.steps_max > kStepsMax)
    return wrong(fmt::format("the steps of an exploration must be between 1 and {}", kStepsMax));
  if (limits.steps_min < 0 || limits.steps_min > limits.steps_max)
    return wrong("the least steps of an exploration must be between 0 and its most");
  if (limits.lookups.calls_max < 0 || limits.searches.calls_max < 0)
    return wrong("a budget of an exploration must be at least 0; it is switched off, not negative");
  if (limits.output_tokens_max < 1)
    return wrong("an exploration must allow its model at least one token of output");
  return Ok();
}

}  // namespace schemaward::explore
