#include "tools/trust.h"

#include <algorithm>

namespace schemaward::tools {
namespace {

using semantic::Method;
using semantic::State;

bool IsDeclared(Method method) {
  return method == Method::ManuallyAuthored || method == Method::FkConstraint ||
         method == Method::DbtImport;
}

}  // namespace

tool::Confidence ConfidenceOf(const semantic::Trust& trust) {
  if (trust.state == State::Confirmed) return tool::Confidence::High;
  if (trust.method == Method::ObservedInQueryLog && trust.observations <= 1)
    return tool::Confidence::Low;
  if (trust.state == State::Applied)
    return IsDeclared(trust.method) ? tool::Confidence::High : tool::Confidence::Medium;
  return IsDeclared(trust.method) ? tool::Confidence::Medium : tool::Confidence::Low;
}

tool::Provenance ProvenanceOf(const semantic::Trust& trust) {
  tool::Provenance provenance;
  provenance.source = trust.method == Method::LlmSuggested ? "llm"
                      : IsDeclared(trust.method)           ? "schema"
                                                           : "inferred";
  if (trust.method == Method::ObservedInQueryLog) provenance.observed_in = "query_log";
  // Inferred from names, types or values has no word in the charter's list.
  if (trust.method != Method::Inferred)
    provenance.inference_method =
        std::string(json::EnumNames<Method>::kNames[static_cast<std::size_t>(trust.method)]);
  provenance.validation_state =
      std::string(json::EnumNames<State>::kNames[static_cast<std::size_t>(trust.state)]);
  return provenance;
}

const semantic::Trust& Weakest(const std::vector<const semantic::Trust*>& trusts) {
  return **std::max_element(trusts.begin(), trusts.end(), [](const auto* a, const auto* b) {
    return ConfidenceOf(*a) < ConfidenceOf(*b);
  });
}

tool::Confidence Least(tool::Confidence a, tool::Confidence b) { return std::max(a, b); }

}  // namespace schemaward::tools
