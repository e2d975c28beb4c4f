#pragma once

// What a verification may rely on: the statements that the cited steps really ran.

#include <cstddef>
#include <string>
#include <vector>

#include "verify/insight.h"

namespace schemaward::verify {

/// Cited statements as text.
struct Evidence {
  std::string text;  ///< empty where no cited step ran
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> left_out;  ///< ran, but did not fit
  std::vector<std::int64_t> without;   ///< cited, but not there or without a statement that ran
};

/// Returns the statements of the cited steps in the order of the citation, each step once: the SQL
/// that ran, of steps that succeeded. Past `bytes_max` the lowest numbers are left out, which is
/// said. Thread: any; pure.
Evidence RenderEvidence(const std::vector<SourceStep>& steps,
                        const std::vector<std::int64_t>& cited, std::size_t bytes_max);

}  // namespace schemaward::verify
