#include "suggest/links.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace schemaward::suggest {
namespace {

using catalog::Table;
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
  explicit Collector(const std::vector<Table>& tables) : tables_(tables) {
    for (std::size_t t = 0; t < tables.size(); ++t)
      by_name_.emplace(catalog::QualifiedName(tables[t]), t);
  }

  void AddDeclared() {
    for (std::size_t t = 0; t < tables_.size(); ++t)
      for (const catalog::ForeignKey& key : tables_[t].foreign_keys) AddDeclared(t, key);
  }

  void AddInferred(const InferOptions& options) {
    for (InferredKey& key : InferForeignKeys(tables_, options))
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
    if (!table || !target || join.columns.empty()) return;
    Link link{.table = *table,
              .columns = join.columns,
              .target = *target,
              .target_columns = join.target_columns,
              .method = Method::ObservedInQueryLog,
              .observations = join.observations,
              .evidence = {}};
    if (!HasColumns(tables_[*table], link.columns) ||
        !HasColumns(tables_[*target], link.target_columns))
      return;
    Orient(link);
    link.evidence = {fmt::format("{} statements of the query log join so", join.observations)};
    const auto found = by_key_.find(KeyOf(link));
    if (found == by_key_.end()) {
      Add(std::move(link));
      return;
    }
    Link& known = links_[found->second];
    known.observations += link.observations;
    known.evidence.push_back(std::move(link.evidence.front()));
    if (known.method == Method::Inferred) known.method = Method::ObservedInQueryLog;
  }

  std::vector<Link> Take() {
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

  /// The side with a key is referred to; where both or neither have one, the sides stay.
  void Orient(Link& link) const {
    const bool here = IsUnique(tables_[link.table], link.columns);
    link.target_is_unique = IsUnique(tables_[link.target], link.target_columns);
    if (!here || link.target_is_unique) return;
    std::swap(link.table, link.target);
    std::swap(link.columns, link.target_columns);
    link.target_is_unique = true;
  }

  void Add(Link link) {
    if (!by_key_.emplace(KeyOf(link), links_.size()).second) return;
    links_.push_back(std::move(link));
  }

  const std::vector<Table>& tables_;
  std::map<std::string, std::size_t> by_name_;
  std::map<LinkKey, std::size_t> by_key_;
  std::vector<Link> links_;
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
                            const std::vector<ObservedJoin>& observed) {
  Collector collector(tables);
  collector.AddDeclared();
  collector.AddInferred(options);
  for (const ObservedJoin& join : observed) collector.AddObserved(join);
  return collector.Take();
}

}  // namespace schemaward::suggest
