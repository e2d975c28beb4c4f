#pragma once

// What a caller may know of: tables, keys and definitions that a list of the policy keeps from it,
// and names that the policy hides, are neither answered nor named. docs/policy.md.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/model.h"
#include "store/store.h"
#include "tools/services.h"

namespace schemaward::tools {

/// The refusal of an object that is kept back. `access`: not Allowed. `name` as the caller wrote
/// it.
Error Refusal(privacy::Access access, std::string_view kind, std::string_view name);

/// Leaves out the entries of tables that the caller may not know of.
void KeepVisible(const Services& services, std::vector<store::TableEntry>& entries);

/// Leaves out the keys that lead from or to a table that the caller may not know of, and, where the
/// policy hides names, those of blocked columns. Errors: as Store.
Status KeepVisible(const Services& services, const store::Source& source,
                   std::vector<store::KeyEdge>& edges);

/// Returns why a search found a table, without the names of the tables that it joins.
std::string WithoutNeighbours(std::string_view reason);

/// Names of definitions that are kept back, and why.
using KeptBack = std::map<std::string, privacy::Access, std::less<>>;

/// A model without what the caller may not know of.
struct VisibleModel {
  std::shared_ptr<const semantic::Model> model;
  KeptBack entities, joins, metrics;
};

/// Returns the part of `whole` that the caller may know of. An entity is kept back with its table,
/// a join with an entity or its bridge, a metric with an entity or metric that it is made of. Where
/// the policy hides names, blocked columns are no columns of entities, and what needs one is kept
/// back too. `whole` itself where nothing is. Thread: any.
VisibleModel VisibleOf(const Services& services, const store::Source& source,
                       std::shared_ptr<const semantic::Model> whole);

}  // namespace schemaward::tools
