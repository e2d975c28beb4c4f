#include "suggest/drafts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/cut.h"
#include "suggest/entities.h"
#include "suggest/metrics.h"
#include "suggest/names.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;
using semantic::Cardinality;
using semantic::ColumnPair;
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

}  // namespace

class Drafter::Drafting {
 public:
  Drafting(const std::vector<Table>& tables, const std::vector<std::int64_t>& digests,
           const std::vector<Link>& links, const semantic::Definitions& kept,
           const privacy::Policy& policy, ColumnNames& names)
      : tables_(tables),
        digests_(digests),
        links_(links),
        kept_(kept),
        policy_(policy),
        names_(names),
        cast_(CastTables(tables, links, kept, names)) {
    for (const Role& role : cast_.roles)
      if (!role.name.empty()) entity_names_.insert(role.name);
    ReadKept();
    links_of_.assign(tables.size(), {0, 0});
    for (std::size_t first = 0; first < links.size();) {
      std::size_t end = first;
      while (end < links.size() && links[end].table == links[first].table) ++end;
      links_of_[links[first].table] = {first, end};
      first = end;
    }
    for (const Link& link : links) ++pair_count_[std::minmax(link.table, link.target)];
  }

  std::int64_t InputsOf(std::size_t t) const {
    const Role& role = cast_.roles[t];
    Digest digest;
    digest.Add(digests_[t]).Add(role.name).Add(role.is_kept ? 1 : 0).Add(role.identity);
    digest.Add(role.evidence).Add(role.identity_is_declared ? 1 : 0);
    for (const std::size_t at : role.bridge) AddTo(digest, links_[at]);
    for (std::size_t at = links_of_[t].first; at < links_of_[t].second; ++at)
      AddTo(digest, links_[at]);
    return digest.value();
  }

  Drafts Make(const std::vector<bool>& wanted, const OtherNames& others) {
    drafts_.tables_left_out = cast_.tables_left_out;
    join_names_.insert(others.joins.begin(), others.joins.end());
    metric_names_.insert(others.metrics.begin(), others.metrics.end());
    std::vector<std::size_t> chosen;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (wanted[t]) chosen.push_back(t);
    drafts_.tables.reserve(chosen.size());
    for (const std::size_t t : chosen)
      drafts_.tables.push_back({catalog::QualifiedName(tables_[t]), InputsOf(t), {}});
    for (std::size_t i = 0; i < chosen.size(); ++i) AddEntity(chosen[i], drafts_.tables[i]);
    for (std::size_t i = 0; i < chosen.size(); ++i) AddJoins(chosen[i], drafts_.tables[i]);
    for (std::size_t i = 0; i < chosen.size(); ++i) AddBridge(chosen[i], drafts_.tables[i]);
    for (std::size_t i = 0; i < chosen.size(); ++i) AddMetrics(chosen[i], drafts_.tables[i]);
    Sort(drafts_.definitions.entities);
    Sort(drafts_.definitions.joins);
    Sort(drafts_.definitions.metrics);
    return std::move(drafts_);
  }

 private:
  /// By name. Positions are sorted and each definition is moved once: they are large.
  template <class T>
  static void Sort(std::vector<T>& list) {
    std::vector<std::size_t> order(list.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return list[a].name < list[b].name; });
    std::vector<T> sorted;
    sorted.reserve(list.size());
    for (const std::size_t at : order) sorted.push_back(std::move(list[at]));
    list = std::move(sorted);
  }

  /// All of a link that its draft follows from: the names of both ends too.
  void AddTo(Digest& digest, const Link& link) const {
    digest.Add(link.columns).Add(catalog::QualifiedName(tables_[link.target]));
    digest.Add(link.target_columns).Add(static_cast<std::int64_t>(link.method));
    digest.Add(link.observations).Add(link.calls).Add(link.target_is_unique ? 1 : 0);
    digest.Add(link.evidence).Add(cast_.roles[link.target].name);
    digest.Add(NeedsRole(link) ? RoleOf(link) : "");
  }

  static std::string Claim(TableDrafts& made, store::DefinitionKind kind, std::string asked,
                           std::set<std::string>& taken) {
    NameClaim& claim = made.claims.emplace_back();
    claim.kind = static_cast<std::int64_t>(kind);
    claim.name = TakeName(asked, taken);
    if (claim.name != asked) claim.asked = std::move(asked);
    return claim.name;
  }

  bool IsEntity(std::size_t table) const { return !cast_.roles[table].name.empty(); }

  void AddEntity(std::size_t t, TableDrafts& made) {
    const Role& role = cast_.roles[t];
    if (!IsEntity(t)) return;
    NameClaim& claim = made.claims.emplace_back();
    claim.name = role.name;
    claim.is_draft = !role.is_kept;
    if (role.is_kept) return;
    semantic::Entity entity;
    entity.name = role.name;
    entity.table = catalog::QualifiedName(tables_[t]);
    entity.identity = role.identity;
    entity.description = HeadOf(tables_[t].comment, kDescriptionBytesMax);
    entity.default_time_dimension = TimeDimensionOf(tables_[t], role.name, names_).value_or("");
    entity.trust = {.method = role.identity_is_declared ? Method::FkConstraint : Method::Inferred,
                    .state = semantic::State::Draft,
                    .observations = 0,
                    .evidence = {role.evidence}};
    drafts_.definitions.entities.push_back(std::move(entity));
  }

  // Joins.

  void AddJoins(std::size_t t, TableDrafts& made) {
    for (std::size_t at = links_of_[t].first; at < links_of_[t].second; ++at)
      AddJoin(links_[at], made);
  }

  /// A role tells apart what the entities' names do not: itself, or one of several links.
  bool NeedsRole(const Link& link) const {
    if (link.table == link.target) return true;
    const auto count = pair_count_.find(std::minmax(link.table, link.target));
    return count != pair_count_.end() && count->second > 1;
  }

  void AddJoin(const Link& link, TableDrafts& made) {
    if (!IsEntity(link.table) || !IsEntity(link.target)) return;
    semantic::Join join;
    join.from = cast_.roles[link.table].name;
    join.to = cast_.roles[link.target].name;
    join.on = Pairs(link.columns, link.target_columns);
    if (IsKept(join)) return;
    join.cardinality = CardinalityOf(link);
    join.trust = TrustOf(link);
    if (NeedsRole(link)) join.role = TakeName(RoleOf(link), roles_[join.from]);
    join.name = TakeJoinName(made, join.from, join.role.empty() ? join.to : join.role);
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

  std::string TakeJoinName(TableDrafts& made, const std::string& from, const std::string& to) {
    std::string name = to.starts_with(from + "_") ? to : from + "_" + to;
    if (name.size() > kJoinNameBytesMax) name.resize(kJoinNameBytesMax);
    return Claim(made, store::DefinitionKind::Join, std::move(name), join_names_);
  }

  /// The two ends of a join over columns, the same whichever way it is written.
  static std::string KeyOf(const semantic::Join& join) {
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

  bool IsKept(const semantic::Join& join) const { return kept_joins_.contains(KeyOf(join)); }

  void AddBridge(std::size_t t, TableDrafts& made) {
    const Role& role = cast_.roles[t];
    if (role.bridge.size() != 2) return;
    const Link& near = links_[role.bridge[0]];
    const Link& far = links_[role.bridge[1]];
    if (!IsEntity(near.target) || !IsEntity(far.target)) return;
    semantic::Join join;
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
    join.name = TakeJoinName(made, join.from, join.role.empty() ? join.to : join.role);
    drafts_.definitions.joins.push_back(std::move(join));
  }

  // Metrics.

  void AddMetrics(std::size_t t, TableDrafts& made) {
    if (!IsEntity(t) || !policy_.KnowsLineage(tables_[t])) return;
    const auto& identity = cast_.roles[t].identity;
    std::set<std::string> references(identity.begin(), identity.end());
    for (std::size_t at = links_of_[t].first; at < links_of_[t].second; ++at)
      references.insert(links_[at].columns.begin(), links_[at].columns.end());
    const auto take = [&](std::string asked) {
      return Claim(made, store::DefinitionKind::Metric, std::move(asked), metric_names_);
    };
    const std::size_t first = made.claims.size();
    auto metrics = MetricsOf(tables_[t], cast_.roles[t].name, references, policy_, names_, take);
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      made.claims[first + i].is_draft = !IsKept(metrics[i]);
      if (made.claims[first + i].is_draft)
        drafts_.definitions.metrics.push_back(std::move(metrics[i]));
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
    metric_names_ = entity_names_;
    for (const semantic::Entity& entity : kept_.entities) metric_names_.insert(entity.name);
    for (const semantic::Metric& metric : kept_.metrics) metric_names_.insert(metric.name);
    for (const semantic::Join& join : kept_.joins) {
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
  const std::vector<std::int64_t>& digests_;
  const std::vector<Link>& links_;
  const semantic::Definitions& kept_;
  const privacy::Policy& policy_;
  ColumnNames& names_;
  const Cast cast_;
  std::set<std::string> entity_names_, join_names_, metric_names_;
  std::set<std::string> kept_joins_, kept_bridges_, kept_metrics_;  // by KeyOf, or by table
  std::vector<std::pair<std::size_t, std::size_t>> links_of_;       // [first, end), by table
  std::map<std::pair<std::size_t, std::size_t>, int> pair_count_;
  std::map<std::string, std::set<std::string>> roles_;  // taken, by the entity they leave from
  Drafts drafts_;
};

Drafter::Drafter(const std::vector<Table>& tables, const std::vector<std::int64_t>& digests,
                 const std::vector<Link>& links, const semantic::Definitions& kept,
                 const privacy::Policy& policy, ColumnNames& names)
    : drafting_(std::make_unique<Drafting>(tables, digests, links, kept, policy, names)) {}

Drafter::~Drafter() = default;

std::int64_t Drafter::InputsOf(std::size_t table) const { return drafting_->InputsOf(table); }

Drafts Drafter::Make(const std::vector<bool>& wanted, const OtherNames& others) {
  return drafting_->Make(wanted, others);
}

Drafts MakeDrafts(const std::vector<Table>& tables, const std::vector<Link>& links,
                  const semantic::Definitions& kept, const privacy::Policy& policy,
                  ColumnNames& names) {
  const std::vector<std::int64_t> digests(tables.size());
  return Drafter(tables, digests, links, kept, policy, names)
      .Make(std::vector<bool>(tables.size(), true), {});
}

}  // namespace schemaward::suggest
