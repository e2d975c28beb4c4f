#include "interchange/keep.h"

#include <algorithm>
#include <map>
#include <utility>

#include "interchange/fit.h"
#include "semantic/files.h"
#include "semantic/lifecycle.h"
#include "semantic/model_cache.h"

namespace schemaward::interchange {
namespace {

using semantic::Definitions;
using store::DefinitionRow;

using Trusts = std::map<std::string, semantic::Trust, std::less<>>;

std::string KeyOf(const DefinitionRow& row) {
  return std::string(semantic::WordOf(row.kind)) + " " + row.name;
}

template <class Visit>
void EachList(Definitions& definitions, const Visit& visit) {
  visit("entity ", definitions.entities);
  visit("join ", definitions.joins);
  visit("metric ", definitions.metrics);
}

Trusts TrustsOf(Definitions definitions) {
  Trusts trusts;
  EachList(definitions, [&](const std::string& kind, auto& list) {
    for (const auto& one : list) trusts[kind + one.name] = one.trust;
  });
  return trusts;
}

/// Adds those of `more` whose names are free.
void Merge(Definitions& definitions, Definitions more) {
  const Trusts taken = TrustsOf(definitions);
  const auto add = [&](std::string_view kind, auto& into, auto& list) {
    for (auto& one : list)
      if (!taken.contains(std::string(kind) + one.name)) into.push_back(std::move(one));
  };
  add("entity ", definitions.entities, more.entities);
  add("join ", definitions.joins, more.joins);
  add("metric ", definitions.metrics, more.metrics);
}

/// Leaves out what the model finds fault with, until nothing is left to find.
Status DropWhatDoesNotFit(store::Store& store, std::int64_t source_id, const Definitions& others,
                          Definitions& definitions, Losses& losses) {
  constexpr int kRoundsMax = 50;  // a metric over a metric over ... one round each
  for (int round = 0; round < kRoundsMax; ++round) {
    Definitions all = definitions;
    Merge(all, others);
    Sort(all);
    WARD_TRY(const auto model, semantic::BuildModel(store, source_id, std::move(all)));
    std::map<std::string, std::string, std::less<>> faults;
    for (const auto& finding : model->Findings())
      faults.try_emplace(finding.definition, finding.problem.message);
    bool dropped = false;
    EachList(definitions, [&](std::string kind, auto& list) {
      std::erase_if(list, [&](const auto& one) {
        const auto fault = faults.find(kind + one.name);
        if (fault == faults.end()) return false;
        losses.Drop(kind + one.name, {}, "it does not fit the index: " + fault->second);
        return dropped = true;
      });
    });
    if (!dropped) return Ok();
  }
  return Ok();
}

/// True where what is kept may be replaced.
bool GivesWay(const DefinitionRow& row, const semantic::Trust& old, const semantic::Trust& trust) {
  if (old.state == semantic::State::Draft) return true;
  return !row.from_files && old.method == trust.method;
}

/// What people confirmed stays confirmed while it says the same.
void CarryConfirmation(const Definitions& old, Definitions& definitions) {
  const auto carry = [](const auto& before, auto& list) {
    for (auto& one : list)
      for (auto other : before) {
        if (other.name != one.name || other.trust.state != semantic::State::Confirmed) continue;
        other.trust = one.trust;
        if (other == one) one.trust.state = semantic::State::Confirmed;
      }
  };
  carry(old.entities, definitions.entities);
  carry(old.joins, definitions.joins);
  carry(old.metrics, definitions.metrics);
}

}  // namespace

Result<Kept> Keep(store::Store& store, const store::Source& source, Imported imported,
                  const KeepOptions& options) {
  Kept kept;
  Losses losses;
  for (const Loss& loss : imported.losses)
    loss.dropped ? losses.Drop(loss.object, loss.member, loss.reason)
                 : losses.Add(loss.object, loss.member, loss.reason);
  WARD_TRY(const auto old_rows, store::ListDefinitions(store, source.id));
  WARD_TRY(const Definitions old, semantic::LoadDefinitions(store, source.id));
  const Trusts old_trusts = TrustsOf(old);
  Definitions definitions = std::move(imported.definitions);
  std::map<std::string, const DefinitionRow*, std::less<>> before;
  for (const DefinitionRow& row : old_rows) before[KeyOf(row)] = &row;

  EachList(definitions, [&](std::string kind, auto& list) {
    std::erase_if(list, [&](const auto& one) {
      const auto row = before.find(kind + one.name);
      if (options.force || row == before.end() ||
          GivesWay(*row->second, old_trusts.at(row->first), one.trust))
        return false;
      losses.Drop(row->first, {}, "another definition of this name is kept; --force replaces it");
      return true;
    });
  });
  {
    WARD_TRY(const auto model, semantic::BuildModel(store, source.id, definitions));
    definitions = WithColumnsAsIndexed(std::move(definitions), *model);
  }
  WARD_CHECK(DropWhatDoesNotFit(store, source.id, old, definitions, losses));
  CarryConfirmation(old, definitions);

  store::DefinitionChanges changes;
  for (DefinitionRow& row : semantic::RowsOf(source.id, definitions, false)) {
    const auto found = before.find(KeyOf(row));
    if (found != before.end() && found->second->body_json == row.body_json) {
      kept.unchanged.push_back(found->first);
      continue;
    }
    (found == before.end() ? kept.added : kept.changed).push_back(KeyOf(row));
    changes.put.push_back(std::move(row));
  }
  const Trusts now = TrustsOf(definitions);
  for (const auto& [key, row] : before) {
    const semantic::Trust& trust = old_trusts.at(key);
    if (!options.prune || row->from_files || trust.method != semantic::Method::DbtImport ||
        now.contains(key))
      continue;
    kept.removed.push_back(key);
    changes.remove.push_back(*row);
  }
  if (!options.dry_run) WARD_CHECK(store::ChangeDefinitions(store, source.id, changes));
  for (auto* list : {&kept.added, &kept.changed, &kept.removed, &kept.unchanged})
    std::sort(list->begin(), list->end());
  kept.losses = losses.Take();
  return kept;
}

}  // namespace schemaward::interchange
