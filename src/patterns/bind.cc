#include "patterns/bind.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "patterns/column_fit.h"
#include "sql/query/print.h"

namespace schemaward::patterns {
namespace {

constexpr std::size_t kAlternatives = 3;
constexpr double kTableName = 0.6, kPlainTable = 0.05;
constexpr double kNotFilled = -1;  // what a parameter costs that nothing fills

using Tables = std::vector<const catalog::Table*>;

struct ColumnChoice {
  const catalog::Column* column = nullptr;
  std::string_view how;
};

/// Weighs tables against parameters. Thread: owner.
class Binder {
 public:
  Binder(const Pattern& pattern, const Tables& tables, const std::vector<Given>& given)
      : pattern_(pattern), tables_(tables) {
    for (const Given& one : given) given_[one.parameter] = &one;
    for (const Parameter& parameter : pattern.parameters)
      if (parameter.fills == Fills::Table) table_parameters_.push_back(&parameter);
  }

  /// The best table for each parameter that is one; absent where there is none.
  std::map<std::string, const catalog::Table*> BestTables() {
    for (const Parameter* parameter : table_parameters_)
      candidates_.push_back(CandidatesOf(*parameter));
    FollowKeys();
    std::map<std::string, const catalog::Table*> chosen;
    best_score_ = -1e9;
    Try(0, chosen);
    return best_;
  }

  /// The columns of one table that fill its parameters, best overall first; with their
  /// alternatives.
  std::map<std::string, ColumnChoice> Columns(
      const Parameter& table_parameter, const std::map<std::string, const catalog::Table*>& chosen,
      double* total, std::map<std::string, std::vector<std::string>>* alternatives) const;

  /// Tables for a parameter by their own worth, best first.
  std::vector<const catalog::Table*> Ranked(const Parameter& parameter) const {
    std::vector<std::pair<double, const catalog::Table*>> scored;
    for (const catalog::Table* table : tables_)
      scored.emplace_back(Worth(parameter, *table, {{parameter.name, table}}), table);
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    Tables ranked;
    for (const auto& [score, table] : scored) ranked.push_back(table);
    return ranked;
  }

  const Given* GivenFor(const std::string& name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? nullptr : found->second;
  }

 private:
  Tables CandidatesOf(const Parameter& parameter) const {
    if (const Given* given = GivenFor(parameter.name); given != nullptr) return {given->table};
    Tables ranked = Ranked(parameter);
    if (ranked.size() > kTablesWeighedMax) ranked.resize(kTablesWeighedMax);
    return ranked;
  }

  // A table that a candidate refers to is a candidate for what is referred to.
  void FollowKeys() {
    for (const Parameter& parameter : pattern_.parameters) {
      if (parameter.refers_to.empty()) continue;
      const std::size_t from = PlaceOf(parameter.table), to = PlaceOf(parameter.refers_to);
      if (from == kNoPlace || to == kNoPlace || from == to ||
          GivenFor(parameter.refers_to) != nullptr)
        continue;
      for (const catalog::Table* child : candidates_[from])
        for (const catalog::ForeignKey& key : child->foreign_keys) AddCandidate(to, key);
    }
  }

  void AddCandidate(std::size_t place, const catalog::ForeignKey& key) {
    for (const catalog::Table* table : tables_)
      if (table->name == key.target_table && table->schema == key.target_schema &&
          std::find(candidates_[place].begin(), candidates_[place].end(), table) ==
              candidates_[place].end() &&
          candidates_[place].size() < 2 * kTablesWeighedMax)
        candidates_[place].push_back(table);
  }

  static constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);
  std::size_t PlaceOf(const std::string& name) const {
    for (std::size_t i = 0; i < table_parameters_.size(); ++i)
      if (table_parameters_[i]->name == name) return i;
    return kNoPlace;
  }

  void Try(std::size_t place, std::map<std::string, const catalog::Table*>& chosen) {
    if (place == table_parameters_.size()) {
      double total = 0;
      for (const Parameter* parameter : table_parameters_)
        if (const auto found = chosen.find(parameter->name); found != chosen.end())
          total += Worth(*parameter, *found->second, chosen);
      if (total <= best_score_) return;
      best_score_ = total;
      best_ = chosen;
      return;
    }
    const Parameter& parameter = *table_parameters_[place];
    bool tried = false;
    for (const catalog::Table* table : candidates_[place]) {
      const bool is_taken = std::any_of(chosen.begin(), chosen.end(),
                                        [&](const auto& one) { return one.second == table; });
      if (is_taken && GivenFor(parameter.name) == nullptr) continue;
      tried = true;
      chosen[parameter.name] = table;
      Try(place + 1, chosen);
      chosen.erase(parameter.name);
    }
    if (!tried) Try(place + 1, chosen);
  }

  double Worth(const Parameter& parameter, const catalog::Table& table,
               const std::map<std::string, const catalog::Table*>& chosen) const {
    double total = 0;
    Columns(parameter, chosen, &total, nullptr);
    total += kTableName * std::max(Likeness(table.name, parameter.name),
                                   Likeness(table.name, parameter.example));
    if (table.kind == catalog::TableKind::Table) total += kPlainTable;
    return total;
  }

  const Pattern& pattern_;
  const Tables& tables_;
  std::map<std::string, const Given*> given_;
  std::vector<const Parameter*> table_parameters_;
  std::vector<Tables> candidates_;
  std::map<std::string, const catalog::Table*> best_;
  double best_score_ = 0;
};

struct Scored {
  double score = 0;
  const Parameter* parameter = nullptr;
  const catalog::Column* column = nullptr;
  std::string_view how;
};

const catalog::Column* ColumnNamed(const catalog::Table& table, std::string_view name) {
  for (const catalog::Column& column : table.columns)
    if (column.name == name) return &column;
  for (const catalog::Column& column : table.columns)
    if (EqualsIgnoringAsciiCase(column.name, name)) return &column;
  return nullptr;
}

const catalog::Table* TargetOf(const Parameter& parameter,
                               const std::map<std::string, const catalog::Table*>& chosen) {
  const auto found = chosen.find(parameter.refers_to);
  return found == chosen.end() ? nullptr : found->second;
}

std::map<std::string, ColumnChoice> Binder::Columns(
    const Parameter& table_parameter, const std::map<std::string, const catalog::Table*>& chosen,
    double* total, std::map<std::string, std::vector<std::string>>* alternatives) const {
  std::map<std::string, ColumnChoice> picked;
  const auto own = chosen.find(table_parameter.name);
  if (own == chosen.end()) return picked;
  const catalog::Table& table = *own->second;
  std::vector<Scored> scored;
  std::size_t wanted = 0;
  std::set<const catalog::Column*> used;
  for (const Parameter& parameter : pattern_.parameters) {
    if (parameter.fills != Fills::Column || parameter.table != table_parameter.name) continue;
    ++wanted;
    if (const Given* given = GivenFor(parameter.name); given != nullptr) {
      const catalog::Column* column = ColumnNamed(table, given->fills);
      if (column == nullptr) continue;
      picked[parameter.name] = {column, "as given"};
      used.insert(column);
      *total += 1;
      continue;
    }
    for (const catalog::Column& column : table.columns)
      if (const Fit fit = FitOf(parameter, table, column, TargetOf(parameter, chosen));
          fit.score > 0)
        scored.push_back({fit.score, &parameter, &column, fit.how});
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const Scored& a, const Scored& b) { return a.score > b.score; });
  for (const Scored& one : scored) {
    const bool is_filled = picked.contains(one.parameter->name);
    if (!is_filled && used.insert(one.column).second) {
      picked[one.parameter->name] = {one.column, one.how};
      *total += one.score;
    } else if (alternatives != nullptr) {
      std::vector<std::string>& others = (*alternatives)[one.parameter->name];
      if (others.size() < kAlternatives) others.push_back(one.column->name);
    }
  }
  *total += kNotFilled * static_cast<double>(wanted - picked.size());
  return picked;
}

bool IsNumber(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("+-");
  return digits != std::string_view::npos && digits <= 1 &&
         text.find_first_not_of("0123456789.", digits) == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

// A value of somebody's as SQL; empty where a number is none.
std::string ValueOf(const Parameter& parameter, const std::string& text,
                    const sql::Dialect& dialect) {
  if (parameter.role == Role::Number) return IsNumber(text) ? text : std::string();
  if (text.find('\0') != std::string::npos) return {};
  return sql::query::QuoteText(text, dialect);
}

}  // namespace

Binding Propose(const Pattern& pattern, const std::vector<const catalog::Table*>& tables,
                const std::vector<Given>& given, const sql::Dialect& dialect) {
  Binder binder(pattern, tables, given);
  const auto chosen = binder.BestTables();
  std::map<std::string, ColumnChoice> columns;
  std::map<std::string, std::vector<std::string>> alternatives;
  for (const Parameter& parameter : pattern.parameters) {
    if (parameter.fills != Fills::Table) continue;
    double ignored = 0;
    columns.merge(binder.Columns(parameter, chosen, &ignored, &alternatives));
  }
  Binding binding;
  for (const Parameter& parameter : pattern.parameters) {
    Filling& filling = binding.fillings.emplace_back();
    filling.parameter = parameter.name;
    filling.fills = parameter.fills;
    const Given* said = binder.GivenFor(parameter.name);
    if (parameter.fills == Fills::Value) {
      filling.value =
          said == nullptr ? parameter.example : ValueOf(parameter, said->fills, dialect);
      filling.how = said == nullptr ? "the example's" : "as given";
      if (filling.value.empty()) binding.unknown.push_back(parameter.name);
    } else if (parameter.fills == Fills::Table) {
      if (const auto found = chosen.find(parameter.name); found != chosen.end()) {
        filling.table = found->second;
        filling.value = catalog::QualifiedName(*found->second);
        filling.how = said == nullptr ? "its columns, keys and name" : "as given";
      }
    } else if (const auto found = columns.find(parameter.name); found != columns.end()) {
      filling.value = found->second.column->name;
      filling.how = found->second.how;
      filling.alternatives = alternatives[parameter.name];
    } else if (said != nullptr) {
      binding.unknown.push_back(parameter.name);
    }
    if (filling.value.empty()) binding.unfilled.push_back(parameter.name);
  }
  return binding;
}

std::string BoundSql(const Pattern& pattern, std::string_view sql, const Binding& binding,
                     const sql::Dialect& dialect) {
  std::vector<std::string> values;
  for (const Filling& filling : binding.fillings) {
    if (filling.table != nullptr) {
      const std::string name = sql::QuoteIdentifier(dialect, filling.table->name);
      values.push_back(filling.table->schema.empty()
                           ? name
                           : sql::QuoteIdentifier(dialect, filling.table->schema) + '.' + name);
    } else if (filling.fills == Fills::Column) {
      values.push_back(sql::QuoteIdentifier(dialect, filling.value));
    } else {
      values.push_back(filling.value);
    }
  }
  return Substitute(pattern, sql, values);
}

}  // namespace schemaward::patterns
