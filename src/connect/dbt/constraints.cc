// Constraints that models declare, and generic tests, as keys, nullability, labels and references.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "connect/dbt/project.h"
#include "json/access.h"

namespace schemaward::connect::dbt {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::TextsOf;
using json::Value;

/// The columns as the table writes them; none where one is not there.
std::vector<std::string> KnownColumns(Relation& relation, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const std::string& name : names) {
    const catalog::Column* column = FindColumn(relation.table, name);
    if (column == nullptr) return {};
    known.push_back(column->name);
  }
  return known;
}

void SetNotNull(Relation& relation, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (catalog::Column* column = FindColumn(relation.table, name)) column->nullable = false;
}

void AddUnique(Relation& relation, const std::vector<std::string>& names, std::string key_name) {
  std::vector<std::string> columns = KnownColumns(relation, names);
  if (columns.size() == 1 && std::find(relation.unique.begin(), relation.unique.end(),
                                       columns[0]) == relation.unique.end())
    relation.unique.push_back(columns[0]);
  if (columns.size() > 1) relation.composed.push_back({std::move(key_name), std::move(columns)});
}

std::string JoinedName(const Relation& relation, const std::vector<std::string>& columns,
                       std::string_view ending) {
  return fmt::format("{}_{}_{}", relation.table.name, fmt::join(columns, "_"), ending);
}

void SetPrimaryKey(Relation& relation, const std::vector<std::string>& names, std::string name) {
  std::vector<std::string> columns = KnownColumns(relation, names);
  if (columns.empty() || relation.table.primary_key) return;
  SetNotNull(relation, columns);
  if (name.empty()) name = relation.table.name + "_pkey";
  relation.table.primary_key = catalog::Key{std::move(name), std::move(columns)};
}

void ApplyConstraint(const Value& constraint, const std::vector<std::string>& columns,
                     Relation& relation) {
  const std::string type = TextOf(constraint, "type");
  std::string name = TextOf(constraint, "name");
  if (type == "not_null") {
    SetNotNull(relation, columns);
  } else if (type == "primary_key") {
    SetPrimaryKey(relation, columns, std::move(name));
  } else if (type == "unique") {
    if (name.empty()) name = JoinedName(relation, columns, "key");
    AddUnique(relation, columns, std::move(name));
  } else if (type == "check") {
    const std::string expression = TextOf(constraint, "expression");
    if (name.empty()) name = JoinedName(relation, columns, "check");
    if (!expression.empty()) relation.table.checks.push_back({std::move(name), expression});
  }
}

/// Calls apply(constraint, columns) for the constraints of a model and of its columns.
template <class Apply>
void EachConstraint(const Relation& relation, const Apply& apply) {
  for (const Value* constraint : ItemsOf(Member(*relation.node, "constraints")))
    apply(*constraint, TextsOf(Member(*constraint, "columns")));
  for (const Value* column : ItemsOf(Member(*relation.node, "columns")))
    for (const Value* constraint : ItemsOf(Member(*column, "constraints")))
      apply(*constraint, std::vector<std::string>{TextOf(*column, "name")});
}

/// A generic test of one relation.
struct Test {
  const Value* node = nullptr;
  Relation* relation = nullptr;
  std::string kind;        ///< unique, dbt_utils.unique_combination_of_columns, ...
  bool is_total = true;    ///< false: it looks at some rows only
  bool is_binding = true;  ///< false: a failure only warns
  const Value& Argument(std::string_view name) const {
    const Value& kwargs = Member(*node, {"test_metadata", "kwargs"});
    const Value& plain = Member(kwargs, name);
    return plain.is_null() ? Member(kwargs, {"arguments", name}) : plain;
  }
  std::string Column() const {
    std::string column = TextOf(*node, "column_name");
    return column.empty() ? TextOf(Argument("column_name")) : column;
  }
};

Relation* TestedRelation(const Value& node, Project& project) {
  if (Relation* relation = project.Find(TextOf(node, "attached_node"))) return relation;
  const std::string model = TextOf(Member(node, {"test_metadata", "kwargs", "model"}));
  if (!model.empty()) return project.Resolve(model);
  const std::vector<std::string> nodes = TextsOf(Member(node, {"depends_on", "nodes"}));
  return nodes.size() == 1 ? project.Find(nodes[0]) : nullptr;
}

template <class Apply>
void EachTest(const Value& manifest, Project& project, const Apply& apply) {
  const Value& nodes = Member(manifest, "nodes");
  if (!nodes.is_object()) return;
  for (const Value& node : nodes) {
    if (TextOf(node, "resource_type") != "test" || !Member(node, "test_metadata").is_object())
      continue;
    Test test;
    test.node = &node;
    test.relation = TestedRelation(node, project);
    if (test.relation == nullptr) continue;  // of an ephemeral model, or of nothing that is built
    const std::string package = TextOf(Member(node, {"test_metadata", "namespace"}));
    test.kind = (package.empty() || package == "dbt" ? "" : package + ".") +
                TextOf(Member(node, {"test_metadata", "name"}));
    const std::string severity = TextOf(Member(node, {"config", "severity"}));
    test.is_binding = severity != "warn" && severity != "WARN" && severity != "Warn";
    test.is_total = TextOf(Member(node, {"config", "where"})).empty();
    apply(test);
  }
}

void ApplyTest(const Test& test, Project& project) {
  Relation& relation = *test.relation;
  const bool is_key = test.kind == "unique" || test.kind == "not_null" ||
                      test.kind == "dbt_utils.unique_combination_of_columns";
  if (is_key && !(test.is_total && test.is_binding)) {
    project.Miss(catalog::QualifiedName(relation.table),
                 fmt::format("test {} {}: it makes no key and forbids no null", test.kind,
                             test.is_total ? "only warns" : "looks at some rows only"));
  } else if (test.kind == "unique") {
    AddUnique(relation, {test.Column()}, {});
  } else if (test.kind == "not_null") {
    SetNotNull(relation, {test.Column()});
  } else if (is_key) {
    AddUnique(relation, TextsOf(test.Argument("combination_of_columns")),
              TextOf(*test.node, "name"));
  } else if (test.kind == "accepted_values" && test.is_total) {
    if (catalog::Column* column = FindColumn(relation.table, test.Column());
        column != nullptr && column->labels.empty())
      column->labels = TextsOf(test.Argument("values"));
  }
}

bool IsUniqueOver(const Relation& relation, std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  const auto same = [&](const catalog::Key& key) {
    std::vector<std::string> sorted = key.columns;
    std::sort(sorted.begin(), sorted.end());
    return sorted == columns;
  };
  const catalog::Table& table = relation.table;
  return (table.primary_key && same(*table.primary_key)) ||
         std::any_of(table.unique_keys.begin(), table.unique_keys.end(), same);
}

/// A reference as it is declared.
struct Reference {
  std::string name;
  std::vector<std::string> columns;
  Relation* target = nullptr;
  std::vector<std::string> target_columns;
};

void AddForeignKey(Relation& relation, const Reference& reference, Project& project) {
  const std::string from = catalog::QualifiedName(relation.table);
  if (reference.target == nullptr)
    return project.Miss(from, "what " + reference.name + " refers to is not among the tables");
  std::vector<std::string> columns = KnownColumns(relation, reference.columns);
  std::vector<std::string> targets = KnownColumns(*reference.target, reference.target_columns);
  if (columns.empty() || columns.size() != targets.size())
    return project.Miss(from, "a column that " + reference.name + " names is not there");
  const std::string to = catalog::QualifiedName(reference.target->table);
  if (!IsUniqueOver(*reference.target, targets))
    return project.Miss(
        from,
        fmt::format("{} makes no foreign key: nothing says that {} of {} is unique; give it a "
                    "unique test",
                    reference.name, fmt::join(targets, ", "), to));
  catalog::Table& table = relation.table;
  const auto same = [&](const catalog::ForeignKey& key) {
    return key.columns == columns && key.target_columns == targets &&
           key.target_schema == reference.target->table.schema &&
           key.target_table == reference.target->table.name;
  };
  if (std::any_of(table.foreign_keys.begin(), table.foreign_keys.end(), same)) return;
  table.foreign_keys.push_back({reference.name,
                                std::move(columns),
                                reference.target->table.schema,
                                reference.target->table.name,
                                std::move(targets),
                                {},
                                {}});
}

/// The relation that a relationships test refers to: what it depends on beside the tested one.
Relation* ReferredBy(const Test& test, Project& project) {
  for (const std::string& id : TextsOf(Member(*test.node, {"depends_on", "nodes"})))
    if (id != test.relation->id)
      if (Relation* relation = project.Find(id)) return relation;
  return project.Resolve(TextOf(test.Argument("to")));
}

/// Older constraints write it as an expression: schema.table (column, ...).
void SplitExpression(const std::string& expression, std::string& to,
                     std::vector<std::string>& columns) {
  const std::size_t open = expression.rfind('('), close = expression.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return;
  to = expression.substr(0, open);
  while (!to.empty() && to.back() == ' ') to.pop_back();
  std::string name;
  for (const char c : expression.substr(open + 1, close - open - 1) + ",") {
    if (c == ',') {
      if (!name.empty()) columns.push_back(std::exchange(name, {}));
    } else if (c != ' ') {
      name += c;
    }
  }
}

void ReadDeclaredReference(const Value& constraint, const std::vector<std::string>& columns,
                           Relation& relation, Project& project) {
  if (TextOf(constraint, "type") != "foreign_key") return;
  Reference reference;
  reference.name = TextOf(constraint, "name");
  reference.columns = columns;
  if (reference.name.empty()) reference.name = JoinedName(relation, columns, "fkey");
  std::string to = TextOf(constraint, "to");
  reference.target_columns = TextsOf(Member(constraint, "to_columns"));
  if (to.empty()) SplitExpression(TextOf(constraint, "expression"), to, reference.target_columns);
  reference.target = project.Resolve(to);
  AddForeignKey(relation, reference, project);
}

/// Of several columns that could be the key: the node's own word, else the first in table order.
const std::string* ChosenKey(const Relation& relation) {
  const std::string* chosen = nullptr;
  for (const catalog::Column& column : relation.table.columns) {
    const auto at = std::find(relation.unique.begin(), relation.unique.end(), column.name);
    if (at == relation.unique.end() || column.nullable) continue;
    if (*at == relation.key_hint) return &*at;
    if (chosen == nullptr) chosen = &*at;
  }
  return chosen;
}

}  // namespace

void ReadConstraints(Project& project) {
  for (Relation& relation : project.relations)
    EachConstraint(relation, [&](const Value& constraint, const std::vector<std::string>& columns) {
      ApplyConstraint(constraint, columns, relation);
    });
}

void ReadTests(const Value& manifest, Project& project) {
  EachTest(manifest, project, [&](const Test& test) { ApplyTest(test, project); });
}

void SettleKeys(Project& project) {
  for (Relation& relation : project.relations) {
    if (const std::string* chosen = ChosenKey(relation)) SetPrimaryKey(relation, {*chosen}, {});
    std::vector<catalog::Key> keys = std::move(relation.composed);
    for (const std::string& column : relation.unique)
      keys.push_back({JoinedName(relation, {column}, "key"), {column}});
    std::stable_sort(keys.begin(), keys.end(),
                     [](const catalog::Key& a, const catalog::Key& b) { return a.name < b.name; });
    for (catalog::Key& key : keys)
      if (!IsUniqueOver(relation, key.columns))
        relation.table.unique_keys.push_back(std::move(key));
  }
}

void ReadForeignKeys(const Value& manifest, Project& project) {
  for (Relation& relation : project.relations)
    EachConstraint(relation, [&](const Value& constraint, const std::vector<std::string>& columns) {
      ReadDeclaredReference(constraint, columns, relation, project);
    });
  EachTest(manifest, project, [&](const Test& test) {
    if (test.kind != "relationships" && test.kind != "dbt_utils.relationships_where") return;
    Reference reference;
    reference.name = TextOf(*test.node, "name");
    reference.columns = {test.Column()};
    reference.target = ReferredBy(test, project);
    reference.target_columns = {TextOf(test.Argument("field"))};
    AddForeignKey(*test.relation, reference, project);
  });
}

}  // namespace schemaward::connect::dbt
