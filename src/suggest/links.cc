#include "suggest/links.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suggest/identity.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;
using querylog::ObservedJoin;
using semantic::Method;

/// Sorted column pairs of two tables: what a link is, whichever way it points.
using LinkKey =
    std::tuple<std::size_t, std::size_t, std::vector<std::pair<std::string, std::string>>>;

LinkKey KeyOf(const Link& link) {
  const bool turned = link.target < link.table;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < link.columns.size() && i < link.target_columns.size(); ++i) {
    if (turned)
      pairs.emplace_back(link.target_columns[i], link.columns[i]);
    else
      pairs.emplace_back(link.columns[i], link.target_columns[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  return {std::min(link.table, link.target), std::max(link.table, link.target), std::move(pairs)};
}

class Collector {
 public:
  Collector(const std::vector<Table>& tables, ColumnNames& names) : tables_(tables), names_(names) {
    for (std::size_t t = 0; t < tables.size(); ++t)
      by_name_.emplace(catalog::QualifiedName(tables[t]), t);
  }

  void AddDeclared() {
    for (std::size_t t = 0; t < tables_.size(); ++t)
      for (const catalog::ForeignKey& key : tables_[t].foreign_keys) AddDeclared(t, key);
  }

  void AddInferred(const InferOptions& options) {
    for (InferredKey& key : InferForeignKeys(tables_, options, names_))
      Add({.table = key.table,
           .columns = std::move(key.columns),
           .target = key.target,
           .target_columns = std::move(key.target_columns),
           .method = Method::Inferred,
           .target_is_unique = key.target_is_unique,
           .evidence = {std::move(key.evidence)}});
  }

  void AddObserved(const ObservedJoin& join) {
    const auto table = Find(join.table), target = Find(join.target);
    if (!table || !target || join.columns.empty() ||
        join.columns.size() != join.target_columns.size())
      return;
    Link link{.table = *table,
              .columns = join.columns,
              .target = *target,
              .target_columns = join.target_columns,
              .method = Method::ObservedInQueryLog,
              .observations = join.observations,
              .calls = join.calls,
              .evidence = {}};
    if (!HasColumns(tables_[*table], link.columns) ||
        !HasColumns(tables_[*target], link.target_columns))
      return;
    if (Link* known = FindWithin(link)) {
      known->observations += link.observations;
      known->calls += link.calls;
    } else if (Orient(link)) {
      Add(std::move(link));
    } else {
      unkeyed_.push_back(std::move(link));
    }
  }

  /// Joins of columns that tell no rows apart, after all others.
  void AddUnkeyed() {
    for (Link& link : unkeyed_)
      if (link.observations >= kObservationsMin &&
          !by_tables_.contains(std::minmax(link.table, link.target)))
        Add(std::move(link));
  }

  std::vector<Link> Take() {
    for (Link& link : links_) NoteQueries(link);
    std::stable_sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) {
      return std::tie(a.table, a.columns, a.target, a.target_columns) <
             std::tie(b.table, b.columns, b.target, b.target_columns);
    });
    return std::move(links_);
  }

 private:
  std::optional<std::size_t> Find(const std::string& qualified) const {
    const auto found = by_name_.find(qualified);
    if (found == by_name_.end()) return std::nullopt;
    return found->second;
  }

  static bool HasColumns(const Table& table, const std::vector<std::string>& columns) {
    return std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
      return catalog::FindColumn(table, column) != std::string_view::npos;
    });
  }

  void AddDeclared(std::size_t table, const catalog::ForeignKey& key) {
    const auto target = Find(catalog::QualifiedName(key.target_schema, key.target_table));
    if (!target || key.columns.empty() || key.columns.size() != key.target_columns.size()) return;
    Add({.table = table,
         .columns = key.columns,
         .target = *target,
         .target_columns = key.target_columns,
         .method = Method::FkConstraint,
         .target_is_unique = true,
         .evidence = {key.name.empty()
                          ? fmt::format("foreign key ({})", fmt::join(key.columns, ", "))
                          : "foreign key " + key.name}});
  }

  /// The link with the most columns among those whose pairs all are pairs of `link`, or null.
  Link* FindWithin(const Link& link) {
    const auto between = by_tables_.find(std::minmax(link.table, link.target));
    if (between == by_tables_.end()) return nullptr;
    const auto wanted = std::get<2>(KeyOf(link));
    Link* best = nullptr;
    for (const std::size_t at : between->second) {
      const auto pairs = std::get<2>(KeyOf(links_[at]));
      const bool within = std::includes(wanted.begin(), wanted.end(), pairs.begin(), pairs.end());
      if (within && (best == nullptr || best->columns.size() < pairs.size())) best = &links_[at];
    }
    return best;
  }

  /// The side with a key is referred to, else the one whose column is named for it; where that says
  /// nothing the sides stay, and the answer is false.
  bool Orient(Link& link) const {
    const bool here = IsUnique(tables_[link.table], link.columns);
    link.target_is_unique = IsUnique(tables_[link.target], link.target_columns);
    if (link.target_is_unique) return true;
    const bool target_is_named = IsNamed(link.target, link.target_columns);
    if (!here && (target_is_named || !IsNamed(link.table, link.columns))) return target_is_named;
    std::swap(link.table, link.target);
    std::swap(link.columns, link.target_columns);
    link.target_is_unique = here;
    return true;
  }

  bool IsNamed(std::size_t table, const std::vector<std::string>& columns) const {
    const auto guessed = GuessIdentity(tables_[table], names_);
    return guessed && columns.size() == 1 &&
           tables_[table].columns[*guessed].name == columns.front();
  }

  static void NoteQueries(Link& link) {
    if (link.observations == 0) return;
    link.evidence.push_back(fmt::format("seen in {} {} ({} {})", link.observations,
                                        link.observations == 1 ? "query" : "queries", link.calls,
                                        link.calls == 1 ? "call" : "calls"));
    if (link.method == Method::Inferred && link.observations >= kObservationsMin)
      link.method = Method::ObservedInQueryLog;
  }

  void Add(Link link) {
    if (!by_key_.emplace(KeyOf(link), links_.size()).second) return;
    by_tables_[std::minmax(link.table, link.target)].push_back(links_.size());
    links_.push_back(std::move(link));
  }

  const std::vector<Table>& tables_;
  ColumnNames& names_;
  std::map<std::string, std::size_t> by_name_;
  std::map<LinkKey, std::size_t> by_key_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> by_tables_;
  std::vector<Link> links_, unkeyed_;
};

}  // namespace

bool IsUnique(const Table& table, const std::vector<std::string>& columns) {
  const auto covers = [&](const catalog::Key& key) {
    return !key.columns.empty() &&
           std::all_of(key.columns.begin(), key.columns.end(), [&](const std::string& column) {
             return std::find(columns.begin(), columns.end(), column) != columns.end();
           });
  };
  return (table.primary_key && covers(*table.primary_key)) ||
         std::any_of(table.unique_keys.begin(), table.unique_keys.end(), covers);
}

std::vector<Link> FindLinks(const std::vector<Table>& tables, const InferOptions& options,
                            const std::vector<ObservedJoin>& observed, ColumnNames& names) {
  Collector collector(tables, names);
  collector.AddDeclared();
  collector.AddInferred(options);
  // Fewer columns first: with more of them a join is mostly the same one and a condition.
  std::vector<const ObservedJoin*> joins;
  joins.reserve(observed.size());
  for (const ObservedJoin& join : observed) joins.push_back(&join);
  std::stable_sort(joins.begin(), joins.end(), [](const auto* a, const auto* b) {
    return a->columns.size() < b->columns.size();
  });
  for (const ObservedJoin* join : joins) collector.AddObserved(*join);
  collector.AddUnkeyed();
  return collector.Take();
}

}  // namespace schemaward::suggest
