#include "verify/validation.h"

#include <nlohmann/json.hpp>

#include "json/value.h"

namespace schemaward::verify {

std::string_view NameOf(ValidationStatus status) {
  switch (status) {
    case ValidationStatus::Confirmed:
      return "confirmed";
    case ValidationStatus::Adjusted:
      return "adjusted";
    case ValidationStatus::Rejected:
      return "rejected";
    case ValidationStatus::Unverifiable:
      return "unverifiable";
    case ValidationStatus::Error:
      return "error";
  }
  return {};
}

void Counters::Count(const Validation& validation) {
  if (validation.budget_exhausted) ++verification_budget_exhausted;
  switch (validation.status) {
    case ValidationStatus::Confirmed:
      ++confirmed;
      return;
    case ValidationStatus::Adjusted:
      ++adjusted;
      return;
    case ValidationStatus::Rejected:
      ++rejected;
      return;
    case ValidationStatus::Unverifiable:
      ++unverifiable;
      return;
    case ValidationStatus::Error:
      ++error;
      return;
  }
}

std::string ToJson(const Insight& insight, const Validation& validation) {
  const auto or_null = [](const std::optional<std::string>& text) {
    return text ? json::Value(*text) : json::Value();
  };
  const json::Value verdict = {{"status", NameOf(validation.status)},
                               {"reasons", validation.reasons},
                               {"claimed", or_null(validation.claimed)},
                               {"verified", or_null(validation.verified)},
                               {"query", validation.query},
                               {"statement", validation.statement},
                               {"rounds", validation.rounds},
                               {"forced", validation.was_forced},
                               {"schema_lookup_calls", validation.lookups},
                               {"repairs", validation.repairs},
                               {"input_tokens", validation.usage.input_tokens},
                               {"output_tokens", validation.usage.output_tokens}};
  return json::Canonical({{"insight_id", insight.id},
                          {"analysis_area", insight.area},
                          {"name", insight.name},
                          {"validation", verdict}});
}

std::string ToJson(const Counters& counters) {
  return json::Canonical(
      {{"confirmed", counters.confirmed},
       {"adjusted", counters.adjusted},
       {"rejected", counters.rejected},
       {"unverifiable", counters.unverifiable},
       {"error", counters.error},
       {"verification_budget_exhausted", counters.verification_budget_exhausted}});
}

}  // namespace schemaward::verify
