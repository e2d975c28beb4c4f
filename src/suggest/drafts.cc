#include "suggest/drafts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
           const semantic::Definitions& kept, const privacy::Policy& policy, ColumnNames& names)
      : tables_(tables),
        links_(links),
        kept_(kept),
        policy_(policy),
        names_(names),
        cast_(CastTables(tables, links, kept, names)) {
    for (const Role& role : cast_.roles)
      if (!role.name.empty()) entity_names_.insert(role.name);
    ReadKept();
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
    entity.default_time_dimension = TimeDimensionOf(tables_[t], role.name, names_).value_or("");
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
    if (needs_role) join.role = TakeName(RoleOf(link), roles_[join.from]);
    join.name = TakeJoinName(join.from, join.role.empty() ? join.to : join.role);
    drafts_.definitions.joins.push_back(std::move(join));
  }

  Cardinality CardinalityOf(const Link& link) const {
    const bool from_is_unique = IsUnique(tables_[link.table], link.columns);
    if (!link.target_is_unique)
      return from_is_unique ? Cardinality::OneToMany : Cardinality::ManyToMany;
    return from_is_unique ? Cardinality::OneToOne : Cardinality::ManyToOne;
  }

  /// billing_address of billing_address_id; customer_id_role of a customer_id, since an entity's
  /// name would win over the role.
  std::string RoleOf(const Link& link) const {
    const std::string& column =
        link.columns.size() == 1 ? link.columns.front() : DifferingColumn(link);
    std::string role = ToName(SpokenStem(column));
    if (!entity_names_.contains(role)) return role;
    const std::string of_from = cast_.roles[link.table].name + "_" + role;
    return entity_names_.contains(of_from) ? of_from + "_role" : of_from;
  }

  /// Of several columns the one that is called otherwise in the target; else the first.
  static const std::string& DifferingColumn(const Link& link) {
    for (std::size_t i = 0; i < link.columns.size(); ++i)
      if (link.columns[i] != link.target_columns[i]) return link.columns[i];
    return link.columns.front();
  }

  std::string TakeJoinName(const std::string& from, const std::string& to) {
    std::string name = to.starts_with(from + "_") ? to : from + "_" + to;
    if (name.size() > kJoinNameBytesMax) name.resize(kJoinNameBytesMax);
    return TakeName(std::move(name), join_names_);
  }

  /// The two ends of a join over columns, the same whichever way it is written.
  static std::string KeyOf(const Join& join) {
    std::vector<std::string> there, back;
    for (const ColumnPair& pair : join.on) {
      there.push_back(pair.from + '\x1f' + pair.to);
      back.push_back(pair.to + '\x1f' + pair.from);
    }
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    const std::string one =
        fmt::format("{}\x1e{}\x1e{}", join.from, join.to, fmt::join(there, "\x1d"));
    const std::string other =
        fmt::format("{}\x1e{}\x1e{}", join.to, join.from, fmt::join(back, "\x1d"));
    return std::min(one, other);
  }

  bool IsKept(const Join& join) const { return kept_joins_.contains(KeyOf(join)); }

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
    if (kept_bridges_.contains(join.through->table)) return;
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
           MetricsOf(tables_[t], cast_.roles[t].name, references, policy_, names_, taken))
        if (!IsKept(metric)) drafts_.definitions.metrics.push_back(std::move(metric));
    }
  }

  static std::string KeyOf(const semantic::Metric& metric) {
    return fmt::format("{}\x1e{}\x1e{}", metric.entity, static_cast<int>(metric.aggregation),
                       metric.column);
  }

  bool IsKept(const semantic::Metric& metric) const {
    return kept_metrics_.contains(KeyOf(metric));
  }

  /// What is said already, so that it is found without comparing each with each.
  void ReadKept() {
    for (const Join& join : kept_.joins) {
      join_names_.insert(join.name);
      if (join.through)
        kept_bridges_.insert(join.through->table);
      else
        kept_joins_.insert(KeyOf(join));
    }
    for (const semantic::Metric& metric : kept_.metrics)
      if (metric.type == semantic::MetricType::Simple && metric.filters.empty() &&
          metric.expression.empty())
        kept_metrics_.insert(KeyOf(metric));
  }

  const std::vector<Table>& tables_;
  const std::vector<Link>& links_;
  const semantic::Definitions& kept_;
  const privacy::Policy& policy_;
  ColumnNames& names_;
  const Cast cast_;
  std::set<std::string> entity_names_, join_names_;
  std::set<std::string> kept_joins_, kept_bridges_, kept_metrics_;  // by KeyOf, or by table
  std::map<std::size_t, std::set<std::string>> references_;
  std::map<std::pair<std::size_t, std::size_t>, int> pair_count_;
  std::map<std::string, std::set<std::string>> roles_;  // taken, by the entity they leave from
  Drafts drafts_;
};

}  // namespace

Drafts MakeDrafts(const std::vector<Table>& tables, const std::vector<Link>& links,
                  const semantic::Definitions& kept, const privacy::Policy& policy,
                  ColumnNames& names) {
  return Drafting(tables, links, kept, policy, names).Run();
}

}  // namespace schemaward::suggest
