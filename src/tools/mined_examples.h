#pragma once

// Example queries, and those of them that a query log showed.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "tool/tool.h"
#include "tools/shapes.h"

namespace schemaward::tools {

struct ExampleQuery {
  std::string sql_text, purpose, source = "generated", sensitivity = "public";
  std::int64_t observation_count = 0;
  std::vector<std::string> tables, pii_categories;
  tool::Confidence confidence = tool::Confidence::Low;
  tool::Provenance provenance{.source = "inferred",
                              .model = {},
                              .observed_in = {},
                              .inference_method = {},
                              .validation_state = {}};
  bool is_blocked = false;  ///< the policy lets no caller read a column of it plainly; not written
  void Bind(json::Fields& f);
};

/// Mined queries looked at for one table.
inline constexpr std::size_t kMinedLookedAtMax = 200;

/// Returns the queries that the logs of the source showed to read the table that was found, and
/// `column` of it where that is not null, most calls first. A query is left out that reads a
/// blocked column, a table that the caller may not know of, or a column that is no longer there.
/// Their constants are placeholders. Errors: as Store.
Result<std::vector<ExampleQuery>> MinedExamples(const Services& s, const FoundTable& found,
                                                const catalog::Column* column);

}  // namespace schemaward::tools
