#pragma once

// Live values of one column with how often each occurs, through the guard; nothing is kept.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "json/fields.h"
#include "privacy/policy.h"
#include "tools/names.h"
#include "tools/services.h"

namespace schemaward::tools {

constexpr std::size_t kValuesShownMax = 20;
constexpr std::int64_t kLowCardinality = 200;  ///< different values; a column with more has no list

/// One value and how many rows hold it.
struct ValueOut {
  json::Raw value;
  std::int64_t rows = 0;
  bool is_altered = false;  ///< the text is shortened or cleaned: it is not what a condition takes
  void Bind(json::Fields& f);
};

/// What was found. Where `withheld` has a word there are no values.
struct ColumnValues {
  std::vector<ValueOut> values;         ///< most rows first, then by value; at most kValuesShownMax
  std::int64_t different = 0;           ///< values there are, null counted as one
  std::optional<std::string> withheld;  ///< high_cardinality | personal | not_comparable
  std::vector<std::vector<std::string>> flagged;  ///< SignsOf those values that have any
  std::vector<std::string> exemptions;            ///< for the audit record
  std::string statement;  ///< what the engine was given; empty where nothing was asked
};

/// Reads the values of a column, its rows filtered as the policy says for the caller. Withheld: a
/// column that is tagged as personal though its category is allowed; one of a type that cannot be
/// grouped by; one with more than kLowCardinality values. Errors: PiiBlocked for a blocked column,
/// and for a view's column that is made of one; AllowlistViolation, PolicyBlocked, PlanCostCap; as
/// SourceAccess::Query. An error has no next call.
Result<ColumnValues> ReadColumnValues(const Services& services, const FoundColumn& found,
                                      CallContext& ctx);

}  // namespace schemaward::tools
