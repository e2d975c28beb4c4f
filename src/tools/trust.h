#pragma once

// How far a definition is trusted, as answers say it. [R-CONF-1] [R-CONF-2]

#include <vector>

#include "semantic/definitions.h"
#include "tool/tool.h"

namespace schemaward::tools {

/// confirmed: HIGH. applied: HIGH where a person, a declared key or dbt says so, else MEDIUM.
/// draft: one less. Observed once: LOW until it is confirmed.
tool::Confidence ConfidenceOf(const semantic::Trust& trust);

tool::Provenance ProvenanceOf(const semantic::Trust& trust);

/// The trust with the least confidence; of equals the first. Requires: at least one.
const semantic::Trust& Weakest(const std::vector<const semantic::Trust*>& trusts);

/// The lesser of two.
tool::Confidence Least(tool::Confidence a, tool::Confidence b);

}  // namespace schemaward::tools
