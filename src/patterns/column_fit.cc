#include "patterns/column_fit.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "privacy/name_rules.h"
#include "privacy/type_family.h"
#include "text/words.h"

namespace schemaward::patterns {
namespace {

// A key says more than a type, a type more than a name.
constexpr double kIsKey = 1.2, kIsUnique = 0.8, kSoundsLikeKey = 0.5;
constexpr double kIsType = 0.9, kBetterType = 1.0, kDoubtfulType = 0.4, kGroups = 0.3;
constexpr double kNameWeight = 0.6;

bool IsOnlyColumn(const std::vector<std::string>& columns, const std::string& name) {
  return columns.size() == 1 && columns.front() == name;
}

bool IsPrimaryKey(const catalog::Table& table, const catalog::Column& column) {
  return table.primary_key && IsOnlyColumn(table.primary_key->columns, column.name);
}

const catalog::ForeignKey* ForeignKeyOf(const catalog::Table& table,
                                        const catalog::Column& column) {
  for (const catalog::ForeignKey& key : table.foreign_keys)
    if (IsOnlyColumn(key.columns, column.name)) return &key;
  return nullptr;
}

bool IsUnique(const catalog::Table& table, const catalog::Column& column) {
  return !column.nullable && std::any_of(table.unique_keys.begin(), table.unique_keys.end(),
                                         [&](const catalog::Key& key) {
                                           return IsOnlyColumn(key.columns, column.name);
                                         });
}

bool EndsLikeKey(const std::string& name) {
  const std::string lower = LowerAscii(name);
  return lower.ends_with("_id") || lower.ends_with("id") || lower.ends_with("_key");
}

Fit KeyFit(const catalog::Table& table, const catalog::Column& column) {
  if (IsPrimaryKey(table, column)) return {kIsKey, "primary key"};
  if (IsUnique(table, column)) return {kIsUnique, "unique"};
  return {};
}

Fit ReferenceFit(const Parameter& parameter, const catalog::Table& table,
                 const catalog::Column& column, const catalog::Table* target) {
  const catalog::ForeignKey* key = ForeignKeyOf(table, column);
  if (!parameter.refers_to.empty()) {
    if (target == nullptr) return key != nullptr ? Fit{kIsKey, "foreign key"} : Fit{};
    if (key != nullptr)
      return key->target_table == target->name && key->target_schema == target->schema
                 ? Fit{kIsKey, "foreign key"}
                 : Fit{};
    const bool names_target = target->primary_key && target != &table &&
                              IsOnlyColumn(target->primary_key->columns, column.name);
    return names_target ? Fit{kSoundsLikeKey, "name of the other key"} : Fit{};
  }
  if (key != nullptr) return {kIsKey, "foreign key"};
  if (IsPrimaryKey(table, column)) return {};
  if (EndsLikeKey(column.name)) return {kSoundsLikeKey, "name of a key"};
  const std::uint8_t family = privacy::FamilyOf(column.type);
  return (family & privacy::kTime) == 0 ? Fit{kGroups, "a value to group by"} : Fit{};
}

// Of a type that is not known all bits are set.
Fit TypeFit(const catalog::Column& column, std::uint8_t wanted, bool is_better,
            std::string_view how) {
  const std::uint8_t family = privacy::FamilyOf(column.type);
  if ((family & wanted) == 0) return {};
  if (family == privacy::kAny) return {kDoubtfulType, "type not known"};
  return {is_better ? kBetterType : kIsType, how};
}

bool Holds(const std::string& type, std::string_view word) {
  return LowerAscii(type).find(word) != std::string::npos;
}

Fit NumberFit(const catalog::Table& table, const catalog::Column& column) {
  if (IsPrimaryKey(table, column) || ForeignKeyOf(table, column) != nullptr ||
      EndsLikeKey(column.name))
    return {};
  const bool is_measure = Holds(column.type, "dec") || Holds(column.type, "num") ||
                          Holds(column.type, "double") || Holds(column.type, "real") ||
                          Holds(column.type, "float") || Holds(column.type, "money");
  return TypeFit(column, privacy::kNumber, is_measure, "a number");
}

Fit TextFit(const catalog::Table& table, const catalog::Column& column) {
  if (ForeignKeyOf(table, column) != nullptr || IsPrimaryKey(table, column)) return {};
  return TypeFit(column, privacy::kText, !column.labels.empty(), "text");
}

// SQLite has no type for a moment: there a text is one by its name.
Fit TimeFit(const catalog::Column& column) {
  static constexpr std::string_view kWords[] = {"at",        "on",   "date", "day",
                                                "timestamp", "time", "from", "until"};
  if (const Fit fit = TypeFit(column, privacy::kTime, false, "a moment"); fit.score > 0) return fit;
  if ((privacy::FamilyOf(column.type) & privacy::kText) == 0) return {};
  const std::vector<std::string> words = text::SplitWords(column.name);
  if (words.empty()) return {};
  // The last word says what it is, as in created_at; the first does in date_of_birth.
  const bool is_named =
      std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
        return words.back() == word || (words.front() == word && word.starts_with("date"));
      });
  return is_named ? Fit{kDoubtfulType, "a text that its name calls a moment"} : Fit{};
}

Fit RoleFit(const Parameter& parameter, const catalog::Table& table, const catalog::Column& column,
            const catalog::Table* target) {
  switch (parameter.role) {
    case Role::PrimaryKey:
      return KeyFit(table, column);
    case Role::Reference:
      return ReferenceFit(parameter, table, column, target);
    case Role::Number:
      return NumberFit(table, column);
    case Role::Text:
      return TextFit(table, column);
    case Role::Time:
      return TimeFit(column);
    case Role::Json:
      return Holds(column.type, "json") ? Fit{kBetterType, "a document"} : Fit{};
    case Role::Any:
      break;
  }
  return {kGroups, "any column"};
}

}  // namespace

double Likeness(std::string_view name, std::string_view other) {
  std::vector<std::string> a = text::SplitWords(name), b = text::SplitWords(other);
  if (a.empty() || b.empty()) return 0;
  for (auto* words : {&a, &b})
    for (std::string& word : *words) word = text::Singular(word);
  const auto shared = static_cast<double>(std::count_if(a.begin(), a.end(), [&](const auto& word) {
    return std::find(b.begin(), b.end(), word) != b.end();
  }));
  return shared / static_cast<double>(std::max(a.size(), b.size()));
}

Fit FitOf(const Parameter& parameter, const catalog::Table& table, const catalog::Column& column,
          const catalog::Table* target) {
  Fit fit = RoleFit(parameter, table, column, target);
  if (fit.score <= 0 || column.is_array) return {};
  const double alike =
      std::max(Likeness(column.name, parameter.name), Likeness(column.name, parameter.example));
  fit.score += kNameWeight * alike;
  return fit;
}

}  // namespace schemaward::patterns
