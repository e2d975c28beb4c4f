#pragma once

// What answers say of personal data, and the names that a policy hides.

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "json/fields.h"
#include "privacy/policy.h"
#include "tool/tool.h"

namespace schemaward::tools {

/// What a column holds of a person, as answers show it; never a value.
struct PersonalOut {
  std::vector<std::string> categories;
  bool blocked = false;
  std::string known_by;
  tool::Confidence confidence = tool::Confidence::Medium;
  tool::Provenance provenance;
  void Bind(json::Fields& f);
};

/// Returns what a rule says, or nothing where the column is not personal.
std::optional<PersonalOut> ShowPersonal(const privacy::ColumnRule& rule);

/// Returns the table as a caller may see it: where the policy hides names, each blocked column is
/// called by its position, in keys, indexes and checks too, and says no more than its type and
/// categories. Where it does not, the table as it is.
catalog::Table WithHiddenNames(const privacy::Policy& policy, catalog::Table table);

/// True when `text` names a blocked column of the table. The word is compared, not a part of one.
bool NamesBlockedColumn(const privacy::Policy& policy, const catalog::Table& table,
                        std::string_view text);

/// Returns the index as answers show it: an expression or a predicate that names a blocked column
/// may hold its values beside it, and is not shown.
catalog::Index ShowIndex(const privacy::Policy& policy, const catalog::Table& table,
                         catalog::Index index);

}  // namespace schemaward::tools
