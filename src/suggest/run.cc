#include "suggest/run.h"

#include <array>
#include <utility>

#include "suggest/queries.h"

namespace schemaward::suggest {

InferOptions InferOptionsOf(const store::Source& source) {
  return {.types_are_loose = source.engine == "sqlite"};
}

Result<std::vector<catalog::Table>> LoadTables(store::Store& store, std::int64_t source_id,
                                               CallContext& ctx) {
  const std::array<std::int64_t, 1> sources = {source_id};
  std::vector<std::int64_t> ids;
  WARD_CHECK(store.VisitTables(sources, [&](const store::TableEntry& entry) {
    ids.push_back(entry.id);
    return true;
  }));
  std::vector<catalog::Table> tables;
  tables.reserve(ids.size());
  for (const std::int64_t id : ids) {
    WARD_CHECK(ctx.Check());
    WARD_TRY(auto table, store.GetTable(id));
    if (table) tables.push_back(*std::move(table));
  }
  return tables;
}

Result<Suggestion> Suggest(store::Store& store, const store::Source& source,
                           const std::vector<catalog::Table>& tables, const SuggestOptions& options,
                           CallContext& ctx) {
  WARD_TRY(const semantic::Definitions kept, KeptDefinitions(store, source.id));
  WARD_TRY(const auto observed, ObservedJoins(store, source.id));
  ColumnNames names;
  std::vector<Link> links = FindLinks(tables, InferOptionsOf(source), observed, names);
  WARD_CHECK(ctx.Check());
  Suggestion made;
  if (options.check_values_with != nullptr) {
    WARD_TRY(made.values,
             CheckValues(*options.check_values_with, tables, options.policy, links, ctx));
  }
  made.drafts = MakeDrafts(tables, links, kept, options.policy, names);
  WARD_TRY(made.summary, KeepDrafts(store, source.id, made.drafts));
  return made;
}

}  // namespace schemaward::suggest
