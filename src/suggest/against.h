#pragma once

// Compares joins with a list of the true ones.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"

namespace schemaward::suggest {

/// One column refers to another; tables are qualified names.
struct ColumnLink {
  std::string table, column, target, target_column;
  auto operator<=>(const ColumnLink&) const = default;
};

struct AgainstReport {
  std::int64_t expected = 0;             ///< links of the file
  std::int64_t found = 0;                ///< links that were inferred
  std::int64_t right = 0;                ///< in both
  double precision = 0;                  ///< right / found; 0 where nothing was found
  double recall = 0;                     ///< right / expected
  std::vector<std::string> false_joins;  ///< inferred, not in the file: "a.b(c) -> d.e(f)"; sorted
  std::vector<std::string> missed;       ///< in the file, not inferred; sorted
  void Bind(json::Fields& f);
};

inline constexpr std::size_t kLinksMax = 1'000'000;

/// Reads one JSON object a line: {"from": ["schema.table", "column"], "to": [...]}. Other members
/// are ignored. Errors: InvalidArgument naming the line; ByteCap past kLinksMax.
Result<std::vector<ColumnLink>> ReadLinks(std::string_view text);

/// Compares, but for case; a composite key counts as a link for each of its columns.
AgainstReport Compare(std::vector<ColumnLink> inferred, std::vector<ColumnLink> expected);

/// Returns the report for people, one line a join.
std::string ToText(const AgainstReport& report);

}  // namespace schemaward::suggest
