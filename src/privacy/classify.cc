#include "privacy/classify.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "privacy/fields.h"
#include "privacy/name_memo.h"
#include "privacy/name_rules.h"
#include "privacy/tags.h"
#include "privacy/type_family.h"

namespace schemaward::privacy {
namespace {

constexpr std::array<std::string_view, 4> kSensitivities = {"public", "internal", "confidential",
                                                            "pii"};
constexpr std::array<std::string_view, 5> kMethods = {"name", "content", "comment", "dbt_meta",
                                                      "declared"};

// What the column refers to, where a foreign key says so.
struct Target {
  std::string_view table;
  std::string_view column;
};

std::optional<Target> TargetOf(const catalog::Table& table, std::string_view column) {
  for (const catalog::ForeignKey& key : table.foreign_keys)
    for (std::size_t i = 0; i < key.columns.size() && i < key.target_columns.size(); ++i)
      if (key.columns[i] == column) return Target{key.target_table, key.target_columns[i]};
  return std::nullopt;
}

Classification ByNames(const catalog::Table& table, const catalog::Column& column,
                       NameMemo& names) {
  const auto target = TargetOf(table, column.name);
  if (!target) return names.Of(table.name, column.name, column.type);
  Classification result = names.Of(target->table, target->column, column.type);
  // A number, and whatever an id is, stands for a row of the other table; another text is what it
  // is called.
  const std::string key = LowerAscii(target->column);
  if (FamilyOf(column.type) == kText && !key.ends_with("id"))
    for (const Finding& finding : names.Of(table.name, column.name, column.type).findings)
      result.Add(finding.category, finding.method, finding.evidence);
  return result;
}

// What it is by the names of the tables that it is read with.
void AddKinNames(const catalog::Table& table, const catalog::Column& column, NameMemo& names,
                 Classification& result) {
  if (TargetOf(table, column.name)) return;
  std::size_t looked_at = 0;
  for (const auto* kin : {&table.parents, &table.children})
    for (const std::string& qualified : *kin) {
      if (++looked_at > kKinNamesMax) return;
      const auto parts = catalog::SplitName(qualified);
      if (parts.empty()) continue;
      for (const Finding& finding : names.Of(parts.back(), column.name, column.type).findings)
        result.Add(finding.category, finding.method, finding.evidence);
    }
}

// A bare "pii" names no category: the name's stands, and where it has none, contact does.
void AddTag(const Declared& tag, Method method, Classification& result) {
  if (tag.is_bare && result.IsPersonal()) return;
  for (const Category category : tag.categories) result.Add(category, method, tag.evidence);
}

}  // namespace

std::string_view NameOf(Sensitivity sensitivity) {
  return kSensitivities[static_cast<std::size_t>(sensitivity)];
}

std::string_view NameOf(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

bool Classification::Has(Category category) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.category == category; });
}

bool Classification::HasFloor() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return IsFloor(finding.category); });
}

void Classification::Add(Category category, Method method, std::string_view evidence) {
  sensitivity = Sensitivity::Pii;
  const auto at = std::lower_bound(
      findings.begin(), findings.end(), category,
      [](const Finding& finding, Category wanted) { return finding.category < wanted; });
  if (at == findings.end() || at->category != category) {
    findings.insert(at, {category, method, std::string(evidence)});
  } else if (at->method < method) {
    *at = {category, method, std::string(evidence)};
  }
}

Classification Classify(const catalog::Table& table, const catalog::Column& column) {
  NameMemo names;
  return Classify(table, column, names);
}

Classification Classify(const catalog::Table& table, const catalog::Column& column,
                        NameMemo& names) {
  Classification result = ByNames(table, column, names);
  for (const catalog::Remote& remote : column.remotes)
    for (const Finding& finding : names.Of(remote.table, remote.column, column.type).findings)
      result.Add(finding.category, finding.method, finding.evidence);
  AddKinNames(table, column, names, result);
  if (const std::string type = OwnTypeName(column); !type.empty())
    for (const Finding& finding : names.Of(table.name, type, column.type).findings)
      result.Add(finding.category, finding.method, finding.evidence);
  for (const FieldName& field : FieldsOf(column))
    for (const Finding& finding : names.Of(field.holder, field.name, "").findings)
      result.Add(finding.category, finding.method, finding.evidence);
  for (const Declared& tag : TagsOfComment(column.comment)) AddTag(tag, Method::Comment, result);
  for (const std::string& comment : column.kin_comments)
    for (const Declared& tag : TagsOfComment(comment)) AddTag(tag, Method::Comment, result);
  for (const std::string& word : column.tags)
    if (const auto tag = TagOfSource(word)) AddTag(*tag, Method::DbtMeta, result);
  for (const std::string& word : column.verdicts)
    if (const auto category = CategoryNamed(word.substr(0, word.find(':'))))
      result.Add(*category, Method::Content, word);
  return result;
}

}  // namespace schemaward::privacy
