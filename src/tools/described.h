#pragma once

// What a model wrote of a table and its columns, as answers show it.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/fields.h"
#include "tool/tool.h"
#include "tools/names.h"
#include "tools/services.h"
#include "tools/untrusted_text.h"

namespace schemaward::tools {

struct DescribedColumn {
  std::string name, text;
  void Bind(json::Fields& f);
};

/// Descriptions of one table, with the trust that all of them have. [R-CONF-2]
struct DescribedOut {
  std::string text;  ///< of the table; may be empty
  std::vector<DescribedColumn> columns;
  tool::Confidence confidence = tool::Confidence::Low;
  tool::Provenance provenance;
  void Bind(json::Fields& f);
};

/// Returns what is kept of the table and of those of its columns that are named; nothing where that
/// is nothing. A text that names a hidden column is left out. Errors: as store::Store.
Result<std::optional<DescribedOut>> DescriptionsOf(const Services& services,
                                                   const FoundTable& table,
                                                   const std::vector<std::string>& columns);

/// Looks at each text.
void Flag(const std::optional<DescribedOut>& described, TextFlags& flags);

}  // namespace schemaward::tools
