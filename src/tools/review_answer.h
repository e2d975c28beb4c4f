#pragma once

// What the tools that review SQL text share: the script read by the rules, and how findings are
// said.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "json/fields.h"
#include "review/review.h"
#include "tools/services.h"

namespace schemaward::tools {

/// A dialect as an argument.
enum class ReviewDialect : std::uint8_t { Postgres, MySql, Sqlite, DuckDb };

/// Which rules are asked.
enum class AnalysisType : std::uint8_t { Validation, Patterns, Errors, All };

struct ReviewRequest {
  std::string_view text;
  std::string_view argument;  ///< that holds the text, for errors
  std::size_t bytes_max = 0;
  std::optional<ReviewDialect> dialect;
  AnalysisType type = AnalysisType::All;
  std::optional<std::string>
      against;  ///< a source; empty text: none; absent: the only one there is
};

/// A reviewed text. Findings point into `rules`: it may be moved, not copied.
struct Reviewed {
  std::vector<review::Rule> rules;
  review::Review review;
  const sql::Dialect* dialect = nullptr;
  std::string against;  ///< the source whose schema was asked; empty: none

  Reviewed() = default;
  Reviewed(Reviewed&&) = default;
  Reviewed& operator=(Reviewed&&) = default;
  Reviewed(const Reviewed&) = delete;
  Reviewed& operator=(const Reviewed&) = delete;
  ~Reviewed() = default;
};

/// Reviews the text, against the index of a source where there is one; findings come worst first,
/// then by place. Nothing is executed, and of tables that the caller may not know of nothing is
/// said. Errors: InvalidArgument for an empty text, ByteCap for one that is too long; those of a
/// source that was named; the store's.
Result<Reviewed> ReviewText(const Services& services, const ReviewRequest& request);

/// True where the rule is one of `type`. Every category belongs to one type; what the indexed
/// schema says to be incorrect is validation too.
bool IsOfType(const review::Rule& rule, AnalysisType type);

/// The meaning of the argument `against`, for the tools that have it.
inline constexpr std::string_view kAgainstDoc =
    "indexed source whose tables the text names; the only one where absent, none where empty";

/// Text for a cell of a Markdown table: one line, bars escaped.
std::string Cell(std::string_view text);

/// "3 findings (2 high, 1 low) in 4 statements of postgres".
std::string CountsMarkdown(const Reviewed& reviewed);

/// Findings of each severity, in the order high, medium, low.
std::array<std::int64_t, 3> CountBySeverity(const review::Review& review);

}  // namespace schemaward::tools

template <>
struct schemaward::json::EnumNames<schemaward::tools::ReviewDialect> {
  static constexpr std::array<std::string_view, 4> kNames = {"postgres", "mysql", "sqlite",
                                                             "duckdb"};
};
template <>
struct schemaward::json::EnumNames<schemaward::tools::AnalysisType> {
  static constexpr std::array<std::string_view, 4> kNames = {"validation", "patterns", "errors",
                                                             "all"};
};
