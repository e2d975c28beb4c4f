#pragma once

// A claim held against the results that it cites.

#include <cstdint>
#include <string>
#include <vector>

#include "explore/figure.h"
#include "explore/state.h"

namespace schemaward::explore {

struct Claim {
  std::string text;
  std::vector<Figure> figures;
};

/// A claim and what came of it.
struct VerifiedClaim {
  Claim claim;
  Verdict verdict = Verdict::Error;  ///< the worst of its figures
  std::vector<Checked> checked;      ///< one for each figure, in their order
};

/// Checks each figure against the results of the steps it cites: the SQL that ran is run again,
/// once for a claim, by `warehouse`, so that the guard and the policy of today decide. A step that
/// is not there, failed, or ran no query gives the verdict error. Tells its progress behind each
/// figure; `done_before`: what was told as done before, of the same call. Errors: those that end
/// the call.
Result<VerifiedClaim> Verify(const Claim& claim, const std::vector<Step>& steps,
                             Warehouse& warehouse, CallContext& ctx, std::int64_t done_before = 0);

}  // namespace schemaward::explore
