#include "tools/personal.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "privacy/mention.h"
#include "tools/shapes.h"

namespace schemaward::tools {
namespace {

using privacy::Finding;
using privacy::Method;

tool::Provenance ProvenanceOf(Method method) {
  tool::Provenance provenance;
  provenance.source = method == Method::Comment ? "schema" : "inferred";
  if (method == Method::DbtMeta) provenance.inference_method = "dbt_import";
  if (method == Method::Declared) {
    provenance.inference_method = "manually_authored";
    provenance.validation_state = "confirmed";
  }
  return provenance;
}

// A blocked column under its placeholder. Tags keep what it holds, now that its name does not say.
catalog::Column Hidden(const catalog::Column& column, const privacy::ColumnRule& rule,
                       std::size_t position) {
  catalog::Column hidden;
  hidden.name = privacy::HiddenName(position);
  hidden.type = column.type;
  hidden.nullable = column.nullable;
  hidden.is_array = column.is_array;
  for (const Finding& finding : rule.classification.findings)
    hidden.tags.push_back("pii:" + std::string(privacy::NameOf(finding.category)));
  return hidden;
}

constexpr const char* kExpression = "(expression)";
constexpr std::size_t kIndexTextMax = 300;  // bytes of an expression or predicate

using NewNames = std::map<std::string, std::string, std::less<>>;

void Rename(const NewNames& names, std::vector<std::string>& columns) {
  for (std::string& column : columns)
    if (const auto found = names.find(column); found != names.end()) column = found->second;
}

bool NamesOne(const NewNames& names, std::string_view text) {
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& name) { return privacy::Mentions(text, name.first); });
}

// Of a name that was made of columns' names: orders_email_key.
bool IsMadeOfOne(const NewNames& names, std::string_view text) {
  const std::string lowered = LowerAscii(text);
  return std::any_of(names.begin(), names.end(), [&](const auto& name) {
    return lowered.find(LowerAscii(name.first)) != std::string::npos;
  });
}

void RenameIndexes(const NewNames& names, std::vector<catalog::Index>& indexes) {
  for (catalog::Index& index : indexes) {
    Rename(names, index.columns);
    if (IsMadeOfOne(names, index.name)) index.name.clear();
    if (index.predicate && NamesOne(names, *index.predicate)) index.predicate.reset();
    for (std::string& column : index.columns)
      if (NamesOne(names, column)) column = kExpression;
  }
}

}  // namespace

void PersonalOut::Bind(json::Fields& f) {
  f("categories", categories, "categories of personal data");
  f("blocked", blocked, "its values are not answered plainly");
  f("known_by", known_by, "name, content, comment, dbt_meta or declared");
  f("confidence", confidence, "how sure that is");
  f("provenance", provenance, "where it comes from");
}

std::optional<PersonalOut> ShowPersonal(const privacy::ColumnRule& rule) {
  if (!rule.classification.IsPersonal()) return std::nullopt;
  PersonalOut out;
  Method method = Method::Declared;
  for (const Finding& finding : rule.classification.findings) {
    out.categories.emplace_back(privacy::NameOf(finding.category));
    method = std::min(method, finding.method);
  }
  out.blocked = rule.IsBlocked();
  out.known_by = privacy::NameOf(method);
  const bool is_said = method >= Method::Comment;
  out.confidence = is_said ? tool::Confidence::High : tool::Confidence::Medium;
  out.provenance = ProvenanceOf(method);
  return out;
}

catalog::Table WithHiddenNames(const privacy::Policy& policy, catalog::Table table) {
  if (!policy.hide_names()) return table;
  NewNames names;
  std::vector<catalog::Column> columns = table.columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const privacy::ColumnRule rule = policy.RuleOf(table, columns[i]);
    if (!rule.IsBlocked()) continue;
    names[columns[i].name] = privacy::HiddenName(i);
    columns[i] = Hidden(columns[i], rule, i);
  }
  if (names.empty()) return table;
  table.columns = std::move(columns);
  const auto rename = [&](catalog::Key& key) {
    Rename(names, key.columns);
    if (IsMadeOfOne(names, key.name)) key.name.clear();
  };
  if (table.primary_key) rename(*table.primary_key);
  for (catalog::Key& key : table.unique_keys) rename(key);
  // A key that starts at a hidden column would say what that column is.
  std::erase_if(table.foreign_keys, [&](const catalog::ForeignKey& key) {
    return std::any_of(key.columns.begin(), key.columns.end(),
                       [&](const std::string& column) { return names.contains(column); });
  });
  RenameIndexes(names, table.indexes);
  std::erase_if(table.checks, [&](const catalog::Check& check) {
    return NamesOne(names, check.expression) || IsMadeOfOne(names, check.name);
  });
  if (NamesOne(names, table.comment)) table.comment.clear();
  return table;
}

bool NamesBlockedColumn(const privacy::Policy& policy, const catalog::Table& table,
                        std::string_view text) {
  return std::any_of(
      table.columns.begin(), table.columns.end(), [&](const catalog::Column& column) {
        return privacy::Mentions(text, column.name) && policy.RuleOf(table, column).IsBlocked();
      });
}

catalog::Index ShowIndex(const privacy::Policy& policy, const catalog::Table& table,
                         catalog::Index index) {
  if (index.predicate && NamesBlockedColumn(policy, table, *index.predicate))
    index.predicate.reset();
  if (index.predicate) index.predicate = CleanText(*index.predicate, kIndexTextMax);
  for (std::string& member : index.columns) {
    if (catalog::FindColumn(table, member) != std::string_view::npos) continue;
    member =
        NamesBlockedColumn(policy, table, member) ? kExpression : CleanText(member, kIndexTextMax);
  }
  return index;
}

}  // namespace schemaward::tools
