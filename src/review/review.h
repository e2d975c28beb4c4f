#pragma once

// Reads a script, walks each statement once with every rule, and says what was found and where.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "guard/table_lookup.h"
#include "review/rule.h"

namespace schemaward::review {

inline constexpr std::size_t kFindingsMax = 5'000;  ///< of one script

/// Lines and columns from 1; columns count characters, and the end is behind the last one.
struct Range {
  std::size_t start_line = 1, start_column = 1, end_line = 1, end_column = 1;
  bool operator==(const Range&) const = default;
};

struct Finding {
  const Rule* rule = nullptr;
  std::string message;
  std::size_t statement = 0;  ///< from 1; 0: of the script as a whole
  std::size_t begin = 0, end = 0;
  Range range;
};

struct Review {
  std::vector<Finding> findings;  ///< by where they begin, then the rule's id
  std::size_t statements = 0;
  std::size_t left_out = 0;             ///< findings beyond kFindingsMax and statements not read
  std::optional<Error> lookup_failure;  ///< of the schema: its rules have said nothing since
};

/// Reviews `text`. A syntax error is a finding. `rules`: those that are not Off are run; it must
/// hold "syntax-error" and "not-read". `schema`: where the tables are found that the text may name;
/// null: the rules that need one are not asked. A table without columns is one of which nothing is
/// said. Thread: any. Lifetime: findings point into `rules`.
Review ReviewScript(std::string_view text, const sql::Dialect& dialect,
                    const std::vector<Rule>& rules, guard::TableLookup* schema = nullptr);

}  // namespace schemaward::review
