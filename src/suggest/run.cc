#include "suggest/run.h"

#include <array>
#include <optional>
#include <utility>

#include "store/index_writer.h"
#include "store/record.h"
#include "suggest/changed.h"
#include "suggest/made_before.h"
#include "suggest/queries.h"

namespace schemaward::suggest {
namespace {

std::int64_t BaseDigest(const store::Source& source, const SuggestOptions& options) {
  return Digest()
      .Add(kRulesVersion)
      .Add(options.policy.hash())
      .Add(InferOptionsOf(source).types_are_loose ? 1 : 0)
      .Add(options.check_values_with != nullptr ? 1 : 0)
      .value();
}

std::vector<std::int64_t> DigestsOf(const std::vector<catalog::Table>& tables,
                                    const std::vector<std::int64_t>& shapes) {
  std::vector<std::int64_t> digests;
  digests.reserve(tables.size());
  for (std::size_t t = 0; t < tables.size(); ++t)
    digests.push_back(
        TableDigest(tables[t], t < shapes.size() ? shapes[t] : store::HashOf(tables[t]).shape));
  return digests;
}

/// What was made before, where it still says what the store has.
struct Before {
  std::int64_t generation = 0;  // of definitions, now
  std::optional<MadeStamp> stamp;
};

Result<Before> ReadBefore(store::Store& store, std::int64_t source_id) {
  Before before;
  WARD_TRY(before.generation, store::DefinitionGeneration(store, source_id));
  WARD_TRY(const auto state, store::GetDraftState(store, source_id, false));
  if (!state || state->generation != before.generation) return before;
  WARD_TRY(before.stamp, store::Decode<MadeStamp>(state->stamp));
  return before;
}

Suggestion Unchanged(const MadeStamp& stamp) {
  Suggestion made;
  made.extent = Extent::Nothing;
  made.summary = {.entities = stamp.entities,
                  .joins = stamp.joins,
                  .metrics = stamp.metrics,
                  .unchanged = stamp.entities + stamp.joins + stamp.metrics,
                  .tables_left_out = stamp.tables_left_out};
  return made;
}

store::DraftState StateOf(const Before& before, MadeStamp stamp, const MadeBody& body,
                          std::int64_t tables_left_out) {
  stamp.tables_left_out = tables_left_out;
  stamp.entities = stamp.joins = stamp.metrics = 0;
  for (const TableDrafts& table : body.tables)
    for (const NameClaim& claim : table.claims) {
      if (!claim.is_draft) continue;
      if (claim.Kind() == store::DefinitionKind::Entity) ++stamp.entities;
      if (claim.Kind() == store::DefinitionKind::Join) ++stamp.joins;
      if (claim.Kind() == store::DefinitionKind::Metric) ++stamp.metrics;
    }
  return {before.generation, store::Encode(stamp), store::Encode(body)};
}

/// Makes what changed, or nothing where that cannot be told from the rest.
Result<std::optional<ChangedDrafts>> Changed(store::Store& store, std::int64_t source_id,
                                             const std::vector<catalog::Table>& tables,
                                             Drafter& drafter) {
  WARD_TRY(const auto state, store::GetDraftState(store, source_id, true));
  if (!state) return std::optional<ChangedDrafts>();
  WARD_TRY(auto body, store::Decode<MadeBody>(state->body));
  return MakeChanged(drafter, tables, std::move(body));
}

}  // namespace

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
  WARD_TRY(const Before before, ReadBefore(store, source.id));
  WARD_TRY(const auto observed, ObservedJoins(store, source.id));
  const auto digests = DigestsOf(tables, options.shapes);
  MadeStamp stamp;
  stamp.base = BaseDigest(source, options);
  stamp.inputs = InputsDigest(stamp.base, digests, observed);
  const bool is_same_base = before.stamp && before.stamp->base == stamp.base && !options.all_anew;
  if (is_same_base && before.stamp->inputs == stamp.inputs && options.check_values_with == nullptr)
    return Unchanged(*before.stamp);

  semantic::Definitions kept;
  if (!is_same_base || before.stamp->kept > 0) {
    WARD_TRY(kept, KeptDefinitions(store, source.id));
  }
  stamp.kept = CountOf(kept);
  ColumnNames names;
  std::vector<Link> links = FindLinks(tables, InferOptionsOf(source), observed, names);
  WARD_CHECK(ctx.Check());
  Suggestion made;
  if (options.check_values_with != nullptr) {
    WARD_TRY(made.values,
             CheckValues(*options.check_values_with, tables, options.policy, links, ctx));
  }
  if (is_same_base) {
    Drafter drafter(tables, digests, links, kept, options.policy, names);
    WARD_TRY(auto changed, Changed(store, source.id, tables, drafter));
    if (changed) {
      const auto left_out = changed->made.tables_left_out;
      WARD_TRY(made.summary, KeepChanged(store, source.id, *changed,
                                         StateOf(before, stamp, changed->all, left_out)));
      made.extent = Extent::Changed;
      made.drafts = std::move(changed->made);
      return made;
    }
  }
  Drafter drafter(tables, digests, links, kept, options.policy, names);
  made.drafts = drafter.Make(std::vector<bool>(tables.size(), true), {});
  const MadeBody body{std::move(made.drafts.tables)};
  const auto left_out = made.drafts.tables_left_out;
  WARD_TRY(made.summary,
           KeepDrafts(store, source.id, made.drafts, StateOf(before, stamp, body, left_out)));
  return made;
}

}  // namespace schemaward::suggest
