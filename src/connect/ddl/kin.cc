#include "connect/ddl/kin.h"

#include <algorithm>
#include <set>

#include "base/ascii.h"

namespace schemaward::connect::ddl {
namespace {

/// False for what no tag can stand in.
bool MayHoldTag(std::string_view comment) {
  return LowerAscii(comment).find("pii") != std::string::npos;
}

/// Gives tagged comments of `from` to the columns of `to` that have the same names. False where one
/// has too many.
bool GiveComments(const Relation& from, Relation& to) {
  bool all_kept = true;
  for (const ColumnState& column : from.columns) {
    if (column.dropped || !MayHoldTag(column.column.comment)) continue;
    const std::size_t at = to.Find(column.column.name);
    if (at == kNoColumn) continue;
    if (!catalog::AddKinComment(to.columns[at].column, column.column.comment)) all_kept = false;
  }
  return all_kept;
}

}  // namespace

std::vector<Relation*> WithAncestors(Relation& relation) {
  std::vector<Relation*> all = {&relation};
  std::set<const Relation*> seen = {&relation};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<Relation*> above = all[i]->inherits;
    if (all[i]->partition_of != nullptr) above.push_back(all[i]->partition_of);
    for (Relation* parent : above)
      if (seen.insert(parent).second) all.push_back(parent);
  }
  return all;
}

void AddKin(SchemaState& state, std::vector<catalog::Missing>& missing) {
  std::set<const Relation*> cut;
  const auto give = [&](const Relation& from, Relation& to) {
    if (!GiveComments(from, to) && cut.insert(&to).second)
      missing.push_back(catalog::KinCommentsCut(to.schema, to.name));
  };
  for (const auto& relation : state.relations()) {
    if (relation->IsGone() || relation->temporary) continue;
    for (Relation* above : WithAncestors(*relation)) {
      if (above == relation.get()) continue;
      give(*relation, *above);
      if (relation->partition_of != nullptr) continue;
      give(*above, *relation);
      relation->parents.push_back(catalog::QualifiedName(above->schema, above->name));
      above->children.push_back(catalog::QualifiedName(relation->schema, relation->name));
    }
  }
  for (const auto& relation : state.relations())
    for (auto* names : {&relation->parents, &relation->children})
      std::sort(names->begin(), names->end());
}

}  // namespace schemaward::connect::ddl
