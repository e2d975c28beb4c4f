#include "suggest/entities.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/contains.h"
#include "catalog/is_view.h"
#include "suggest/identity.h"
#include "suggest/names.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;

constexpr std::size_t kNameBytesMax = 48;  // leaves room for what is put before and after

/// Finds the identity: the primary key, the first unique key, or a column that is named for it.
void Identify(const Table& table, ColumnNames& names, Role& role) {
  if (table.primary_key && !table.primary_key->columns.empty()) {
    role.identity = table.primary_key->columns;
    role.identity_is_declared = true;
    role.evidence = "primary key " + table.primary_key->name;
  } else if (!table.unique_keys.empty()) {
    role.identity = table.unique_keys.front().columns;
    role.identity_is_declared = true;
    role.evidence = "unique key " + table.unique_keys.front().name;
  } else if (const auto guessed = GuessIdentity(table, names)) {
    role.identity = {table.columns[*guessed].name};
    role.evidence =
        fmt::format("no key is declared; column {} is named like one", role.identity.front());
  }
}

class Casting {
 public:
  Casting(const std::vector<Table>& tables, const std::vector<Link>& links,
          const semantic::Definitions& kept, ColumnNames& names)
      : tables_(tables), links_(links), names_(names) {
    cast_.roles.resize(tables.size());
    for (const auto& entity : kept.entities) taken_.insert(entity.name);
    for (const auto& metric : kept.metrics) taken_.insert(metric.name);
    GiveKeptNames(kept);
  }

  Cast Run() {
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (!catalog::IsView(tables_[t].kind)) Identify(tables_[t], names_, cast_.roles[t]);
    FindBridges();
    GiveNames();
    return std::move(cast_);
  }

 private:
  /// A kept entity names its table in full, or short where that fits one.
  void GiveKeptNames(const semantic::Definitions& kept) {
    std::map<std::string, std::size_t> by_name;
    std::map<std::string, int> short_count;
    for (const Table& table : tables_) ++short_count[table.name];
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      by_name.emplace(catalog::QualifiedName(tables_[t]), t);
      if (short_count[tables_[t].name] == 1) by_name.emplace(tables_[t].name, t);
    }
    for (const semantic::Entity& entity : kept.entities) {
      const auto found = by_name.find(entity.table);
      if (found == by_name.end() || cast_.roles[found->second].is_kept) continue;
      cast_.roles[found->second].name = entity.name;
      cast_.roles[found->second].is_kept = true;
    }
  }

  /// A table whose key is two references that share no column, that has nothing else to say and
  /// that nothing refers to.
  void FindBridges() {
    std::vector<bool> is_target(tables_.size(), false);
    for (const Link& link : links_) is_target[link.target] = true;
    for (std::size_t first = 0; first < links_.size();) {
      std::size_t end = first;
      while (end < links_.size() && links_[end].table == links_[first].table) ++end;
      const std::size_t table = links_[first].table;
      if (!is_target[table] && !cast_.roles[table].is_kept)
        cast_.roles[table].bridge = BridgeOf(tables_[table], first, end);
      first = end;
    }
  }

  std::vector<std::size_t> BridgeOf(const Table& table, std::size_t first, std::size_t end) const {
    constexpr std::size_t kEnds = 2;
    if (!table.primary_key || table.primary_key->columns.size() < kEnds) return {};
    const auto& key = table.primary_key->columns;
    std::vector<std::size_t> ends;
    std::vector<std::string> covered;
    for (std::size_t at = first; at < end; ++at) {
      const Link& link = links_[at];
      const bool in_key =
          std::all_of(link.columns.begin(), link.columns.end(), [&](const std::string& column) {
            return Contains(key, column) && !Contains(covered, column);
          });
      if (!in_key || !link.target_is_unique || !IsCandidate(link.target)) continue;
      ends.push_back(at);
      covered.insert(covered.end(), link.columns.begin(), link.columns.end());
    }
    if (ends.size() != kEnds || covered.size() != key.size()) return {};
    const bool says_more =
        std::any_of(table.columns.begin(), table.columns.end(), [&](const catalog::Column& column) {
          return !Contains(key, column.name) && !IsBookkeeping(column.name);
        });
    return says_more ? std::vector<std::size_t>() : ends;
  }

  bool IsCandidate(std::size_t table) const {
    return !cast_.roles[table].identity.empty() || cast_.roles[table].is_kept;
  }

  void GiveNames() {
    std::map<std::string, int> count;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (WantsName(t)) ++count[PlainName(t)];
    std::size_t named = 0;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (!WantsName(t)) continue;
      if (named == kEntitiesMax) {
        ++cast_.tables_left_out;
        cast_.roles[t].identity.clear();
        continue;
      }
      ++named;
      std::string name = PlainName(t);
      if (count[name] > 1 || taken_.contains(name)) {
        std::vector<std::string> words = ReadTableName(tables_[t].schema);
        const auto own = ReadTableName(tables_[t].name);
        words.insert(words.end(), own.begin(), own.end());
        name = ToName(words);
      }
      cast_.roles[t].name = TakeName(std::move(name), taken_);
    }
  }

  bool WantsName(std::size_t t) const {
    const Role& role = cast_.roles[t];
    return !role.is_kept && role.bridge.empty() && !role.identity.empty();
  }

  std::string PlainName(std::size_t t) const { return ToName(ReadTableName(tables_[t].name)); }

  const std::vector<Table>& tables_;
  const std::vector<Link>& links_;
  ColumnNames& names_;
  Cast cast_;
  std::set<std::string> taken_;
};

}  // namespace

Cast CastTables(const std::vector<Table>& tables, const std::vector<Link>& links,
                const semantic::Definitions& kept, ColumnNames& names) {
  return Casting(tables, links, kept, names).Run();
}

std::string ToName(const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) {
    std::string kept;
    for (const char c : word)
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
    if (kept.empty()) continue;
    if (!name.empty()) name += '_';
    name += kept;
  }
  if (name.empty()) name = "unnamed";  // a script that no definition's name can be written in
  if (name.front() >= '0' && name.front() <= '9') name.insert(0, "n_");
  if (name.size() > kNameBytesMax) name.resize(kNameBytesMax);
  return name;
}

std::string TakeName(std::string name, std::set<std::string>& taken) {
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
  return unique;
}

bool IsBookkeeping(std::string_view column) {
  static constexpr std::array<std::string_view, 12> kWords{
      "created", "creation",   "inserted", "last",    "lastupdate", "modified",
      "rowguid", "rowversion", "ts",       "updated", "update",     "version"};
  const ColumnWords name = ReadColumnName(column);
  return std::any_of(name.words.begin(), name.words.end(), [](const std::string& word) {
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  });
}

}  // namespace schemaward::suggest
