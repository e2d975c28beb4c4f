#include "tools/visible.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tools/models.h"
#include "tools/personal.h"

namespace schemaward::tools {
namespace {

using privacy::Access;
using semantic::Model;
using semantic::ModelEntity;

constexpr int kRounds = 8;  // definitions of definitions of...

// Builds the model again and again without what the caller may not know of, until nothing that is
// left has a problem that the whole had not.
class Sieve {
 public:
  Sieve(const Services& s, const privacy::Policy& policy, const Model& whole)
      : s_(s), policy_(policy), whole_(whole), hides_(policy.hide_names()) {}

  VisibleModel Run() {
    for (const ModelEntity& entity : whole_.entities()) JudgeEntity(entity);
    for (const semantic::ModelJoin& join : whole_.joins()) JudgeJoin(join);
    for (const semantic::ModelMetric& metric : whole_.metrics()) JudgeMetric(metric);
    for (int round = 0; round < kRounds; ++round) {
      out_.model = Build();
      if (!DropBroken(*out_.model)) return std::move(out_);
    }
    out_.model = Model::Build({}, {});  // cannot be told apart: nothing is known
    return std::move(out_);
  }

 private:
  void JudgeEntity(const ModelEntity& entity) {
    Access access = s_.caller.OfEntity(entity.definition.name);
    if (access == Access::Allowed && !entity.source_table.empty())
      access = s_.caller.OfTable(entity.table.schema, entity.table.name);
    if (access != Access::Allowed) out_.entities.emplace(entity.definition.name, access);
  }

  void JudgeJoin(const semantic::ModelJoin& join) {
    for (const std::string* end : {&join.definition.from, &join.definition.to})
      if (const auto kept = out_.entities.find(*end); kept != out_.entities.end())
        out_.joins.emplace(join.definition.name, kept->second);
    if (join.definition.through) JudgeBridge(join.definition);
    const bool is_hidden =
        std::any_of(join.definition.on.begin(), join.definition.on.end(), [&](const auto& pair) {
          return IsHidden(join.definition.from, pair.from) || IsHidden(join.definition.to, pair.to);
        });
    if (is_hidden) out_.joins.emplace(join.definition.name, Access::Denied);
  }

  void JudgeBridge(const semantic::Join& join) {
    const auto parts = catalog::SplitName(join.through->table);
    for (const catalog::Table& table : whole_.tables()) {
      if (parts.empty() || table.name != parts.back()) continue;
      if (const Access access = s_.caller.OfTable(table.schema, table.name);
          access != Access::Allowed)
        out_.joins.emplace(join.name, access);
    }
  }

  void JudgeMetric(const semantic::ModelMetric& metric) {
    const semantic::Metric& one = metric.definition;
    Access access = s_.caller.OfMetric(one.name);
    for (const std::string& fact : FactsOf(whole_, one))
      if (const auto kept = out_.entities.find(fact);
          kept != out_.entities.end() && access == Access::Allowed)
        access = kept->second;
    if (access == Access::Allowed && NamesHidden(one)) access = Access::Denied;
    if (access != Access::Allowed) out_.metrics.emplace(one.name, access);
  }

  bool NamesHidden(const semantic::Metric& metric) const {
    const ModelEntity* entity = hides_ ? whole_.FindEntity(metric.entity) : nullptr;
    if (entity == nullptr) return false;
    std::vector<std::string> texts = metric.filters;
    texts.insert(texts.end(), {metric.column, metric.expression, metric.time_dimension});
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return NamesBlockedColumn(policy_, entity->table, text);
    });
  }

  bool IsHidden(const std::string& entity_name, const std::string& column) const {
    const ModelEntity* entity = hides_ ? whole_.FindEntity(entity_name) : nullptr;
    if (entity == nullptr) return false;
    const std::size_t at = catalog::FindColumn(entity->table, column);
    return at != std::string_view::npos &&
           policy_.RuleOf(entity->table, entity->table.columns[at]).IsBlocked();
  }

  // Without the names of blocked columns, where they are hidden.
  semantic::Entity Shown(const ModelEntity& entity) const {
    semantic::Entity shown = entity.definition;
    if (!hides_ || entity.source_table.empty()) return shown;
    if (shown.columns.empty())
      for (const catalog::Column& column : entity.table.columns)
        shown.columns.push_back(column.name);
    const auto blocked = [&](const std::string& name) {
      return NamesBlockedColumn(policy_, entity.table, name);
    };
    std::erase_if(shown.columns, blocked);
    std::erase_if(shown.identity, blocked);
    std::erase_if(shown.dimensions,
                  [&](const semantic::Dimension& one) { return blocked(one.expression); });
    if (blocked(shown.default_time_dimension)) shown.default_time_dimension.clear();
    return shown;
  }

  std::shared_ptr<const Model> Build() const {
    semantic::Definitions definitions;
    std::vector<catalog::Table> tables;
    std::set<std::pair<std::string, std::string>> seen;
    const auto add = [&](const catalog::Table& table) {
      const bool is_new = seen.insert({table.schema, table.name}).second;
      if (is_new && s_.MaySee(table.schema, table.name)) tables.push_back(table);
    };
    for (const ModelEntity& entity : whole_.entities()) {
      if (out_.entities.contains(entity.definition.name)) continue;
      definitions.entities.push_back(Shown(entity));
      if (!entity.source_table.empty()) add(entity.table);
    }
    for (const catalog::Table& table : whole_.tables()) add(table);
    for (const semantic::ModelJoin& join : whole_.joins())
      if (!out_.joins.contains(join.definition.name)) definitions.joins.push_back(join.definition);
    for (const semantic::ModelMetric& metric : whole_.metrics())
      if (!out_.metrics.contains(metric.definition.name))
        definitions.metrics.push_back(metric.definition);
    return Model::Build(std::move(definitions), tables);
  }

  // What needs something that was kept back. True where there was any.
  bool DropBroken(const Model& model) {
    const auto before = out_.joins.size() + out_.metrics.size();
    for (const semantic::ModelJoin& join : model.joins())
      if (const auto* was = whole_.FindJoin(join.definition.name);
          was != nullptr && was->problems != join.problems)
        out_.joins.emplace(join.definition.name, Access::NotListed);
    for (const semantic::ModelMetric& metric : model.metrics())
      if (const auto* was = whole_.FindMetric(metric.definition.name);
          was != nullptr && was->problems != metric.problems)
        out_.metrics.emplace(metric.definition.name, Access::NotListed);
    return out_.joins.size() + out_.metrics.size() > before;
  }

  const Services& s_;
  const privacy::Policy& policy_;
  const Model& whole_;
  const bool hides_;
  VisibleModel out_;
};

bool HasBlocked(const privacy::Policy& policy, const catalog::Table& table,
                const std::vector<std::string>& columns) {
  return std::any_of(columns.begin(), columns.end(), [&](const std::string& name) {
    const std::size_t at = catalog::FindColumn(table, name);
    return at != std::string_view::npos && policy.RuleOf(table, table.columns[at]).IsBlocked();
  });
}

}  // namespace

Error Refusal(Access access, std::string_view kind, std::string_view name) {
  return access == Access::NotListed ? privacy::NotListedRefusal(kind, name)
                                     : privacy::DeniedRefusal(kind, name);
}

void KeepVisible(const Services& services, std::vector<store::TableEntry>& entries) {
  if (!services.caller.IsLimited()) return;
  std::erase_if(entries, [&](const store::TableEntry& entry) {
    return !services.MaySee(entry.schema, entry.name);
  });
}

Status KeepVisible(const Services& services, const store::Source& source,
                   std::vector<store::KeyEdge>& edges) {
  const privacy::Policy policy = services.PolicyFor(source);
  if (!services.caller.IsLimited() && !policy.hide_names()) return Ok();
  std::vector<store::KeyEdge> kept;
  for (store::KeyEdge& edge : edges) {
    WARD_TRY(const auto from, services.store.GetTable(edge.from_id));
    WARD_TRY(const auto to, services.store.GetTable(edge.to_id));
    if (!from || !to) continue;
    if (!services.MaySee(from->schema, from->name) || !services.MaySee(to->schema, to->name))
      continue;
    if (policy.hide_names() && (HasBlocked(policy, *from, edge.key.columns) ||
                                HasBlocked(policy, *to, edge.key.target_columns)))
      continue;
    kept.push_back(std::move(edge));
  }
  edges = std::move(kept);
  return Ok();
}

std::string WithoutNeighbours(std::string_view reason) {
  constexpr std::string_view kPart = "; ", kJoins = "joins ";
  std::string kept;
  while (!reason.empty()) {
    const std::size_t end = std::min(reason.find(kPart), reason.size());
    const std::string_view part = reason.substr(0, end);
    reason.remove_prefix(std::min(end + kPart.size(), reason.size()));
    if (part.starts_with(kJoins)) continue;
    if (!kept.empty()) kept += kPart;
    kept += part;
  }
  return kept.empty() ? "joins what matches" : kept;
}

VisibleModel VisibleOf(const Services& services, const store::Source& source,
                       std::shared_ptr<const Model> whole) {
  const privacy::Policy policy = services.PolicyFor(source);
  if (!services.caller.IsLimited() && !policy.hide_names()) return {std::move(whole), {}, {}, {}};
  return Sieve(services, policy, *whole).Run();
}

}  // namespace schemaward::tools
