#pragma once

// Inclusion checks: whether the values of an inferred reference occur in its target, asked of the
// engine over a bounded sample.

#include <cstdint>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/connector.h"
#include "privacy/policy.h"
#include "suggest/links.h"

namespace schemaward::suggest {

inline constexpr std::int64_t kCheckRowsMax = 100'000;   ///< rows read of the referring table
inline constexpr std::int64_t kCheckValuesMax = 10'000;  ///< distinct values of those
inline constexpr std::size_t kCheckedLinksMax = 1'000;   ///< of one run
inline constexpr double kIncludedMin = 0.9;              ///< below it a link is dropped

struct ValueCheck {
  std::int64_t checked = 0;      ///< links whose values were compared
  std::int64_t dropped = 0;      ///< of those: too few values occur in the target
  std::int64_t not_checked = 0;  ///< floor columns, past the bound, or the engine could not say
};

/// Checks every link of method Inferred: adds a line of evidence, or takes the link away where less
/// than kIncludedMin of its sampled values occur in the target. Floor columns are never read.
/// Errors: Cancelled, DeadlineExceeded, SourceUnreachable; one link that cannot be checked is
/// counted and stays.
Result<ValueCheck> CheckValues(connect::Connector& connector,
                               const std::vector<catalog::Table>& tables,
                               const privacy::Policy& policy, std::vector<Link>& links,
                               CallContext& ctx);

}  // namespace schemaward::suggest
