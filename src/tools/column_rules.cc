#include "tools/column_rules.h"

#include <algorithm>

#include "guard/analyze.h"
#include "tools/sql_text.h"

namespace schemaward::tools {
namespace {

bool IsView(const catalog::Table& table) {
  return table.kind == catalog::TableKind::View ||
         table.kind == catalog::TableKind::MaterializedView;
}

void AddOrigins(const Services& services, const FoundTable& found, const privacy::Policy& policy,
                std::vector<privacy::ColumnRule>& rules) {
  IndexLookup lookup(services, found.source.id);
  const auto tables = lookup.Find(found.entry.schema, found.entry.name);
  if (!tables) return;
  const auto view = std::find_if(tables->begin(), tables->end(), [&](const catalog::Table* one) {
    return one->schema == found.entry.schema && one->name == found.entry.name;
  });
  if (view == tables->end()) return;
  const auto origins = guard::OriginsOf(**view, DialectOf(found.source), lookup);
  for (std::size_t i = 0; i < std::min(origins.size(), rules.size()); ++i)
    for (const guard::Taint& origin : origins[i])
      if (origin.table != *view) rules[i].Add(policy.RuleOf(*origin.table, *origin.column));
}

}  // namespace

std::vector<privacy::ColumnRule> RulesOf(const Services& services, const FoundTable& found,
                                         const catalog::Table& described) {
  const privacy::Policy policy = services.PolicyFor(found.source);
  std::vector<privacy::ColumnRule> rules;
  for (const catalog::Column& column : described.columns)
    rules.push_back(policy.RuleOf(described, column));
  if (IsView(described)) AddOrigins(services, found, policy, rules);
  return rules;
}

}  // namespace schemaward::tools
