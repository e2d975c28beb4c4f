#include "suggest/drafts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "suggest/entities.h"
#include "suggest/metrics.h"
#include "suggest/names.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;
using semantic::Cardinality;
using semantic::ColumnPair;
using semantic::Join;
using semantic::Method;

constexpr std::size_t kDescriptionBytesMax = 500;
constexpr std::size_t kJoinNameBytesMax = 60;

std::vector<ColumnPair> Pairs(const std::vector<std::string>& from,
                              const std::vector<std::string>& to) {
  std::vector<ColumnPair> pairs;
  for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) pairs.push_back({from[i], to[i]});
  return pairs;
}

semantic::Trust TrustOf(const Link& link) {
  return {.method = link.method,
          .state = semantic::State::Draft,
          .observations = link.observations,
          .evidence = link.evidence};
}

/// The head of a comment that cuts no character.
std::string Head(const std::string& text) {
  if (text.size() <= kDescriptionBytesMax) return text;
  std::size_t end = kDescriptionBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

class Drafting {
 public:
  Drafting(const std::vector<Table>& tables, const std::vector<Link>& links,
           const semantic::Definitions& kept, const privacy::Policy& policy)
      : tables_(tables),
        links_(links),
        kept_(kept),
        policy_(policy),
        cast_(CastTables(tables, links, kept)) {
    for (const Role& role : cast_.roles)
      if (!role.name.empty()) entity_names_.insert(role.name);
    for (const Join& join : kept.joins) join_names_.insert(join.name);
    for (const Link& link : links)
      references_[link.table].insert(link.columns.begin(), link.columns.end());
  }

  Drafts Run() {
    drafts_.tables_left_out = cast_.tables_left_out;
    for (std::size_t t = 0; t < tables_.size(); ++t) AddEntity(t);
    CountPairs();
    for (const Link& link : links_) AddJoin(link);
    for (std::size_t t = 0; t < tables_.size(); ++t) AddBridge(t);
    AddMetrics();
    Sort(drafts_.definitions.entities);
    Sort(drafts_.definitions.joins);
    Sort(drafts_.definitions.metrics);
    return std::move(drafts_);
  }

 private:
  template <class List>
  static void Sort(List& list) {
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  bool IsEntity(std::size_t table) const { return !cast_.roles[table].name.empty(); }

  void AddEntity(std::size_t t) {
    const Role& role = cast_.roles[t];
    if (!IsEntity(t) || role.is_kept) return;
    semantic::Entity entity;
    entity.name = role.name;
    entity.table = catalog::QualifiedName(tables_[t]);
    entity.identity = role.identity;
    entity.description = Head(tables_[t].comment);
    entity.default_time_dimension = TimeDimensionOf(tables_[t], role.name).value_or("");
    entity.trust = {.method = role.identity_is_declared ? Method::FkConstraint : Method::Inferred,
                    .state = semantic::State::Draft,
                    .observations = 0,
                    .evidence = {role.evidence}};
    drafts_.definitions.entities.push_back(std::move(entity));
  }

  // Joins.

  /// How many links there are between two tables, whichever way.
  void CountPairs() {
    for (const Link& link : links_) ++pair_count_[std::minmax(link.table, link.target)];
  }

  void AddJoin(const Link& link) {
    if (!IsEntity(link.table) || !IsEntity(link.target)) return;
    Join join;
    join.from = cast_.roles[link.table].name;
    join.to = cast_.roles[link.target].name;
    join.on = Pairs(link.columns, link.target_columns);
    if (IsKept(join)) return;
    join.cardinality = CardinalityOf(link);
    join.trust = TrustOf(link);
    const bool needs_role =
        link.table == link.target || pair_count_[std::minmax(link.table, link.target)] > 1;
    if (needs_role) join.role = RoleOf(link);
    join.name = TakeJoinName(join.from, join.role.empty() ? join.to : join.role);
    drafts_.definitions.joins.push_back(std::move(join));
  }

  Cardinality CardinalityOf(const Link& link) const {
    const bool from_is_unique = IsUnique(tables_[link.table], link.columns);
    if (!link.target_is_unique)
      return from_is_unique ? Cardinality::OneToMany : Cardinality::ManyToMany;
    return from_is_unique ? Cardinality::OneToOne : Cardinality::ManyToOne;
  }

  /// billing_address of billing_address_id; the column itself where that is an entity's name, which
  /// would win over the role.
  std::string RoleOf(const Link& link) const {
    const std::string& column =
        link.columns.size() == 1 ? link.columns.front() : DifferingColumn(link);
    const ColumnWords name = ReadColumnName(column);
    std::string role = ToName(name.stem.empty() ? name.words : name.stem);
    if (role != "unnamed" && !entity_names_.contains(role)) return role;
    std::vector<std::string> words = name.words;
    if (ToName(words) == role) words.emplace_back("key");
    return ToName(words);
  }

  /// Of several columns the one that is called otherwise in the target; else the first.
  static const std::string& DifferingColumn(const Link& link) {
    for (std::size_t i = 0; i < link.columns.size(); ++i)
      if (link.columns[i] != link.target_columns[i]) return link.columns[i];
    return link.columns.front();
  }

  std::string TakeJoinName(const std::string& from, const std::string& to) {
    std::string name = from + "_" + to;
    if (name.size() > kJoinNameBytesMax) name.resize(kJoinNameBytesMax);
    return TakeName(std::move(name), join_names_);
  }

  /// A kept join between the same entities over the same columns, whichever way it is written.
  bool IsKept(const Join& join) const {
    return std::any_of(kept_.joins.begin(), kept_.joins.end(), [&](const Join& kept) {
      if (kept.from == join.from && kept.to == join.to) return kept.on == join.on;
      if (kept.from != join.to || kept.to != join.from || kept.on.size() != join.on.size())
        return false;
      return std::equal(kept.on.begin(), kept.on.end(), join.on.begin(),
                        [](const ColumnPair& a, const ColumnPair& b) {
                          return a.from == b.to && a.to == b.from;
                        });
    });
  }

  void AddBridge(std::size_t t) {
    const Role& role = cast_.roles[t];
    if (role.bridge.size() != 2) return;
    const Link& near = links_[role.bridge[0]];
    const Link& far = links_[role.bridge[1]];
    if (!IsEntity(near.target) || !IsEntity(far.target)) return;
    Join join;
    join.from = cast_.roles[near.target].name;
    join.to = cast_.roles[far.target].name;
    join.through = semantic::Bridge{catalog::QualifiedName(tables_[t]),
                                    Pairs(near.target_columns, near.columns),
                                    Pairs(far.columns, far.target_columns)};
    if (IsKeptBridge(*join.through)) return;
    join.cardinality = Cardinality::ManyToMany;
    join.trust = TrustOf(near.method == Method::FkConstraint ? far : near);
    join.trust.evidence = {
        fmt::format("bridge table {}: its key is two references", join.through->table)};
    if (near.target == far.target) {
      join.role = RoleOf(far);
      join.from_role = RoleOf(near);
    }
    join.name = TakeJoinName(join.from, join.role.empty() ? join.to : join.role);
    drafts_.definitions.joins.push_back(std::move(join));
  }

  bool IsKeptBridge(const semantic::Bridge& bridge) const {
    return std::any_of(kept_.joins.begin(), kept_.joins.end(), [&](const Join& kept) {
      return kept.through && kept.through->table == bridge.table;
    });
  }

  // Metrics.

  void AddMetrics() {
    std::set<std::string> taken = entity_names_;
    for (const semantic::Entity& entity : kept_.entities) taken.insert(entity.name);
    for (const semantic::Metric& metric : kept_.metrics) taken.insert(metric.name);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (!IsEntity(t) || !policy_.KnowsLineage(tables_[t])) continue;
      std::set<std::string> references = references_[t];
      const auto& identity = cast_.roles[t].identity;
      references.insert(identity.begin(), identity.end());
      for (semantic::Metric& metric :
           MetricsOf(tables_[t], cast_.roles[t].name, references, policy_, taken))
        if (!IsKept(metric)) drafts_.definitions.metrics.push_back(std::move(metric));
    }
  }

  bool IsKept(const semantic::Metric& metric) const {
    return std::any_of(kept_.metrics.begin(), kept_.metrics.end(), [&](const auto& kept) {
      return kept.type == metric.type && kept.entity == metric.entity && kept.filters.empty() &&
             kept.aggregation == metric.aggregation && kept.column == metric.column &&
             kept.expression.empty();
    });
  }

  const std::vector<Table>& tables_;
  const std::vector<Link>& links_;
  const semantic::Definitions& kept_;
  const privacy::Policy& policy_;
  const Cast cast_;
  std::set<std::string> entity_names_, join_names_;
  std::map<std::size_t, std::set<std::string>> references_;
  std::map<std::pair<std::size_t, std::size_t>, int> pair_count_;
  Drafts drafts_;
};

}  // namespace

Drafts MakeDrafts(const std::vector<Table>& tables, const std::vector<Link>& links,
                  const semantic::Definitions& kept, const privacy::Policy& policy) {
  return Drafting(tables, links, kept, policy).Run();
}

}  // namespace schemaward::suggest
