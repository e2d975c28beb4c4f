#include "tools/column_rules.h"

#include <utility>

namespace schemaward::tools {

ColumnRules::ColumnRules(const Services& services, const FoundTable& found,
                         const catalog::Table& described)
    : described_(described),
      policy_(services.PolicyFor(found.source)),
      lookup_(services, found.source.id) {
  if (policy_.KnowsLineage(described)) return;
  auto view = services.store.GetTable(found.entry.id);
  if (!view || !*view) return;
  view_ = **std::move(view);
  origins_ = guard::OriginsOf(*view_, DialectOf(found.source), lookup_);
}

privacy::ColumnRule ColumnRules::Of(std::size_t column) const {
  privacy::ColumnRule rule = policy_.RuleOf(described_, described_.columns[column]);
  if (column < origins_.size())
    for (const guard::Taint& origin : origins_[column])
      if (origin.table != &*view_) rule.Add(policy_.RuleOf(*origin.table, *origin.column));
  return rule;
}

}  // namespace schemaward::tools
